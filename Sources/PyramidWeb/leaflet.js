// Markers on a map of Leaflet 1.x.

import { toDegrees, toWorld } from "./geometry.js";
import { eased } from "./marker-scene.js";
import { MarkerMap, marginPixels } from "./marker-map.js";

/** @typedef {import("./marker-map.js").MarkerMapOptions} MarkerMapOptions */
/** @typedef {{ x: number, y: number, size: number }} Sight the middle of the map, 0 to 1, and the pixels of a world's width */

/** Leaflet's zoom takes 250 ms, and slows down like this. */
const zoomMilliseconds = 250;
const padding = 2;

/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {MarkerMapOptions} [options]
 * @returns {MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map, source, options = {}) {
  const L = options.library ?? /** @type {any} */ (globalThis).L;
  const canvas = document.createElement("canvas");
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {{ from: Sight, to: Sight, start: number } | null} */
  let zooming = null;
  /** @type {any} */
  let popup = null;
  let isOn = false;

  /** @param {any} center @param {number} zoom @returns {Sight} */
  const sightOf = (center, zoom) => {
    const [x, y] = toWorld(center.lng, center.lat);
    return { x, y, size: 256 * 2 ** zoom };
  };
  /**
   * The map of this moment, also in the middle of a zoom.
   * @returns {Sight}
   */
  const sight = () => {
    if (!zooming) return sightOf(map.getCenter(), map.getZoom());
    const { from, to, start } = zooming, t = eased(Math.min((performance.now() - start) / zoomMilliseconds, 1));
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * t, size = mix(from.size, to.size);
    return { x: mix(from.x * from.size, to.x * to.size) / size, y: mix(from.y * from.size, to.y * to.size) / size, size };
  };
  /** @param {Sight} sight */
  const viewportOf = ({ x, y, size }) => {
    const area = map.getSize(), halfWidth = (area.x / 2 + marginPixels) / size, halfHeight = (area.y / 2 + marginPixels) / size;
    const [west, north] = toDegrees(x - halfWidth, y - halfHeight), [east, south] = toDegrees(x + halfWidth, y + halfHeight);
    return { box: /** @type {import("./geometry.js").Box} */ ([west, south, east, north]), zoom: Math.log2(size / 256) };
  };
  /** @param {import("./marker-scene.js").Shown[]} shown @param {import("./marker-map.js").Leg[]} legs */
  const draw = (shown, legs) => {
    if (!isOn) return;
    const { x: width, y: height } = map.getSize(), ratio = Math.min(devicePixelRatio || 1, 2), { x, y, size } = sight();
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    }
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const left = x - width / 2 / size, top = y - height / 2 / size;
    /**
     * Calls back for every copy of the world in which a place is in sight.
     * @param {number} placeX @param {number} half @param {(pixelX: number) => void} body
     */
    const copies = (placeX, half, body) => {
      const last = Math.floor(left + (width + half) / size - placeX);
      for (let copy = Math.ceil(left - half / size - placeX); copy <= last; copy++) body((placeX + copy - left) * size);
    };
    [context.strokeStyle, context.lineWidth] = ["#555", 1.5];
    for (const [from, to] of legs) {
      copies(from.x, 200, (pixelX) => {
        context.beginPath();
        context.moveTo(pixelX, (from.y - top) * size);
        context.lineTo(pixelX + (to.x - from.x) * size, (to.y - top) * size);
        context.stroke();
      });
    }
    for (const { marker, x: placeX, y: placeY, alpha } of shown) {
      const sprite = markers.appearance.sprite(markers.appearance.look(marker), ratio), half = sprite.half;
      const pixelY = (placeY - top) * size;
      if (pixelY < -half || pixelY > height + half || alpha <= 0) continue;
      context.globalAlpha = alpha;
      copies(placeX, half, (pixelX) => context.drawImage(sprite.canvas, pixelX - half, pixelY - half, 2 * half, 2 * half));
    }
    context.globalAlpha = 1;
    if (zooming) markers.requestFrame();
  };

  const hitAt = (/** @type {any} */ event) => {
    const isTouch = event.originalEvent?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches;
    return markers.hit(...toWorld(event.latlng.lng, event.latlng.lat), isTouch ? 12 : padding);
  };
  const listeners = {
    move: () => { markers.requestFrame(); markers.moved(); },
    moveend: () => { zooming = null; markers.requestFrame(); markers.moved(true); },
    viewreset: () => { zooming = null; },
    resize: () => { markers.requestFrame(); markers.moved(true); },
    zoomanim: (/** @type {any} */ { center, zoom }) => {
      zooming = { from: sight(), to: sightOf(center, zoom), start: performance.now() };
      markers.go(viewportOf(zooming.to));
      markers.requestFrame();
    },
    click: (/** @type {any} */ event) => { markers.clicked(hitAt(event), event.latlng.lng); },
    mousemove: (/** @type {any} */ event) => { map.getContainer().style.cursor = hitAt(event) ? "pointer" : ""; },
  };
  const Layer = L.Layer.extend({
    onAdd() {
      const pane = map.getPane("pyramid") ?? map.createPane("pyramid");
      Object.assign(pane.style, { zIndex: 450, pointerEvents: "none" });
      canvas.style.position = "absolute";
      pane.append(canvas);
      map.on(listeners);
      isOn = true;
      markers.requestFrame();
      markers.moved(true);
    },
    onRemove() {
      map.off(listeners);
      isOn = false;
      canvas.remove();
      map.getContainer().style.cursor = "";
    },
  });
  /** @type {any} */
  const layer = new Layer();
  const markers = new MarkerMap(source, options, {
    viewport: () => isOn ? viewportOf(sightOf(map.getCenter(), map.getZoom())) : null,
    draw,
    fly: ([longitude, latitude], zoom, isCalm) => map.setView([latitude, longitude], zoom, isCalm ? { animate: false } : undefined),
    popup: ([longitude, latitude], content, radius) => {
      popup = L.popup({ maxWidth: 320, offset: [0, 5 - radius] }).setLatLng([latitude, longitude]).setContent(content).openOn(map);
    },
    closePopup: () => { popup?.remove(); },
    maxZoom: () => map.getMaxZoom(),
    remove: () => layer.remove(),
  });
  markers.layer = layer.addTo(map);
  return markers;
}
