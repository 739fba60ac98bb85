// A canvas on a Leaflet map.

import { toDegrees, toWorld } from "../tileset/geometry.js";
import { eased } from "../markers/marker-scene.js";

/** @typedef {{ x: number, y: number, size: number }} Sight the centre of the map, 0 to 1, and the world's width in pixels */
/** @typedef {(sight: Sight) => [from: number, to: number]} Limits the part of the map to draw, which repeats the world to
 *   both sides: 0 is the antimeridian, 1 the next one to the east */
/** @typedef {Sight & { left: number, top: number, width: number, height: number, ratio: number, from: number, to: number }} Area
 *   the drawn area: the map's corner and its size in pixels, the device pixels per CSS pixel, and the `Limits` */

/** The easing of Leaflet's zoom, which takes 250 ms. */
const zoomMilliseconds = 250;

/** The same for all that is drawn in a frame. */
const frameTime = () => Number(document.timeline?.currentTime ?? performance.now());

/** A canvas that is redrawn while the map zooms, so it stays sharp. Its margin saves redrawing for short pans. */
export class LeafletCanvas {
  /** @type {{ from: Sight, to: Sight, start: number } | null} */ #zooming = null;
  /** The area that was drawn last.
   * @type {Area | null} */
  area = null;

  /** @param {any} map @param {any} library Leaflet's `L`
   * @param {{ pane: string, zIndex: number, margin: number, limits?: Limits }} options `margin`: in pixels around the map */
  constructor(map, library, { pane, zIndex, margin, limits = () => [-Infinity, Infinity] }) {
    this.map = map;
    this.library = library;
    this.margin = margin;
    this.limits = limits;
    this.layerPane = { pane, zIndex };
    this.canvas = document.createElement("canvas");
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.canvas.style.position = "absolute";
    const stop = () => (this.#zooming = null);
    this.listeners = {
      zoomanim: (/** @type {any} */ { center, zoom }) => (this.#zooming = { from: this.sight, to: this.sightOf(center, zoom), start: frameTime() }),
      moveend: stop,
      viewreset: stop,
    };
  }

  add() {
    const { pane: name, zIndex } = this.layerPane,
      pane = this.map.getPane(name) ?? this.map.createPane(name);
    Object.assign(pane.style, { zIndex, pointerEvents: "none" });
    pane.append(this.canvas);
    this.map.on(this.listeners);
  }

  remove() {
    this.map.off(this.listeners);
    this.canvas.remove();
    this.#zooming = this.area = null;
  }

  get isZooming() {
    return this.#zooming !== null;
  }

  /** The map's destination while it zooms, else where it is. */
  get target() {
    return this.#zooming?.to ?? this.sightOf(this.map.getCenter(), this.map.getZoom());
  }

  /** The map's current centre and size, also during a zoom.
   * @returns {Sight} */
  get sight() {
    if (!this.#zooming) return this.target;
    const { from, to, start } = this.#zooming,
      t = eased(Math.min(Math.max((frameTime() - start) / zoomMilliseconds, 0), 1));
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * t,
      size = mix(from.size, to.size);
    return { x: mix(from.x * from.size, to.x * to.size) / size, y: mix(from.y * from.size, to.y * to.size) / size, size };
  }

  /** @param {any} center @param {number} zoom @returns {Sight} */
  sightOf(center, zoom) {
    const [x, y] = toWorld(center.lng, center.lat);
    return { x, y, size: 256 * 2 ** zoom };
  }

  /** The box of the map and a margin around it.
   * @param {Sight} sight @param {number} marginPixels @returns {import("../tileset/geometry.js").Box} */
  boxOf({ x, y, size }, marginPixels) {
    const { x: width, y: height } = this.map.getSize(),
      halfWidth = (width / 2 + marginPixels) / size,
      halfHeight = (height / 2 + marginPixels) / size;
    const [west, north] = toDegrees(x - halfWidth, y - halfHeight),
      [east, south] = toDegrees(x + halfWidth, y + halfHeight);
    return [west, south, east, north];
  }

  /** Whether the map shows more than the drawn area. */
  get isStale() {
    const { area, sight } = this;
    const isFar = (/** @type {number} */ distance) => Math.abs(distance) * sight.size > this.margin;
    return !area || area.size !== sight.size || isFar(sight.x - area.x) || isFar(sight.y - area.y);
  }

  /** Clears the canvas and makes it as large as the map. 0, 0 is the map's corner.
   * @returns {Area} */
  begin() {
    const { canvas, context, map, margin, sight } = this,
      { x: width, y: height } = map.getSize();
    const ratio = Math.min(devicePixelRatio || 1, 2),
      wide = width + 2 * margin,
      high = height + 2 * margin;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
      [canvas.style.width, canvas.style.height] = [`${wide}px`, `${high}px`];
    }
    this.library.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([-margin, -margin]));
    context.setTransform(ratio, 0, 0, ratio, margin * ratio, margin * ratio);
    context.clearRect(-margin, -margin, wide, high);
    const [from, to] = this.limits(sight),
      left = sight.x - width / 2 / sight.size,
      top = sight.y - height / 2 / sight.size;
    return (this.area = { ...sight, left, top, width, height, ratio, from, to });
  }

  /** Calls `body` for every copy of the world in which a place is drawn.
   * @param {number} x @param {number} half its width to each side in pixels @param {(pixelX: number) => void} body */
  copies(x, half, body) {
    if (!this.area) return;
    const { left, size, width, from, to } = this.area,
      reach = (half + this.margin) / size;
    const last = Math.min(Math.floor(left + width / size + reach - x), Math.ceil(to - x) - 1);
    for (let copy = Math.ceil(Math.max(left - reach, from) - x); copy <= last; copy++) body((x + copy - left) * size);
  }
}
