// What opens markers: a click, or the page by a point's id.

import { pointList, popupContent, propertyTable } from "./details.js";
import { isSpread } from "./marker-scene.js";
import { titleOf } from "./texts.js";
import { placeNear, toWorld } from "../tileset/geometry.js";
import { markerOf } from "../tileset/marker.js";
import { spiderOffsets } from "./spider.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("../tileset/marker.js").Feature} Feature */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./map-adapter.js").Place} Place */
/** @typedef {{ x: number, y: number }[]} Leg a line from a place to one of the points spread around it */
/** @typedef {import("./map-adapter.js").PointAddress} PointAddress */

/** The space between the points of a cluster and the edges of the map, in pixels. */
const paddingPixels = 40;
/** The longest wait for a map to arrive, with the files that it needs there. */
const longestFlightMilliseconds = 15000;

/** @typedef {{ marker: Marker, x: number, y: number }} SpreadPoint */
/** @typedef {{ limit?: number, near?: Place, signal?: AbortSignal }} ListOptions see `MarkerMap.pointsInView` */

/** Zooms in on clusters, spreads points at one place, and opens popups. */
export class MarkerOpener {
  /** @type {import("./map-adapter.js").MapAdapter} */ #adapter;
  /** @type {{ center: Marker, legs: SpreadPoint[], zoom: number } | null} */ #spider = null;
  #work = new AbortController();
  /** @type {Feature | null} the point whose popup was opened last */ #told = null;

  /** @param {import("./map-adapter.js").MapAdapter} adapter */
  constructor(adapter) {
    this.#adapter = adapter;
  }

  /** Closes the popup and the spread points, also while they are being opened. */
  close() {
    this.stop();
    this.fold();
    this.#adapter.surface.closePopup();
  }

  /** Closes what another filter may hide: all but the popup of a point that it shows.
   * @param {import("../tileset/filter.js").FilterInput} filter */
  closeUnless(filter) {
    const hides = (/** @type {Feature} */ point) => this.#adapter.view.tileset?.checked(filter)?.matches(point) === false;
    if (this.#spider?.legs.some(({ marker }) => hides(marker.feature))) this.fold();
    if (!this.#told || hides(this.#told)) this.#adapter.surface.closePopup();
  }

  /** Ends what is being opened, and returns the signal of what is opened next. */
  stop() {
    this.#work.abort();
    this.#work = new AbortController();
    return this.#work.signal;
  }

  /** Ends what is being opened of other tilesets on the map. */
  #stopOthers() {
    for (const { opener } of this.#adapter.neighbours?.adapters ?? []) if (opener !== this) opener?.stop();
  }

  /** Does what a click does.
   * @param {Shown} shown the marker there @param {number} longitude of the click, in the clicked copy of the world */
  async click(shown, longitude) {
    const signal = this.stop(),
      { surface, view, options } = this.#adapter,
      zoom = surface.viewport()?.zoom;
    if (zoom === undefined) return;
    const { marker } = shown,
      place = placeNear(shown, longitude);
    // A filter may leave one point of a cluster, and that point may not have been read.
    this.#stopOthers();
    const isCluster = marker.isCluster || marker.key === marker.whole?.key;
    const target = isCluster ? this.#expansion(marker, zoom) : null;
    if (target) {
      surface.closePopup();
      return this.#adapter.fly(placeNear(target, longitude), target.zoom);
    }
    if (!isSpread(shown.key)) this.fold();
    if (options.popup === false || !view.tileset) return;
    if (isCluster || marker.points) return this.#openPoints(marker, place, zoom, signal);
    this.#tellPoint(marker, place, marker.feature);
  }

  /** Flies to a point, spreads the points at its place, and opens its popup.
   * @param {PointAddress} address
   * @returns {Promise<boolean>} false if there is no such point, if the filter hides it, or if something else was opened in the meantime.
   *   Fails with a TilesetError */
  async open({ id, lngLat }) {
    const adapter = this.#adapter,
      { surface, view } = adapter,
      signal = this.stop();
    if (adapter.isRemoved) return false;
    this.#stopOthers();
    try {
      const tileset = await view.opened({ signal }),
        address = await tileset.find({ id, lngLat }, { signal });
      if (!address || tileset.checked(view.currentFilter)?.matches(address.point) === false) return false;
      const { point, marker, zoom: firstZoom } = address,
        place = placeNear(marker, lngLat[0]);
      this.fold();
      surface.closePopup();
      const zoom = Math.min(Math.max(surface.viewport()?.zoom ?? 0, firstZoom + tileset.zoomOffset), surface.maxZoom());
      const isMarker = (/** @type {Marker} */ other) => (other.points ?? [other]).some(({ key }) => key === marker.key);
      if (!(await this.#fly(place, zoom, signal, () => view.markers.some(isMarker) || !view.isLoading))) return false;
      const shown = view.markers.find(isMarker) ?? marker;
      const found = shown.isCluster || shown.points ? await tileset.points(shown, { limit: Infinity, signal }) : null;
      signal.throwIfAborted();
      const key = markerOf(point).key,
        leg = found?.isExact && this.#spread(shown, found.points, zoom) ? this.#spider?.legs.find((leg) => leg.marker.key === key) : null;
      this.#tellPoint(leg?.marker ?? marker, leg ? placeNear(leg, lngLat[0]) : place, point);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** The drawn marker that is a point or holds it.
   * @param {PointAddress} address @param {AbortSignal} signal @returns {Promise<import("./map-adapter.js").FoundMarker | null>} */
  async find(address, signal) {
    const { view } = this.#adapter,
      tileset = await view.opened({ signal });
    for (;;) {
      const { zoom, currentFilter: filter } = view,
        found = zoom === null ? null : await tileset.markerOf(address, zoom, { filter, signal });
      if (zoom !== view.zoom || filter !== view.currentFilter) continue;
      const marker = found && view.markers.find((other) => (other.points ?? [other]).some(({ key }) => key === found.marker.key));
      return marker ? { marker, isExact: found.isExact } : null;
    }
  }

  /** The points in the window; null if the map has none.
   * @param {ListOptions} options @param {AbortSignal} life of the map @returns {Promise<import("../tileset/points.js").Points | null>} */
  async pointsInView({ limit = 100, near, signal: own }, life) {
    const signal = own ?? life,
      adapter = this.#adapter,
      { view, surface } = adapter,
      tileset = await view.opened({ signal }),
      box = surface.viewport()?.box,
      filter = view.currentFilter;
    if (!box) return null;
    const { points, isExact: isAll } = await tileset.points(box, { limit: Infinity, near, filter, signal });
    if (adapter.isRemoved) return null;
    // A map that has moved meanwhile sends `visible`.
    const isExact = isAll && String(surface.viewport()?.box) === String(box) && view.currentFilter === filter;
    const inside = points.filter(({ geometry }) => {
      const [x, y] = toWorld(...geometry.coordinates);
      return adapter.pixelInWindow({ x, y });
    });
    const shown = adapter.visible.reduce((sum, { count }) => sum + count, 0);
    return { points: inside.slice(0, limit), count: isExact ? inside.length : Math.max(shown, inside.length), isExact };
  }

  /** The drawn markers with the points that are spread, and their legs.
   * @param {Shown[]} shown @returns {[Shown[], Leg[]]} */
  withSpread(shown) {
    if (!this.#spider) return [shown, []];
    const { center, legs } = this.#spider;
    const spread = legs.map(({ marker, x, y }, index) => ({ key: `spread ${index}`, marker, x, y, alpha: 1, isLeaving: false }));
    return [shown.concat(spread), legs.map((leg) => [center, leg])];
  }

  /** Ends the spreading of points that don't fit any more.
   * @param {{ markers?: Marker[], zoom?: number }} now the markers and the zoom of the map */
  foldUnless({ markers, zoom }) {
    if (!this.#spider) return;
    const { center, zoom: own } = this.#spider;
    if ((markers && !markers.some(({ key }) => key === center.key)) || (zoom !== undefined && Math.abs(zoom - own) > 1e-3)) this.fold();
  }

  /** Ends the spreading of points. */
  fold() {
    if (!this.#spider) return;
    this.#spider = null;
    this.#adapter.requestFrame();
  }

  /** Where to go to see a cluster split: as close as all its points are visible together, but at least to where it splits.
   * @param {Marker} marker @param {number} zoom @returns {{ x: number, y: number, zoom: number } | null} null if no zoom shows more of it */
  #expansion(marker, zoom) {
    const { tileset } = this.#adapter.view,
      { expansion_zoom: expansion, coincident } = marker.feature.properties;
    if (!tileset || coincident || expansion === undefined) return null;
    const { x, y, zoom: fitting } = this.#fitting(marker),
      apart = expansion + tileset.zoomOffset;
    const target = Math.min(Math.max(apart, fitting), Math.max(tileset.maxzoom + tileset.zoomOffset, apart), this.#adapter.surface.maxZoom());
    if (target <= zoom + 1e-3) return null;
    return { ...(fitting < apart ? { x: marker.x, y: marker.y } : { x, y }), zoom: target };
  }

  /** The highest whole zoom that shows all points of a marker, and the place in their middle.
   * @param {Marker} marker @returns {{ x: number, y: number, zoom: number }} zoom -Infinity if the points' box is unknown, and Infinity if
   *   they are at one place */
  #fitting(marker) {
    const { view, surface } = this.#adapter,
      box = view.tileset?.box(marker);
    if (!box) return { x: marker.x, y: marker.y, zoom: -Infinity };
    const { x, y, width, height } = rectangleOf(box),
      [mapWidth, mapHeight] = surface.size().map((length) => Math.max(length - 2 * paddingPixels, 1));
    const widest = Math.min(mapWidth / width, mapHeight / height);
    return { x, y, zoom: Math.floor(Math.log2(widest / 256)) };
  }

  /** Flies to a place, and waits for its markers.
   * @param {Place} place @param {number} zoom @param {AbortSignal} signal @param {() => boolean} isThere whether they are there
   * @returns {Promise<boolean>} whether the map has arrived */
  async #fly(place, zoom, signal, isThere) {
    const { surface, isCalm } = this.#adapter,
      [x, y] = toWorld(...place);
    surface.fly(place, zoom, isCalm);
    // Map libraries tell of the ends of their flights in ways that are too different to rely on.
    for (const end = Date.now() + longestFlightMilliseconds; ; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      signal.throwIfAborted();
      this.#adapter.moved(true);
      const viewport = surface.viewport(),
        isLate = Date.now() > end;
      const hasArrived =
        viewport !== null && !surface.isMoving() && Math.abs(viewport.zoom - zoom) < 1e-3 && this.#adapter.pixelInWindow({ x, y }) !== null;
      if (isLate || (hasArrived && isThere())) return hasArrived;
    }
  }

  /** @param {Marker} marker @param {Place} place @param {Feature} point */
  #tellPoint(marker, place, point) {
    this.#tell(
      marker,
      place,
      titleOf(point, this.#adapter.texts),
      (this.#adapter.options.popup || propertyTable)(point) ?? propertyTable(point),
      point,
    );
  }

  /** @param {Marker} marker @param {Place} place @param {string} title @param {Node | string} text @param {Feature | null} [point] */
  #tell(marker, place, title, text, point = null) {
    this.#told = point;
    const { surface, options, overlay } = this.#adapter,
      content = typeof text === "string" ? document.createTextNode(text) : text;
    if (!this.#adapter.send("details", { marker, lngLat: place, title, content }, { cancelable: true }) || options.popup === false) return;
    // Custom popups of points get no title.
    const isOwn = Boolean(options.popup) && !marker.isCluster && !marker.points;
    for (const other of this.#adapter.neighbours?.adapters ?? []) other.surface.closePopup();
    surface.popup(place, popupContent(isOwn ? null : title, content), overlay.heightOf(marker));
  }

  /** Spreads or lists the points of a cluster or a stack.
   * @param {Marker} marker @param {Place} place @param {number} zoom @param {AbortSignal} signal */
  async #openPoints(marker, place, zoom, signal) {
    const { view, options, texts } = this.#adapter,
      { tileset } = view;
    if (!tileset) return;
    let found;
    try {
      found = await tileset.points(marker, { limit: Infinity, signal });
    } catch (/** @type {any} */ error) {
      if (!signal.aborted) this.#adapter.view.report([error]);
      return;
    }
    // The map may have zoomed on while the points were read.
    if (signal.aborted || Math.abs((this.#adapter.surface.viewport()?.zoom ?? NaN) - zoom) > 1e-3) return;
    const { points, isExact, count } = found;
    if (!points.length) return this.#tell(marker, place, titleOf(marker.feature, texts), propertyTable(marker.feature));
    if (!marker.isCluster && !marker.points) return this.#tellPoint(marker, place, points[0]);
    const isAtOnePlace = Boolean(marker.points ?? marker.feature.properties.coincident);
    if (!isAtOnePlace || !isExact || !this.#spread(marker, points, zoom)) {
      const all = texts.pointsText(count),
        listed = points.length < count ? texts.part(texts.countText(points.length), all) : all;
      this.#tell(marker, place, isAtOnePlace ? texts.atOnePlace(listed) : listed, pointList(points, texts, options.popup || undefined));
    }
  }

  /** Spreads points at one place around it, if they are few enough.
   * @param {Marker} marker @param {Feature[]} points all of them @param {number} zoom @returns {boolean} whether it has */
  #spread(marker, points, zoom) {
    if (points.length > (this.#adapter.options.spiderLimit ?? 12)) return false;
    this.#adapter.surface.closePopup();
    const offsets = spiderOffsets(points.length),
      size = 256 * 2 ** zoom;
    const legs = points.map((point, index) => ({
      marker: markerOf(point),
      x: marker.x + offsets[index][0] / size,
      y: marker.y + offsets[index][1] / size,
    }));
    this.#spider = { center: marker, legs, zoom };
    this.#adapter.requestFrame();
    return true;
  }
}

/** The middle of a box on the map, and its size.
 * @param {import("../tileset/geometry.js").Box} box */
function rectangleOf([west, south, east, north]) {
  const [left, top] = toWorld(west, north),
    [right, bottom] = toWorld(east, south),
    width = right < left ? right + 1 - left : right - left;
  return { x: left + width / 2, y: (top + bottom) / 2, width, height: bottom - top };
}
