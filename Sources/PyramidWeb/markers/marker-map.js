// The object that a page gets for the markers on its map.

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./map-adapter.js").Place} Place */
/** @typedef {import("./map-adapter.js").PointAddress} PointAddress */
/** @typedef {import("./map-adapter.js").FoundMarker} FoundMarker */
/** @typedef {object} DrawnEvents the details of further events, which a `MarkerView` doesn't have
 * @property {{ marker: Marker, lngLat: Place, originalEvent: Event | null }} click a marker was clicked; `preventDefault()` to do something
 *   other than zoom in, spread points, or open a popup. `lngLat`: the marker's place, in the clicked copy of the world; `originalEvent`: of
 *   the browser, null if the page has called `click`
 * @property {{ marker: Marker, lngLat: Place, title: string, content: Node }} details a popup is
 *   about to open; `preventDefault()` to show the content elsewhere
 * @property {{ marker: Marker | null, coverage: import("../tileset/geometry.js").Box | null }} hover the pointer is over another marker, or over none;
 *   `coverage` is the box of a cluster's points, in the copy of the world under the pointer: east is greater than west
 * @property {{ shown: Shown[] }} draw a frame was drawn
 * @property {{ markers: Marker[] }} visible the map has moved, or other markers are shown; `markers`: those whose place is in the window */
/** @typedef {import("./marker-view.js").ViewEvents & DrawnEvents} MapEvents the details of a map's events */

/** The markers of a tileset on a map, made by `addMarkers` of an adapter.
 *
 * Sends `MapEvents`. */
export class MarkerMap extends /** @type {new () => import("./marker-view.js").TypedTarget<MapEvents>} */ (EventTarget) {
  /** @type {import("./map-adapter.js").MapAdapter} */ #adapter;
  /** The library's layer, or the id of its source.
   * @type {any} */
  layer = null;

  /** @param {import("./map-adapter.js").MapAdapter} adapter */
  constructor(adapter) {
    super();
    this.#adapter = adapter;
  }

  /** The view that reads the markers. */
  get view() {
    return this.#adapter.view;
  }
  /** The markers as they are drawn now. */
  get shown() {
    return this.#adapter.shown;
  }
  /** What the map says, and its legend. */
  get texts() {
    return this.#adapter.texts;
  }
  /** How markers look. */
  get appearance() {
    return this.#adapter.appearance;
  }
  /** The drawn markers in the window, from the lowest drawn to the uppermost, and their pixels from the map's corner. */
  get inWindow() {
    return this.#adapter.inWindow();
  }
  /** Whether markers move, or a frame is still to be drawn. */
  get isMoving() {
    return this.#adapter.isMoving;
  }
  /** Whether markers change without animation. */
  get isCalm() {
    return this.#adapter.isCalm;
  }

  /** The drawn marker at a place, or the nearest one, or the one that a click of the map is for; null if there is none.
   * @param {Place | { originalEvent?: any }} place or a mouse event of the map library
   * @param {number} [tolerancePixels] how far outside a circle the place may be */
  at(place, tolerancePixels = 2) {
    return Array.isArray(place) ? this.#adapter.at(place[0], place[1], tolerancePixels) : this.#adapter.shownAt(place);
  }

  /** Acts like a click: zooms in, spreads points, or opens a popup. With null, closes popups and spread points.
   * @param {Shown | null} shown */
  click(shown) {
    return this.#adapter.click(shown);
  }

  /** The key of the drawn marker that the keyboard has reached, `null` for none. */
  get focused() {
    return this.#adapter.focused;
  }

  /** Marks a point, or the cluster that holds it, at all zooms and under all filters that show it. Clicks don't change it.
   * @param {PointAddress | null} address null for none @returns {Promise<FoundMarker | null>} the marker, see `find` */
  select(address) {
    return this.#adapter.select(address);
  }
  /** The drawn marker that is or holds the selected point; `null` if there is none. */
  get selected() {
    return this.#adapter.selected;
  }

  /** The drawn marker that is a point or holds it.
   * @param {PointAddress} address
   * @returns {Promise<FoundMarker | null>} null if there is no such point, the filter hides it, or it is drawn elsewhere. Fails with a
   *   TilesetError if a file can't be read */
  find(address) {
    return this.#adapter.find(address);
  }

  /** The points in the window that match the filter, the nearest to its middle first, and their number. Requests at most 64 files; another call
   * reads on. The event `visible` tells when the list may have changed.
   * @param {{ limit?: number, near?: Place, signal?: AbortSignal }} [options] `limit`: the most points (default: 100); `near`: the nearest to
   *   this place come first
   * @returns {Promise<import("../tileset/points.js").Points>} if not all points could be read, `count` is that of the markers in the window */
  pointsInView(options) {
    return this.#adapter.pointsInView(options);
  }

  /** Fits the map to the points that match the filter, or to those of a marker, also across the antimeridian. Waits until the tileset is open. If
   * the files that have them are too many, the map shows the places of these files.
   * @param {Marker | import("./map-adapter.js").FitOptions | null} [target] a marker, or the options
   * @param {import("./map-adapter.js").FitOptions} [options] @returns {Promise<void>} when the map is there */
  fit(target, options) {
    if (target && "feature" in target) return this.#adapter.fit(target, options);
    return this.#adapter.fit(null, /** @type {import("./map-adapter.js").FitOptions} */ (target ?? options));
  }

  /** Flies to a point, spreads the points at its place, and opens its popup.
   * @param {PointAddress} address
   * @returns {Promise<boolean>} false if there is no such point, or something else was opened in the meantime. Fails with a TilesetError
   *   if a file can't be read */
  open(address) {
    return this.#adapter.open(address);
  }

  /** Shows the points that match a filter; see `MarkerView.filter`.
   * @param {import("../tileset/filter.js").FilterInput} filter null for all */
  filter(filter) {
    this.view.filter(filter);
  }
  /** The filter that is set; null if there is none. */
  get currentFilter() {
    return this.view.currentFilter;
  }
  /** The columns to filter by. Empty until the tileset is open. */
  get facets() {
    return this.view.facets;
  }
  /** The number of points that match the filter, and of all points in the tileset; undefined if unknown. */
  get matching() {
    return this.view.matching;
  }
  /** The number of points with each value of a column to filter by: of all points, of those that match the filters of the other columns,
   * and of the points in the window that match all filters: those of markers whose place is there. Empty until the tileset is open.
   * @param {string} column */
  counts(column) {
    const counts = this.view.counts(column, this.#adapter.visible),
      { isAbout } = this.#adapter;
    for (const count of counts.values()) count.isAbout = isAbout;
    return counts;
  }

  /** Reads everything again, after the tileset was rebuilt. */
  refresh() {
    return this.view.refresh();
  }

  /** Changes how markers look.
   * @param {Parameters<import("./map-adapter.js").MapAdapter["restyle"]>[0]} options the ones to change */
  restyle(options) {
    this.#adapter.restyle(options);
  }

  /** Removes everything from the map. */
  remove() {
    this.#adapter.remove();
  }
}
