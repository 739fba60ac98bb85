// The marker under the pointer.

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */

/**
 * The box of a cluster in a copy of the world; null for points and if it is unknown.
 * @param {Marker} marker @param {number} near a longitude in that copy @returns {import("./geometry.js").Box | null}
 */
function coverageOf({ isCluster, feature }, near) {
  if (!isCluster || !feature.bbox) return null;
  const [west, south, east, north] = feature.bbox, [own] = feature.geometry.coordinates;
  // The cluster is inside of its box, which may begin on the other side of the antimeridian.
  const start = west - (own < west ? 360 : 0) + 360 * Math.round((near - own) / 360);
  return [start, south, start + (east < west ? east - west + 360 : east - west), north];
}

export class Hover {
  /** @type {Shown | null} */ #shown = null;
  #pointerType = "";
  #listener = (/** @type {PointerEvent} */ { pointerType }) => { this.#pointerType = pointerType; };

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

  /**
   * Tells of another marker. After a tap, browsers send a `mousemove`, which doesn't count.
   * @param {Shown | null} shown the marker under the pointer @param {number} longitude of the pointer, in its copy of the world
   */
  move(shown, longitude) { this.#set(this.#pointerType === "touch" ? null : shown, longitude); }

  /**
   * Tells if the marker is gone.
   * @param {Shown[]} shown the drawn markers
   */
  check(shown) {
    if (this.#shown && !shown.some(({ key, isLeaving }) => key === this.#shown?.key && !isLeaving)) this.#set(null);
  }

  /** @param {Shown | null} shown @param {number} [longitude] */
  #set(shown, longitude = 0) {
    if (shown?.key === this.#shown?.key) return;
    this.#shown = shown;
    this.adapter.send("hover", { marker: shown?.marker ?? null, coverage: shown && coverageOf(shown.marker, longitude) });
  }
}
