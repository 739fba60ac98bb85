// Markers on a map of Leaflet 1.x.

import { toDegrees, toWorld } from "./geometry.js";
import { LeafletCanvas } from "./leaflet-canvas.js";
import { MarkerMap, marginPixels } from "./marker-map.js";

/** @typedef {import("./marker-map.js").MarkerMapOptions & { limits?: import("./leaflet-canvas.js").Limits }} Options */

const padding = 2;

/**
 * What is drawn where a mouse event of a map is, or near it.
 * @param {MarkerMap} markers @param {any} event
 */
export function hitAt(markers, { latlng, originalEvent }) {
  const isTouch = originalEvent?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches;
  return markers.hit(...toWorld(latlng.lng, latlng.lat), isTouch ? 12 : padding);
}

/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {Options} [options]
 * @returns {MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map, source, options = {}) {
  const L = options.library ?? /** @type {any} */ (globalThis).L;
  const canvas = new LeafletCanvas(map, L, { pane: "pyramid", zIndex: 450, margin: marginPixels, limits: options.limits });
  /** @type {any} */
  let popup = null;
  let isOn = false;

  /** @param {import("./leaflet-canvas.js").Sight} sight */
  const viewportOf = ({ x, y, size }) => {
    const area = map.getSize(), halfWidth = (area.x / 2 + marginPixels) / size, halfHeight = (area.y / 2 + marginPixels) / size;
    const [west, north] = toDegrees(x - halfWidth, y - halfHeight), [east, south] = toDegrees(x + halfWidth, y + halfHeight);
    return { box: /** @type {import("./geometry.js").Box} */ ([west, south, east, north]), zoom: Math.log2(size / 256) };
  };
  /** @param {import("./marker-scene.js").Shown[]} shown @param {import("./marker-map.js").Leg[]} legs */
  const draw = (shown, legs) => {
    if (!isOn) return;
    const { context } = canvas, { top, size, height, ratio } = canvas.begin();
    [context.strokeStyle, context.lineWidth] = ["#555", 1.5];
    for (const [from, to] of legs) {
      canvas.copies(from.x, 200, (pixelX) => {
        context.beginPath();
        context.moveTo(pixelX, (from.y - top) * size);
        context.lineTo(pixelX + (to.x - from.x) * size, (to.y - top) * size);
        context.stroke();
      });
    }
    for (const { marker, x, y, alpha } of shown) {
      const sprite = markers.appearance.sprite(markers.appearance.look(marker), ratio), half = sprite.half;
      const pixelY = (y - top) * size, reach = half + canvas.margin;
      if (pixelY < -reach || pixelY > height + reach || alpha <= 0) continue;
      context.globalAlpha = alpha;
      canvas.copies(x, half, (pixelX) => context.drawImage(sprite.canvas, pixelX - half, pixelY - half, 2 * half, 2 * half));
    }
    context.globalAlpha = 1;
    if (canvas.isZooming) markers.requestFrame();
  };

  const listeners = {
    // What is drawn moves with the map, and reaches as far beyond it as what is loaded.
    move: () => {
      if (!canvas.isStale) return;
      markers.requestFrame();
      markers.moved();
    },
    moveend: () => {
      if (canvas.isStale) markers.requestFrame();
      markers.moved(true);
    },
    resize: () => { markers.requestFrame(); markers.moved(true); },
    zoomanim: () => { markers.go(viewportOf(canvas.target)); markers.requestFrame(); },
    click: (/** @type {any} */ event) => { markers.clicked(hitAt(markers, event), event.latlng.lng); },
    mousemove: (/** @type {any} */ event) => { map.getContainer().style.cursor = hitAt(markers, event) ? "pointer" : ""; },
  };
  const Layer = L.Layer.extend({
    onAdd() {
      canvas.add();
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
    viewport: () => isOn ? viewportOf(canvas.sightOf(map.getCenter(), map.getZoom())) : null,
    draw,
    fly: ([longitude, latitude], zoom, isCalm) => {
      // The second half of a double click must not zoom once more.
      if (map.doubleClickZoom?.enabled()) {
        map.doubleClickZoom.disable();
        setTimeout(() => map.doubleClickZoom.enable(), 400);
      }
      map.setView([latitude, longitude], zoom, isCalm ? { animate: false } : undefined);
    },
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
