// HTML elements at markers, and the rings around the focused and the selected marker.

import { made } from "./elements.js";
import { heightOf } from "./sprite.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {{ marker: Marker, node: HTMLElement | null }} Placed `node` holds the page's element; null for a drawn marker */

/** Whether an element for one marker is also right for another with the same key.
 * @param {Marker} one @param {Marker} other */
function looksSame(one, other) {
  const textOf = (/** @type {Marker} */ { isCluster, count, isExact, points, feature: { properties } }) =>
    JSON.stringify([isCluster, count, isExact, points?.map(({ key }) => key), properties]);
  return one === other || textOf(one) === textOf(other);
}

/** @typedef {"focused" | "selected"} State of a marker with a ring: reached by keyboard, or selected by the page */

/** @param {string} className @param {string} border */
const ring = (className, border) => {
  const shadow = "0 0 0 1.5px #fffc, inset 0 0 0 1px #fff8",
    style = `position: absolute; left: 0; top: 0; box-sizing: border-box; border: ${border}; border-radius: 50%; pointer-events: none`;
  return made("div", { className, style: { cssText: `${style}; box-shadow: ${shadow}` } });
};

/** The part of a map with HTML. Its elements are placed in every frame of the map. */
export class Overlay {
  /** @type {Map<string, Placed>} */ #placed = new Map();
  /** @type {Map<Element, string>} */ #keys = new Map();
  /** @type {Shown[]} */ #shown = [];
  /** @type {HTMLElement | null} */ #pane = null;
  /** @type {Record<State, string | null>} */ #ringed = { focused: null, selected: null };
  #rings = {
    selected: ring("pyramid-selected", "4px solid var(--pyramid-selected, #111)"),
    focused: ring("pyramid-ring", "3px solid var(--pyramid-accent, #3f51cf)"),
  };

  /** @param {import("./map-adapter.js").MapAdapter} adapter */
  constructor(adapter) {
    this.adapter = adapter;
  }

  /** @param {HTMLElement | null} pane its upper left corner is the map's; null while the layer isn't on the map */
  attach(pane) {
    this.#pane = pane;
    if (pane) this.place();
    else this.clear();
  }

  /** Forgets all elements, so that they are made anew. */
  clear() {
    for (const key of [...this.#placed.keys()]) this.#remove(key);
    for (const ring of Object.values(this.#rings)) ring.remove();
  }

  /** The key of the marker whose element holds a node.
   * @param {EventTarget | null | undefined} node */
  keyAt(node) {
    const element = node instanceof Element && node.closest(".pyramid-element");
    return element ? this.#keys.get(element) : undefined;
  }

  /** Places the elements of markers.
   * @param {Shown[]} shown @param {Record<State, string | null>} ringed the keys of the markers with rings
   * @returns {Shown[]} the markers that have no element */
  show(shown, ringed) {
    this.#ringed = ringed;
    this.#shown = shown;
    const { element } = this.adapter.options;
    if (element) {
      const keys = new Set(shown.map(({ key }) => key));
      for (const key of this.#placed.keys()) if (!keys.has(key)) this.#remove(key);
      for (const { key, marker } of shown) this.#make(key, marker, element);
    }
    this.place();
    return element ? shown.filter(({ key }) => !this.#placed.get(key)?.node) : shown;
  }

  /** @param {string} key @param {Marker} marker @param {(marker: Marker) => HTMLElement | null | undefined} element */
  #make(key, marker, element) {
    const before = this.#placed.get(key);
    if (before && looksSame(before.marker, marker)) {
      before.marker = marker;
      return;
    }
    this.#remove(key);
    const style = { position: "absolute", left: "0", top: "0", width: "max-content", cursor: "pointer", pointerEvents: "auto", userSelect: "none" };
    const content = element(marker),
      node = content ? made("div", { className: "pyramid-element", style }, content) : null;
    this.#placed.set(key, { marker, node });
    if (!node) return;
    // Dragging a picture would be the browser's own, not the map's.
    node.addEventListener("dragstart", (event) => event.preventDefault());
    this.#keys.set(node, key);
  }

  /** @param {string} key */
  #remove(key) {
    const node = this.#placed.get(key)?.node;
    this.#placed.delete(key);
    if (!node) return;
    this.#keys.delete(node);
    node.remove();
  }

  /** Call this when the map has moved relative to the pane. */
  place() {
    const pane = this.#pane;
    const rings = /** @type {[State, HTMLElement][]} */ (Object.entries(this.#rings)),
      ringed = new Set();
    if (!pane || (!this.#placed.size && rings.every(([state, ring]) => this.#ringed[state] === null && !ring.isConnected))) return;
    const size = this.adapter.surface.size();
    for (const { key, marker, x, y, alpha, isLeaving } of this.#shown) {
      const node = this.#placed.get(key)?.node,
        own = isLeaving ? [] : rings.filter(([state]) => this.#ringed[state] === key);
      if (!node && !own.length) continue;
      const pixel = this.adapter.pixelOf({ x, y }, size);
      if (!pixel) {
        node?.remove();
        continue;
      }
      const place = `translate(${pixel[0].toFixed(2)}px, ${pixel[1].toFixed(2)}px) translate(-50%, -50%)`;
      if (node) {
        Object.assign(node.style, { transform: place, opacity: String(alpha) });
        if (node.parentNode !== pane) pane.append(node);
      }
      if (!own.length) continue;
      const { radius, icon, iconSize, iconAnchor } = this.adapter.appearance.look(marker),
        side = node ? Math.max(node.offsetWidth, node.offsetHeight) : 2 * radius;
      // Around the icon, which may be beside its place.
      const [right, down] = !node && icon && iconSize && iconAnchor ? [iconSize[0] / 2 - iconAnchor[0], iconSize[1] / 2 - iconAnchor[1]] : [0, 0];
      for (const [index, [, ring]] of own.entries()) {
        const width = `${side + 8 * (index + 1)}px`;
        Object.assign(ring.style, { transform: `${place} translate(${right}px, ${down}px)`, width, height: width });
        if (ring.parentNode !== pane) pane.append(ring);
        ringed.add(ring);
      }
    }
    for (const [, ring] of rings) if (!ringed.has(ring)) ring.remove();
  }

  /** How far what is drawn for a marker reaches up from its place, in pixels.
   * @param {Marker} marker */
  heightOf(marker) {
    const node = [...this.#placed.values()].find((placed) => placed.marker === marker)?.node;
    return node ? node.offsetHeight / 2 : heightOf(this.adapter.appearance.look(marker));
  }
}
