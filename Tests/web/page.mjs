// As much of a page as the adapters of maps need outside a browser: nothing is drawn.

class FakeElement {
  style = {};
  children = [];
  append(...nodes) {
    this.children.push(...nodes);
  }
  appendChild(node) {
    this.children.push(node);
    return node;
  }
  addEventListener() {}
  remove() {}
}

/** Sets the global names of a browser, for users who want no motion. */
export function fakePage() {
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: true }),
    requestAnimationFrame: (body) => setTimeout(body),
    cancelAnimationFrame: clearTimeout,
    document: { createElement: () => new FakeElement(), createTextNode: (text) => text },
  });
}

/** The functions of a map that shows nothing; see `Surface`. */
export const noSurface = {
  viewport: () => null,
  size: () => [0, 0],
  draw() {},
  fly() {},
  popup() {},
  closePopup() {},
  attribute() {},
  maxZoom: () => 20,
  middle: () => 0.5,
  pixelOf: () => null,
  isMoving: () => false,
  measure() {},
  hitAt: () => null,
  remove() {},
};
