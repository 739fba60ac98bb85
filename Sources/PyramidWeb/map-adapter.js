// The code that all adapters share. Only drawing, flying and popups differ between map libraries.

import { Appearance } from "./appearance.js";
import { eastward, toWorld } from "./geometry.js";
import { MarkerEvent } from "./marker-event.js";
import { MarkerMap } from "./marker-map.js";
import { MarkerOpener } from "./marker-opener.js";
import { MarkerScene } from "./marker-scene.js";
import { MarkerView } from "./marker-view.js";

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {[longitude: number, latitude: number]} Place */
/**
 * @typedef {object} Surface the functions of a map library that its adapter provides. Zooms are for a world 256 pixels wide
 *   at zoom 0.
 * @property {() => { box: Box, zoom: number } | null} viewport the visible box with a margin around it; null while the
 *   map isn't shown
 * @property {(shown: Shown[], legs: import("./marker-opener.js").Leg[]) => void} draw
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

/**
 * How far outside a circle a click or a tap counts, in pixels.
 * @param {{ pointerType?: string } | undefined} event of the pointer
 */
export const tolerancePixels = (event) => (event?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches ? 12 : 2);

/** The markers of a tileset on a map, for the adapters of map libraries. Pages get its `markers`. */
export class MapAdapter {
  /**
   * The drawn markers.
   * @type {Shown[]}
   */
  shown = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #frame = 0;
  #isRemoved = false;

  /** @param {string | URL | import("./tileset.js").Tileset} source @param {MarkerMapOptions} options @param {Surface} surface */
  constructor(source, options, surface) {
    this.options = { ...options };
    this.surface = surface;
    this.isCalm = options.animates === false || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.appearance = new Appearance(this.options);
    this.scene = new MarkerScene({ milliseconds: this.isCalm ? 0 : 300 });
    this.view = new MarkerView(source, options);
    this.opener = new MarkerOpener(this);
    this.markers = new MarkerMap(this);
    this.view.addEventListener("open", ({ detail }) => {
      this.moved(true);
      this.send("open", detail);
    });
    this.view.addEventListener("change", ({ detail }) => {
      this.opener.foldUnless(detail);
      this.appearance.isCrowded = detail.markers.length > crowdedMarkers;
      this.scene.show(detail, performance.now());
      this.requestFrame();
      this.send("change", detail);
    });
    this.view.addEventListener("filter", ({ detail }) => { this.send("filter", detail); });
    this.view.addEventListener("loading", ({ detail }) => { this.send("loading", detail); });
    this.view.addEventListener("error", ({ detail }) => { this.send("error", detail); });
    this.view.addEventListener("settled", ({ detail }) => { this.send("settled", detail); });
  }

  /**
   * @template {keyof import("./marker-map.js").MapEvents} Type
   * @param {Type} type @param {import("./marker-map.js").MapEvents[Type]} detail @param {EventInit} [init]
   * @returns {boolean} false if a listener has called `preventDefault()`
   */
  send(type, detail, init) { return this.markers.dispatchEvent(new MarkerEvent(type, detail, init)); }

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
    this.opener.foldUnless({ zoom });
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
    this.opener.stop();
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
      const [shown, legs] = this.opener.withSpread(this.scene.frame(now));
      this.shown = shown;
      this.surface.draw(shown, legs);
      this.send("draw", { shown: this.shown });
    });
  }

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
  click(shown, longitude) { return this.opener.click(shown, longitude); }
}
