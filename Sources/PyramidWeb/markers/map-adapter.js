// The code that all adapters share. Only drawing, flying and popups differ between map libraries.

import { Appearance, distanceAt } from "./appearance.js";
import { attributionOf } from "./attribution.js";
import { isCoarse } from "./elements.js";
import { eastward, placeNear, toDegrees, toWorld } from "../tileset/geometry.js";
import { Hover } from "./hover.js";
import { LoadingBar } from "./loading-bar.js";
import { MarkerMap } from "./marker-map.js";
import { MarkerScene } from "./marker-scene.js";
import { MarkerView } from "./marker-view.js";
import { Neighbours } from "./neighbours.js";
import { Overlay } from "./overlay.js";
import { pixelsOutside } from "./sprite.js";
import { textsOf } from "./texts.js";
import { loaded } from "../tileset/requests.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("../tileset/geometry.js").Box} Box */
/** @typedef {[longitude: number, latitude: number]} Place */
/** @typedef {import("../tileset/points.js").PointAddress} PointAddress */
/** @typedef {{ marker: Marker, isExact: boolean }} FoundMarker `isExact`: whether it is certain that it holds the point */
/** @typedef {{ top: number, right: number, bottom: number, left: number }} Sides in pixels */
/** @typedef {object} FitOptions
 * @property {number | Partial<Sides>} [padding] the space between the points and the map's edges, in pixels (default: 40)
 * @property {number} [maxZoom] the highest zoom of the map (default: the tileset's last zoom)
 * @property {boolean} [animate] whether the map moves gradually (default: true) */
/** @typedef {object} Surface the functions of a map library that its adapter provides. Zooms are for a world 256 pixels wide
 *   at zoom 0.
 * @property {() => { box: Box, zoom: number } | null} viewport the visible box with a margin around it; null while the
 *   map isn't shown
 * @property {(shown: Shown[], legs: import("./marker-opener.js").Leg[]) => void} draw
 * @property {(place: Place, zoom: number, isCalm: boolean) => void} fly `isCalm`: without an animation
 * @property {() => { enable(): void, disable(): void } | null} [doubleClickZoom] what zooms at a double click; null if that is off
 * @property {(place: Place, content: HTMLElement, height: number) => void} popup above a marker; `height`: from its place to its upper edge, in pixels
 * @property {() => void} closePopup
 * @property {() => [width: number, height: number]} size of the map's element in pixels, 0 while it is hidden
 * @property {() => Element} container the element that has this size
 * @property {() => void} measure lets the library know of another size
 * @property {() => boolean} isMoving whether the map flies or is dragged
 * @property {(event: any, tolerancePixels: number) => Shown | null} hitAt the drawn marker at or near a mouse event of the library
 * @property {(box: Box, options: { padding: Sides, maxZoom: number, isCalm: boolean }) => Promise<void>} fit shows a box and a padding in
 *   pixels around it; `maxZoom` is one of the library's own zooms
 * @property {(zoom: number) => number} ownZoom the library's own zoom
 * @property {(x: number, y: number) => [x: number, y: number] | null} pixelOf where a place is on the screen, from the map's corner: `x` 0 to 1 in
 *   the first copy of the world, 1 to 2 in the next one to the east; null if the map can't show it, as on the far side of a globe
 * @property {() => number} middle the `x` of the map's centre
 * @property {(html: string) => void} attribute shows an attribution that wasn't known before
 * @property {() => number} maxZoom
 * @property {() => void} remove */
/** @typedef {object} MapOptions
 * @property {boolean} [animate] whether markers split and merge visibly (default: true, unless the user's system asks for reduced motion)
 * @property {false | ((point: import("../tileset/marker.js").Feature) => Node | string)} [popup] the popup's content for a point; a string is
 *   shown as text, not as HTML. `false`: a click opens no popup
 * @property {number} [spiderLimit] the most points at one place that are spread around it; more are listed (default: 12)
 * @property {(marker: Marker) => HTMLElement | null | undefined} [element] an HTML element in place of the drawn circle, centred at the marker.
 *   It is made again if the marker's content changes
 * @property {boolean} [fit] whether the map shows all points at first (default: false)
 * @property {boolean} [keyboard] whether markers can be reached by keyboard and screen reader (default: true)
 * @property {boolean} [loadingBar] whether a bar at the map's upper edge shows that files are loading (default: true)
 * @property {Partial<import("./texts.js").Texts>} [texts] what the map and its legend say, also to screen readers (default: English)
 * @property {any} [library] the map library, if it is not a global variable: `L`, `maplibregl` or `ol` */
/** @typedef {MapOptions & import("./appearance.js").AppearanceOptions & import("./marker-view.js").ViewOptions &
 *   import("../tileset/tileset.js").TilesetOptions} MarkerMapOptions */

const throttleMilliseconds = 100;
/** With more visible markers than this, points become dots. */
const crowdedMarkers = 5000;
const defaultPadding = 40;
/** The longest time between the clicks of a double click. */
const doubleClickMilliseconds = 500;
/** A map may make a double click of two clicks itself. */
const clicks = ["click", "dblclick"];
/** Where maps end. */
const edgeLatitude = 85.0511;

/** The map library that an adapter uses.
 * @param {MarkerMapOptions} options @param {string} name of its global variable @param {string} part that it has @returns {any} */
export function libraryOf(options, name, part) {
  const library = options.library ?? /** @type {any} */ (globalThis)[name];
  if (!library?.[part]) throw new TypeError(`there is no global ${name}: pass the module as the option library`);
  return library;
}

/** Refuses maps in other projections, where markers would be at wrong places.
 * @param {string | undefined} code of the map's projection */
export function expectMercator(code) {
  if (!/(3857|900913|102100|102113)$/.test(code ?? ""))
    throw new TypeError(`the map's projection is ${code ?? "unknown"}: markers need Web Mercator, EPSG:3857`);
}

/** How far outside a circle a click or a tap counts, in pixels.
 * @param {{ pointerType?: string } | undefined} event of the pointer */
export const tolerancePixels = (event) => (event?.pointerType === "touch" || isCoarse() ? 14 : 2);

/** @param {[x: number, y: number]} pixel @param {[width: number, height: number]} size */
const isInside = (pixel, size) => size.every((length, axis) => length > 0 && pixel[axis] >= 0 && pixel[axis] <= length);

/** The markers of a tileset on a map, for the adapters of map libraries. Pages get its `markers`. */
export class MapAdapter {
  /** The drawn markers.
   * @type {Shown[]} */
  shown = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #frame = 0;
  /** Counts what is to be opened: the last one counts. */ #turn = 0;
  /** @type {Marker[] | null} */ #visible = null;
  isRemoved = false;
  /** Ends when the markers are removed. */ #life = new AbortController();
  /** @type {Hover | null} */ hover = null;
  /** @type {Neighbours | null} */ neighbours = null;
  /** @type {LoadingBar | null} */ #bar = null;
  /** @type {import("./marker-opener.js").MarkerOpener | null} null until a marker is opened */ opener = null;
  /** @type {AbortController | null} */ #fitting = null;
  /** @type {AbortController | null} */ #attached = null;
  /** @type {number | undefined} when the last click was, as the browser times events */ #clicked;
  /** @type {number | undefined} when the last click was that flew to a cluster */ #flew;
  /** @type {(() => void) | null} to where the last click flew */ #flight = null;
  /** Whether nothing is read yet, because the map will show another place. */ #isHeld;
  /** The key of the marker that the keyboard has reached.
   * @type {string | null} */
  focused = null;
  /** @type {PointAddress | null} what the page has selected */ #selection = null;
  /** Counts selections: the last one counts. */ #selecting = 0;
  /** The marker that is or holds the selected point.
   * @type {Marker | null} */
  selected = null;
  /** The tileset's attribution as harmless HTML; empty until the tileset is open. */ attribution = "";

  /** @param {string | URL | import("../tileset/tileset.js").Tileset} source @param {MarkerMapOptions} options @param {Surface} surface */
  constructor(source, options, surface) {
    this.options = { ...options };
    this.surface = surface;
    this.isCalm = options.animate === false || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.texts = textsOf(options.texts);
    this.appearance = new Appearance(this.options, () => this.requestFrame(), this.texts.labelText);
    this.scene = new MarkerScene({ milliseconds: this.isCalm ? 0 : 300 });
    this.view = new MarkerView(source, options);
    this.markers = new MarkerMap(this);
    this.overlay = new Overlay(this);
    this.#isHeld = options.fit === true;
    if (options.fit)
      this.fit(null, { animate: false }, null).finally(() => {
        this.#isHeld = false;
        this.moved(true);
      });
    this.view.addEventListener("open", ({ detail }) => {
      this.attribution = attributionOf(detail.tileset.tileJSON.attribution);
      if (this.attribution) this.surface.attribute(this.attribution);
      this.moved(true);
      this.send("open", detail);
    });
    this.view.addEventListener("change", ({ detail }) => {
      this.#visible = null;
      this.opener?.foldUnless({ markers: detail.markers });
      this.appearance.suit(detail.markers.length > crowdedMarkers, distanceAt(this.view.tileset?.tileJSON ?? {}, detail.zoom));
      this.scene.show(detail, performance.now());
      this.requestFrame();
      // The selected point may be in another marker now.
      if (this.#selection) this.select(this.#selection).catch((error) => this.view.report([error]));
      this.send("change", detail);
      this.#sendVisible();
    });
    this.view.addEventListener("filter", ({ detail }) => {
      this.opener?.closeUnless(detail.filter);
      this.send("filter", detail);
    });
    this.view.addEventListener("loading", ({ detail }) => {
      this.#bar?.show(detail.isLoading);
      this.send("loading", detail);
    });
    this.view.addEventListener("error", (event) => {
      if (!this.send("error", event.detail, { cancelable: true })) event.preventDefault();
    });
    this.view.addEventListener("settled", ({ detail }) => {
      if (this.isMoving) this.#draw();
      this.send("settled", detail);
      this.#sendVisible();
    });
  }

  /** Aborted when the markers are removed. */
  get life() {
    return this.#life.signal;
  }

  /** @template {keyof import("./marker-map.js").MapEvents} Type
   * @param {Type} type @param {import("./marker-map.js").MapEvents[Type]} detail @param {EventInit} [init]
   * @returns {boolean} false if a listener has called `preventDefault()` */
  send(type, detail, init) {
    return this.markers.dispatchEvent(new CustomEvent(type, { ...init, detail }));
  }

  /** Call this when the map has moved.
   * @param {boolean} [isOver] whether the motion has ended */
  moved(isOver = false) {
    if (this.isRemoved) return;
    if (!isOver) return void (this.#timer ??= setTimeout(() => this.moved(true), throttleMilliseconds));
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.go(this.surface.viewport());
    this.#sendVisible();
  }

  /** The markers of the view whose place is in the window. */
  get visible() {
    if (this.isRemoved) return [];
    const size = this.surface.size();
    return (this.#visible ??= this.view.current.filter((marker) => this.pixelInWindow(marker, size)));
  }

  /** Whether clusters may have points on the other side of the window's edge. */
  get isAbout() {
    if (this.isRemoved) return false;
    const size = this.surface.size(),
      isOut = (/** @type {number} */ x, /** @type {number} */ y) => !this.pixelInWindow({ x, y }, size);
    return this.view.current.some((marker) => {
      if (!marker.isCluster) return false;
      const [west, south, east, north] = this.view.tileset?.box(marker) ?? [-180, -90, 180, 90],
        [[left, top], [right, bottom]] = [toWorld(west, north), toWorld(east, south)],
        isAway = isOut(marker.x, marker.y);
      return [left, right].some((x) => isOut(x, top) !== isAway || isOut(x, bottom) !== isAway);
    });
  }

  #sendVisible() {
    this.#visible = null;
    const visible = () => this.visible;
    this.send("visible", {
      get markers() {
        return visible();
      },
    });
  }

  /** Where a place is on the screen, in the copy of the world that is in the window, or else in the one next to the map's centre.
   * @param {{ x: number, y: number }} place 0 to 1 @returns {[x: number, y: number] | null} null if the map can't show it */
  pixelOf({ x, y }, size = this.surface.size()) {
    const { surface } = this,
      middle = surface.middle(),
      near = middle + eastward(middle, x);
    const pixels = [0, near > middle ? -1 : 1].map((copy) => surface.pixelOf(near + copy, y));
    return pixels.find((pixel) => pixel && isInside(pixel, size)) ?? pixels[0];
  }

  /** The same, but null if the place isn't in the window.
   * @param {{ x: number, y: number }} place */
  pixelInWindow(place, size = this.surface.size()) {
    const pixel = this.pixelOf(place, size);
    return pixel && isInside(pixel, size) ? pixel : null;
  }

  /** @returns {{ shown: Shown, pixel: [x: number, y: number] }[]} the drawn markers in the window, from bottom to top */
  inWindow() {
    if (this.isRemoved) return [];
    const size = this.surface.size();
    return this.shown.flatMap((shown) => {
      const pixel = shown.isLeaving ? null : this.pixelInWindow(shown, size);
      return pixel ? [{ shown, pixel }] : [];
    });
  }

  /** Shows the markers of a viewport.
   * @param {{ box: Box, zoom: number } | null} viewport */
  go(viewport) {
    if (!viewport || !this.view.tileset || this.#isHeld) return;
    const { box, zoom } = viewport;
    this.opener?.foldUnless({ zoom });
    // At zooms where the whole world is smaller than a tile, the first zoom is shown.
    this.view.move(box, Math.max(zoom - this.view.tileset.zoomOffset, 0));
  }

  /** @param {import("./appearance.js").AppearanceOptions & Pick<MapOptions, "element">} options the ones to change */
  restyle(options) {
    this.options = { ...this.options, ...options };
    this.appearance.restyle(this.options);
    this.overlay.clear();
    this.requestFrame();
  }

  /** Moves the map so that it shows the points of a marker, those that match the filter, or all.
   * @param {Marker | null} marker @param {FitOptions} options @param {import("../tileset/filter.js").FilterInput} [filter] */
  async fit(marker, options = {}, filter = this.view.currentFilter) {
    this.#fitting?.abort();
    if (this.isRemoved) return;
    const { signal } = (this.#fitting = new AbortController());
    try {
      const extent = marker || filter ? null : loaded(String(this.view.source), () => import("../tileset/extent.js")),
        [tileset, extents] = await Promise.all([this.view.opened({ signal }), extent]);
      const box = marker ? tileset.box(marker) : await (extents?.extentOf(tileset, { signal }) ?? tileset.extent({ filter, signal }));
      await this.#sized(signal);
      if (box && !signal.aborted) await this.#fitTo(box, options);
    } catch (error) {
      if (!signal.aborted) this.view.report([error]);
    }
  }

  /** @param {Box} box @param {FitOptions} options */
  async #fitTo([west, south, east, north], { padding = defaultPadding, maxZoom, animate = true }) {
    const { minzoom, maxzoom, zoomOffset } = /** @type {import("../tileset/tileset.js").Tileset} */ (this.view.tileset),
      sides = typeof padding === "number" ? {} : padding;
    const [width, height] = this.surface.size(),
      rest = typeof padding === "number" ? padding : defaultPadding;
    // More padding than that would leave no room on a small map.
    const side = (/** @type {keyof Sides} */ name, /** @type {number} */ length) => Math.min(sides[name] ?? rest, length * 0.4);
    const latitude = (/** @type {number} */ degrees) => Math.min(Math.max(degrees, -edgeLatitude), edgeLatitude);
    await this.surface.fit([west, latitude(south), east, latitude(north)], {
      padding: { top: side("top", height), right: side("right", width), bottom: side("bottom", height), left: side("left", width) },
      maxZoom: maxZoom ?? this.surface.ownZoom(maxzoom + zoomOffset),
      isCalm: this.isCalm || !animate,
    });
    // At lower zooms than the first one there is nothing to see.
    const viewport = this.surface.viewport();
    if (minzoom && viewport && viewport.zoom < minzoom + zoomOffset && !this.isRemoved) {
      const [left, top] = toWorld(viewport.box[0], viewport.box[3]),
        [right, bottom] = toWorld(viewport.box[2], viewport.box[1]);
      this.surface.fly(toDegrees((left + right) / 2, (top + bottom) / 2), minzoom + zoomOffset, true);
    }
  }

  /** Waits until the map has a size, which hidden ones don't have.
   * @param {AbortSignal} signal */
  async #sized(signal) {
    const { surface } = this,
      hasSize = () => surface.size().every((length) => length > 0);
    if (hasSize()) return;
    await new Promise((done) => {
      const observer = new ResizeObserver(() => {
        if (hasSize()) done(observer.disconnect());
      });
      observer.observe(surface.container());
      signal.addEventListener("abort", () => done(observer.disconnect()), { once: true });
    });
    if (!signal.aborted) surface.measure();
  }

  /** Gives up a `fit` that is still reading. */
  stopFitting() {
    this.#fitting?.abort();
    this.#isHeld = false;
  }

  /** Call this with the map's elements when the layer comes onto the map.
   * @param {import("./keyboard.js").Host} host */
  attach(host) {
    this.detach();
    const { signal } = (this.#attached = new AbortController());
    for (const type of clicks) host.container.addEventListener(type, this.#holdDoubleClick, { capture: true, signal });
    host.container.addEventListener("pointerover", () => this.#loadedOpener().catch(() => {}), { once: true, signal });
    this.overlay.attach(host.pane);
    this.hover = new Hover(this, host.container);
    this.neighbours = Neighbours.join(this, host);
    if (this.options.loadingBar !== false) this.#bar = new LoadingBar(host.container);
    this.#bar?.show(this.view.isLoading);
  }

  /** Call this when the layer leaves the map. */
  detach() {
    this.#attached?.abort();
    this.hover?.remove();
    this.overlay.attach(null);
    this.neighbours?.leave(this);
    this.#bar?.remove();
    this.hover = this.neighbours = this.#bar = null;
  }

  /** Removes everything from the map; safe after the map was removed, too. */
  remove() {
    if (this.isRemoved) return;
    this.isRemoved = true;
    this.#turn += 1;
    this.#life.abort();
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.stopFitting();
    this.opener?.stop();
    this.view.close();
    this.surface.closePopup();
    this.surface.remove();
    this.detach();
  }

  // Drawing

  /** Whether a frame is still to be drawn, as always while markers move. */
  get isMoving() {
    return this.#frame !== 0;
  }

  requestFrame() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    if (this.isRemoved) return;
    const now = performance.now();
    if (this.scene.isMoving(now)) this.requestFrame();
    const drawn = this.scene.frame(now),
      [shown, legs] = this.opener?.withSpread(drawn) ?? [drawn, []];
    this.shown = shown;
    this.surface.draw(this.overlay.show(shown, { focused: this.focused, selected: this.selected?.key ?? null }), legs);
    this.hover?.check(shown);
    this.send("draw", { shown: this.shown });
  }

  // Pointer and keyboard

  /** The marker whose HTML element is the target of an event.
   * @param {Event | undefined} event @returns {Shown | null} */
  withElement(event) {
    const key = this.overlay.keyAt(event?.target);
    return key === undefined ? null : (this.shown.find((shown) => shown.key === key && !shown.isLeaving) ?? null);
  }

  /** Moves the keyboard's ring.
   * @param {string | null} key of a drawn marker; null for none */
  focus(key) {
    if (this.focused === key) return;
    this.focused = key;
    this.requestFrame();
  }

  /** Marks a point, or the cluster that holds it.
   * @param {PointAddress | null} address null for none @returns {Promise<FoundMarker | null>} see `find` */
  async select(address) {
    const turn = ++this.#selecting;
    if (this.#selection !== address) this.#mark(null);
    this.#selection = address?.lngLat ? address : null;
    const found = address && (await this.find(address));
    if (turn === this.#selecting) this.#mark(found?.marker ?? null);
    return found;
  }

  /** @param {Marker | null} marker the one to mark */
  #mark(marker) {
    if (marker !== this.selected) this.requestFrame();
    this.selected = marker;
  }

  /** See `MarkerMap.find`.
   * @param {PointAddress} address @returns {Promise<FoundMarker | null>} */
  async find(address) {
    return this.#unlessRemoved(null, async (life) => (await this.#loadedOpener()).find(address, life));
  }

  /** See `MarkerMap.pointsInView`.
   * @param {import("./marker-opener.js").ListOptions} options @returns {Promise<import("../tileset/points.js").Points>} */
  async pointsInView(options = {}) {
    const none = { points: [], count: 0, isExact: false };
    return this.#unlessRemoved(none, async (life) => (await (await this.#loadedOpener()).pointsInView(options, life)) ?? none);
  }

  /** What is read for the map, until it is removed.
   * @template Result
   * @param {Result} otherwise @param {(signal: AbortSignal) => Promise<Result>} read */
  async #unlessRemoved(otherwise, read) {
    try {
      return this.isRemoved ? otherwise : await read(this.life);
    } catch (error) {
      if (this.isRemoved) return otherwise;
      throw error;
    }
  }

  /** The marker at a mouse event, of any of the tilesets on the map.
   * @param {any} event of the map library */
  pointed(event) {
    return this.neighbours?.at(event, tolerancePixels(event.originalEvent)) ?? null;
  }

  /** The marker of this tileset at a mouse event, unless another tileset has one there.
   * @param {any} event of the map library */
  shownAt(event) {
    const pointed = this.pointed(event);
    return pointed?.adapter === this ? pointed.shown : null;
  }

  /** Call this when the pointer has moved.
   * @param {any} event of the map library @param {number} longitude of the pointer, in its copy of the world @returns {string} the cursor */
  point(event, longitude) {
    this.hover?.move(this.shownAt(event), longitude);
    return this.pointed(event) ? "pointer" : "";
  }

  /** Call this when the user has clicked or tapped: the ring is for the keyboard.
   * @param {any} event of the map library @param {number} longitude see `click` */
  tap(event, longitude) {
    // The second click of a double click: some maps stop when the button goes down.
    if (this.#isSecondClick(event.originalEvent)) return this.#flight?.();
    this.#flight = null;
    const shown = this.shownAt(event);
    this.focus(null);
    this.#clicked = event.originalEvent?.timeStamp;
    this.click(shown, longitude, event.originalEvent);
  }

  /** Flies on, to the place of the last click.
   * @param {Place} place @param {number} zoom */
  fly(place, zoom) {
    this.#flew = this.#clicked;
    this.#flight = () => this.surface.fly(place, zoom, this.isCalm);
    this.#flight();
  }

  /** Whether an event belongs to the second click of a double click on a cluster. A busy page gets both late, so their own times count.
   * @param {Event | undefined} event */
  #isSecondClick(event) {
    const time = (event?.timeStamp ?? NaN) - (this.#flew ?? NaN);
    return event instanceof UIEvent && event.detail > 1 && time > 0 && time < doubleClickMilliseconds;
  }

  /** @param {Event} event */
  #holdDoubleClick = (event) => {
    const handler = this.#isSecondClick(event) ? this.surface.doubleClickZoom?.() : null;
    if (!handler) return;
    handler.disable();
    setTimeout(() => handler.enable());
  };

  /** The drawn marker at a place, or the nearest one.
   * @param {number} longitude @param {number} latitude @param {number} tolerancePixels how far outside its circle the place may be */
  at(longitude, latitude, tolerancePixels) {
    const size = 256 * 2 ** (this.surface.viewport()?.zoom ?? 0),
      [x, y] = toWorld(longitude, latitude);
    let nearest = null,
      least = tolerancePixels;
    for (const shown of this.shown) {
      if (shown.isLeaving) continue;
      const distance = pixelsOutside(this.appearance.look(shown.marker), eastward(shown.x, x) * size, (y - shown.y) * size);
      if (distance <= least) [nearest, least] = [shown, distance];
    }
    return nearest;
  }

  /** Does what a click does.
   * @param {Shown | null} shown the marker there
   * @param {number} [longitude] of the click, in the clicked copy of the world (default: the copy next to the map's centre)
   * @param {Event | null} [originalEvent] of the browser */
  async click(shown, longitude, originalEvent = null) {
    const turn = ++this.#turn;
    if (this.isRemoved) return;
    if (!shown || !this.surface.viewport()) return this.opener?.close();
    const near = longitude ?? toDegrees(this.surface.middle(), 0)[0];
    this.opener?.stop();
    if (!this.send("click", { marker: shown.marker, lngLat: placeNear(shown, near), originalEvent }, { cancelable: true })) return;
    return this.#loadedOpener().then(
      (opener) => (turn === this.#turn ? opener.click(shown, near) : undefined),
      (error) => this.view.report([error]),
    );
  }

  /** See `MarkerMap.open`.
   * @param {import("./marker-opener.js").PointAddress} address @returns {Promise<boolean>} */
  async open(address) {
    const turn = ++this.#turn;
    this.stopFitting();
    const opener = await this.#loadedOpener();
    return turn === this.#turn && opener.open(address);
  }

  /** What opens markers, which is loaded when the pointer is first on the map, or when it is needed. */
  async #loadedOpener() {
    const { MarkerOpener } = await loaded(String(this.view.tileset?.url ?? this.view.source), () => import("./marker-opener.js"));
    return (this.opener ??= new MarkerOpener(this));
  }
}
