// What a page has of the markers on its map.

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/**
 * @typedef {object} DrawnEvents the details of the events that a view without a map doesn't have
 * @property {{ marker: Marker }} click a marker was clicked; `preventDefault()` to do something other than zoom in, spread
 *   points, or open a popup
 * @property {{ marker: Marker, place: [longitude: number, latitude: number], title: string, content: Node }} details a popup is
 *   about to open; `preventDefault()` to show the content elsewhere
 * @property {{ shown: Shown[] }} draw a frame was drawn
 */
/** @typedef {import("./marker-view.js").ViewEvents & DrawnEvents} MapEvents the details of a map's events */

/**
 * The markers of a tileset on a map; `addMarkers` of the adapters makes one.
 *
 * Sends `MapEvents`.
 */
export class MarkerMap extends /** @type {new () => import("./marker-event.js").MarkerEventTarget<MapEvents>} */ (EventTarget) {
  /** @type {import("./map-adapter.js").MapAdapter} */ #adapter;
  /**
   * The library's layer, or the id of its source.
   * @type {any}
   */
  layer = null;

  /** @param {import("./map-adapter.js").MapAdapter} adapter */
  constructor(adapter) {
    super();
    this.#adapter = adapter;
  }

  /** What is read and shown. */
  get view() { return this.#adapter.view; }
  /** What is drawn at this moment. */
  get shown() { return this.#adapter.shown; }
  /** How markers look. */
  get appearance() { return this.#adapter.appearance; }
  /** Whether markers move at this moment. */
  get isMoving() { return this.#adapter.scene.isMoving(performance.now()); }
  /** Whether markers change without a motion. */
  get isCalm() { return this.#adapter.isCalm; }

  /**
   * What is drawn at a place, or nearest to it; null if nothing is.
   * @param {number} longitude @param {number} latitude @param {number} [tolerancePixels] how far outside a circle the place may be
   */
  at(longitude, latitude, tolerancePixels = 2) { return this.#adapter.at(longitude, latitude, tolerancePixels); }

  /**
   * Does what a click does: zooms in, spreads points, or opens a popup; closes what is open if nothing is clicked.
   * @param {Shown | null} shown @param {number} longitude of the click, in the copy of the world that is seen
   */
  click(shown, longitude) { return this.#adapter.click(shown, longitude); }

  /** Reads everything anew, for tilesets that were rebuilt. */
  refresh() { return this.view.refresh(); }

  /**
   * Changes how markers look.
   * @param {import("./appearance.js").AppearanceOptions} options the ones to change
   */
  restyle(options) { this.#adapter.restyle(options); }

  /** Takes everything off the map. */
  remove() { this.#adapter.remove(); }
}
