// The code that all adapters share. Only drawing, flying and popups differ between map libraries.

import { Appearance } from "./appearance.js";
import { listTitle, pointList, popupContent, propertyTable, titleOf } from "./details.js";
import { eastward, toDegrees, toWorld } from "./geometry.js";
import { markerOf } from "./marker.js";
import { MarkerEvent } from "./marker-event.js";
import { MarkerMap } from "./marker-map.js";
import { MarkerScene } from "./marker-scene.js";
import { MarkerView } from "./marker-view.js";
import { spiderOffsets } from "./spider.js";

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {[longitude: number, latitude: number]} Place */
/** @typedef {{ x: number, y: number }[]} Leg a line from a place to one of the points spread around it */
/**
 * @typedef {object} Surface the functions of a map library that its adapter provides. Zooms are for a world 256 pixels wide
 *   at zoom 0.
 * @property {() => { box: Box, zoom: number } | null} viewport the visible box with a margin around it; null while the
 *   map isn't shown
 * @property {(shown: Shown[], legs: Leg[]) => void} draw
 * @property {(place: Place, zoom: number, isCalm: boolean) => void} fly `isCalm`: without an animation
 * @property {(place: Place, content: HTMLElement, radius: number) => void} popup beside a circle with a radius in pixels
 * @property {() => void} closePopup
 * @property {() => number} maxZoom
 * @property {() => void} remove
 */
/**
 * @typedef {object} MapOptions
 * @property {boolean} [animates] whether markers split and merge visibly (default: true, unless the user's system asks for reduced motion)
 * @property {boolean} [popups] whether a click opens a popup (default: true)
 * @property {(point: import("./marker.js").Feature) => Node | string} [popup] the popup's content for a point; a string is
 *   shown as text, not as HTML
 * @property {number} [spiderLimit] up to this many points at one place are spread around it; more are listed (default: 12)
 * @property {any} [library] the map library, if it is not a global variable: `L`, `maplibregl` or `ol`
 */
/** @typedef {MapOptions & import("./appearance.js").AppearanceOptions & import("./marker-view.js").ViewOptions &
 *   import("./tileset.js").TilesetOptions} MarkerMapOptions */

const throttleMilliseconds = 100;
/** With more visible markers than this, points become dots. */
const crowdedMarkers = 5000;
/** The margin in pixels around the visible box: its markers reach into the box, and short pans need no requests. */
export const marginPixels = 60;

/**
 * How far outside a circle a click or a tap counts, in pixels.
 * @param {{ pointerType?: string } | undefined} event of the pointer
 */
export const tolerancePixels = (event) => (event?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches ? 12 : 2);

/**
 * Whether a drawn marker is one of the points spread around their place.
 * @param {string} key
 */
export const isSpread = (key) => key.startsWith("spread ");

/** The markers of a tileset on a map, for the adapters of map libraries. Pages get its `markers`. */
export class MapAdapter {
  /**
   * The drawn markers.
   * @type {Shown[]}
   */
  shown = [];
  /** @type {{ center: Marker, points: Marker[], zoom: number } | null} */ #spider = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #frame = 0;
  #isRemoved = false;
  /** @type {AbortController | null} */ #readingPoints = null;

  /** @param {string | URL | import("./tileset.js").Tileset} source @param {MarkerMapOptions} options @param {Surface} surface */
  constructor(source, options, surface) {
    this.options = { ...options };
    this.surface = surface;
    this.isCalm = options.animates === false || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.appearance = new Appearance(this.options);
    this.scene = new MarkerScene({ milliseconds: this.isCalm ? 0 : 300 });
    this.view = new MarkerView(source, options);
    this.markers = new MarkerMap(this);
    this.view.addEventListener("open", ({ detail }) => {
      this.moved(true);
      this.#send("open", detail);
    });
    this.view.addEventListener("change", ({ detail }) => {
      if (this.#spider && !detail.markers.some(({ key }) => key === this.#spider?.center.key)) this.#fold();
      this.appearance.isCrowded = detail.markers.length > crowdedMarkers;
      this.scene.show(detail, performance.now());
      this.requestFrame();
      this.#send("change", detail);
    });
    this.view.addEventListener("filter", ({ detail }) => { this.#send("filter", detail); });
    this.view.addEventListener("error", ({ detail }) => { this.#send("error", detail); });
    this.view.addEventListener("settled", ({ detail }) => { this.#send("settled", detail); });
  }

  /**
   * @template {keyof import("./marker-map.js").MapEvents} Type
   * @param {Type} type @param {import("./marker-map.js").MapEvents[Type]} detail @param {EventInit} [init]
   * @returns {boolean} false if a listener has called `preventDefault()`
   */
  #send(type, detail, init) { return this.markers.dispatchEvent(new MarkerEvent(type, detail, init)); }

  /**
   * Call this when the map has moved.
   * @param {boolean} [isOver] whether the motion has ended
   */
  moved(isOver = false) {
    if (this.#isRemoved) return;
    if (!isOver) return void (this.#timer ??= setTimeout(() => this.moved(true), throttleMilliseconds));
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.go(this.surface.viewport());
  }

  /**
   * Shows the markers of a viewport.
   * @param {{ box: Box, zoom: number } | null} viewport
   */
  go(viewport) {
    if (!viewport || !this.view.tileset) return;
    const { box, zoom } = viewport;
    if (this.#spider && Math.abs(this.#spider.zoom - zoom) > 1e-3) this.#fold();
    // At zooms where the whole world is smaller than a tile, the first zoom is shown.
    this.view.move(box, Math.max(zoom - this.view.tileset.zoomOffset, 0));
  }

  /** @param {import("./appearance.js").AppearanceOptions} options the ones to change */
  restyle(options) {
    const { isCrowded } = this.appearance;
    this.options = { ...this.options, ...options };
    this.appearance = new Appearance(this.options);
    this.appearance.isCrowded = isCrowded;
    this.requestFrame();
  }

  /** Removes everything from the map; safe after the map was removed, too. */
  remove() {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#readingPoints?.abort();
    this.view.close();
    this.surface.closePopup();
    this.surface.remove();
  }

  // Drawing

  requestFrame() {
    if (this.#isRemoved) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const now = performance.now();
      if (this.scene.isMoving(now)) this.requestFrame();
      this.shown = this.scene.frame(now);
      this.surface.draw(...this.#withSpider());
      this.#send("draw", { shown: this.shown });
    });
  }

  /** @returns {[Shown[], Leg[]]} */
  #withSpider() {
    if (!this.#spider) return [this.shown, []];
    const { center, points, zoom } = this.#spider, size = 256 * 2 ** zoom;
    const offsets = spiderOffsets(points.length);
    this.shown = this.shown.concat(points.map((marker, index) => {
      const [east, south] = offsets[index];
      return { key: `spread ${index}`, marker, x: center.x + east / size, y: center.y + south / size, alpha: 1, isLeaving: false };
    }));
    return [this.shown, this.shown.slice(-points.length).map(({ x, y }) => [{ x: center.x, y: center.y }, { x, y }])];
  }

  // Clicks

  /**
   * The drawn marker at a place, or the nearest one.
   * @param {number} longitude @param {number} latitude
   * @param {number} tolerancePixels how far outside its circle the place may be
   */
  at(longitude, latitude, tolerancePixels) {
    const size = 256 * 2 ** (this.surface.viewport()?.zoom ?? 0), [x, y] = toWorld(longitude, latitude);
    let nearest = null, least = tolerancePixels;
    for (const shown of this.shown) {
      if (shown.isLeaving) continue;
      const distance = Math.hypot(eastward(shown.x, x), shown.y - y) * size - this.appearance.look(shown.marker).radius;
      if (distance <= least) [nearest, least] = [shown, distance];
    }
    return nearest;
  }

  /**
   * Call this when the user has clicked or tapped.
   * @param {Shown | null} shown the marker there @param {number} longitude of the click, in the clicked copy of the world
   */
  async click(shown, longitude) {
    this.#readingPoints?.abort();
    const zoom = this.surface.viewport()?.zoom;
    if (!shown || zoom === undefined) {
      this.#fold();
      return this.surface.closePopup();
    }
    const { marker } = shown;
    if (!this.#send("click", { marker }, { cancelable: true })) return;
    const [ownLongitude, latitude] = toDegrees(shown.x, shown.y);
    const place = /** @type {Place} */ ([ownLongitude + 360 * Math.round((longitude - ownLongitude) / 360), latitude]);
    const { expansion_zoom: expansion, coincident } = marker.feature.properties;
    const target = expansion + (this.view.tileset?.zoomOffset ?? 0);
    // Of some clusters a filter leaves one point that hasn't been read.
    const isCluster = marker.isCluster || marker.key === marker.whole?.key;
    if (isCluster && !coincident && expansion !== undefined && target > zoom + 1e-3 && zoom + 1e-3 < this.surface.maxZoom()) {
      this.surface.closePopup();
      return this.surface.fly(place, Math.min(target, this.surface.maxZoom()), this.isCalm);
    }
    if (!isSpread(shown.key)) this.#fold();
    if (this.options.popups === false) return;
    if (isCluster || marker.points) return this.#openPoints(marker, place, zoom);
    this.#tellPoint(marker, place, marker.feature);
  }

  /** @param {Marker} marker @param {Place} place @param {import("./marker.js").Feature} point */
  #tellPoint(marker, place, point) { this.#tell(marker, place, titleOf(point), this.options.popup?.(point) ?? propertyTable(point)); }

  /**
   * @param {Marker} marker @param {Place} place @param {string} title @param {Node | string} text
   */
  #tell(marker, place, title, text) {
    const content = typeof text === "string" ? document.createTextNode(text) : text;
    if (!this.#send("details", { marker, place, title, content }, { cancelable: true })) return;
    // Custom popups of points get no title.
    const isOwn = Boolean(this.options.popup) && !marker.isCluster && !marker.points;
    this.surface.popup(place, popupContent(isOwn ? null : title, content), this.appearance.look(marker).radius);
  }

  /**
   * Spreads or lists the points of a cluster or a stack.
   * @param {Marker} marker @param {Place} place @param {number} zoom
   */
  async #openPoints(marker, place, zoom) {
    const { tileset } = this.view, abort = (this.#readingPoints = new AbortController());
    if (!tileset) return;
    const read = (/** @type {number} */ page) => tileset.leaves(marker, { page, signal: page ? undefined : abort.signal });
    let leaves;
    try {
      leaves = await read(0);
    } catch (/** @type {any} */ error) {
      if (!abort.signal.aborted) this.#send("error", { error });
      return;
    }
    if (abort.signal.aborted || this.#isRemoved) return;
    if (!leaves.points.length) return this.#tell(marker, place, titleOf(marker.feature), propertyTable(marker.feature));
    if (!marker.isCluster && !marker.points) return this.#tellPoint(marker, place, leaves.points[0]);
    const isAtOnePlace = Boolean(marker.points ?? marker.feature.properties.coincident);
    if (!isAtOnePlace || leaves.total < marker.count || marker.count > (this.options.spiderLimit ?? 12)) {
      return this.#tell(marker, place, listTitle(marker.count, leaves.total, isAtOnePlace), pointList(leaves, read, this.options.popup));
    }
    this.surface.closePopup();
    this.#spider = { center: marker, points: leaves.points.map(markerOf), zoom };
    this.requestFrame();
  }

  /** Ends the spreading of points. */
  #fold() {
    if (!this.#spider) return;
    this.#spider = null;
    this.requestFrame();
  }
}
