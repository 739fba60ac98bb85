// The marker under the pointer.

import { copyOf } from "../tileset/geometry.js";

/** @typedef {import("./marker-scene.js").Shown} Shown */

/** A box in the copy of the world where its middle is nearest to a longitude.
 * @param {import("../tileset/geometry.js").Box} box @param {number} near @returns {import("../tileset/geometry.js").Box} */
function boxNear([west, south, east, north], near) {
  const width = east < west ? east - west + 360 : east - west,
    middle = west + width / 2,
    shift = copyOf(middle, near) - middle;
  return [west + shift, south, west + shift + width, north];
}

export class Hover {
  /** @type {Shown | null} */ #shown = null;
  #pointerType = "";
  #listener = (/** @type {PointerEvent} */ { pointerType }) => (this.#pointerType = pointerType);

  /** @param {import("./map-adapter.js").MapAdapter} adapter @param {HTMLElement} container of the map */
  constructor(adapter, container) {
    this.adapter = adapter;
    this.container = container;
    for (const type of ["pointerdown", "pointermove"]) container.addEventListener(/** @type {"pointermove"} */ (type), this.#listener, true);
  }

  remove() {
    this.#set(null);
    for (const type of ["pointerdown", "pointermove"]) this.container.removeEventListener(/** @type {"pointermove"} */ (type), this.#listener, true);
  }

  /** Tells of another marker. After a tap, browsers send a `mousemove`, which doesn't count.
   * @param {Shown | null} shown the marker under the pointer @param {number} longitude of the pointer, in its copy of the world */
  move(shown, longitude) {
    this.#set(this.#pointerType === "touch" ? null : shown, longitude);
  }

  /** Tells if the marker is gone.
   * @param {Shown[]} shown the drawn markers */
  check(shown) {
    if (this.#shown && !shown.some(({ key, isLeaving }) => key === this.#shown?.key && !isLeaving)) this.#set(null);
  }

  /** @param {Shown | null} shown @param {number} [longitude] */
  #set(shown, longitude = 0) {
    if (shown?.key === this.#shown?.key) return;
    this.#shown = shown;
    const marker = shown?.marker ?? null,
      box = marker?.isCluster ? this.adapter.view.tileset?.box(marker) : null;
    this.adapter.send("hover", { marker, coverage: box ? boxNear(box, longitude) : null });
  }
}
