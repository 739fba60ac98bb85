// Markers on a Leaflet 1.x map.

import { LeafletCanvas } from "./leaflet-canvas.js";
import { MapAdapter, tolerancePixels } from "./map-adapter.js";
import { marginPixels } from "./marker-view.js";

/** @typedef {import("./map-adapter.js").MarkerMapOptions & { limits?: import("./leaflet-canvas.js").Limits }} Options */

/**
 * The drawn marker at or near a mouse event of a map.
 * @param {{ at: import("./map-adapter.js").MapAdapter["at"] }} markers @param {any} event
 */
export const hitAt = (markers, { latlng, originalEvent }) => markers.at(latlng.lng, latlng.lat, tolerancePixels(originalEvent));

/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {Options} [options]
 * @returns {import("./marker-map.js").MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map, source, options = {}) {
  const L = options.library ?? /** @type {any} */ (globalThis).L;
  const canvas = new LeafletCanvas(map, L, { pane: "pyramid", zIndex: 450, margin: marginPixels, limits: options.limits });
  /** @type {any} */
  let popup = null;
  let isOn = false;

  /** @param {import("./leaflet-canvas.js").Sight} sight */
  const viewportOf = (sight) => ({ box: canvas.boxOf(sight, marginPixels), zoom: Math.log2(sight.size / 256) });
  /** @param {import("./marker-scene.js").Shown[]} shown @param {import("./marker-opener.js").Leg[]} legs */
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
      const sprite = adapter.appearance.sprite(adapter.appearance.look(marker), ratio), half = sprite.half;
      const pixelY = (y - top) * size, reach = half + canvas.margin;
      if (pixelY < -reach || pixelY > height + reach || alpha <= 0) continue;
      context.globalAlpha = alpha;
      canvas.copies(x, half, (pixelX) => context.drawImage(sprite.canvas, pixelX - half, pixelY - half, 2 * half, 2 * half));
    }
    context.globalAlpha = 1;
    if (canvas.isZooming) adapter.requestFrame();
  };

  const listeners = {
    // The canvas moves with the map, and its margin is as wide as the margin of the loaded markers.
    move: () => {
      if (!canvas.isStale) return;
      adapter.requestFrame();
      adapter.moved();
    },
    moveend: () => {
      if (canvas.isStale) adapter.requestFrame();
      adapter.moved(true);
    },
    resize: () => { adapter.requestFrame(); adapter.moved(true); },
    zoomanim: () => { adapter.go(viewportOf(canvas.target)); adapter.requestFrame(); },
    click: (/** @type {any} */ event) => { adapter.click(hitAt(adapter, event), event.latlng.lng); },
    mousemove: (/** @type {any} */ event) => { map.getContainer().style.cursor = hitAt(adapter, event) ? "pointer" : ""; },
  };
  const Layer = L.Layer.extend({
    onAdd() {
      canvas.add();
      map.on(listeners);
      isOn = true;
      adapter.view.resume();
      adapter.requestFrame();
      adapter.moved(true);
    },
    onRemove() {
      map.off(listeners);
      isOn = false;
      adapter.view.pause();
      canvas.remove();
      map.getContainer().style.cursor = "";
    },
  });
  /** @type {any} */
  const layer = new Layer();
  const adapter = new MapAdapter(source, options, {
    viewport: () => isOn ? viewportOf(canvas.sightOf(map.getCenter(), map.getZoom())) : null,
    draw,
    fly: ([longitude, latitude], zoom, isCalm) => {
      // The second click of a double click must not zoom again.
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
    remove: () => {
      map.off("unload", adapter.remove, adapter);
      layer.remove();
    },
  });
  map.on("unload", adapter.remove, adapter);
  adapter.markers.layer = layer.addTo(map);
  return adapter.markers;
}
