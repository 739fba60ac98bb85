// The tilesets on one map: they share the pointer and the keyboard.

import { Keyboard } from "./keyboard.js";

/** @typedef {import("./map-adapter.js").MapAdapter} MapAdapter */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {{ adapter: MapAdapter, shown: Shown }} Pointed */

/** @type {WeakMap<HTMLElement, Neighbours>} by the element that holds the map */ const all = new WeakMap();

export class Neighbours {
  /** From bottom to top.
   * @type {MapAdapter[]} */
  adapters = [];
  /** @type {Keyboard | null} */ #keyboard = null;
  /** @type {{ event: object | null, pointed: Pointed | null }} */ #last = { event: null, pointed: null };

  /** Adds a tileset to those on its map.
   * @param {MapAdapter} adapter @param {import("./keyboard.js").Host} host */
  static join(adapter, host) {
    const neighbours = all.get(host.container) ?? new Neighbours();
    all.set(host.container, neighbours);
    neighbours.adapters.push(adapter);
    // OpenLayers may have moved the map to another element.
    if (neighbours.#keyboard && neighbours.#keyboard.host.focusable !== host.focusable) neighbours.#end();
    if (neighbours.withKeys.length) neighbours.#keyboard ??= new Keyboard(neighbours, host, adapter.texts);
    return neighbours;
  }

  /** @param {MapAdapter} adapter */
  leave(adapter) {
    this.adapters = this.adapters.filter((other) => other !== adapter);
    this.#last = { event: null, pointed: null };
    if (!this.withKeys.length) this.#end();
  }

  #end() {
    this.#keyboard?.remove();
    this.#keyboard = null;
  }

  /** The tilesets whose markers can be reached by keyboard. */
  get withKeys() {
    return this.adapters.filter(({ options }) => options.keyboard !== false);
  }

  /** The marker at a mouse event: of those that it hits, the uppermost; else of those near to it.
   * @param {{ originalEvent?: any }} event of the map library @param {number} tolerancePixels @returns {Pointed | null} */
  at(event, tolerancePixels) {
    // All tilesets ask.
    if (this.#last.event === event) return this.#last.pointed;
    // Elements are above all that is drawn.
    /** @type {Pointed | null} */
    let pointed = null;
    for (const adapter of this.adapters) {
      const shown = adapter.withElement(event.originalEvent);
      if (shown) pointed ??= { adapter, shown };
    }
    for (const tolerance of [0, tolerancePixels]) {
      if (pointed) break;
      for (const adapter of this.adapters) {
        const shown = adapter.surface.hitAt(event, tolerance);
        if (shown) pointed = { adapter, shown };
      }
    }
    this.#last = { event, pointed };
    return pointed;
  }
}
