// Markers on a Leaflet 1.x map.

import { dressClose, made } from "../markers/elements.js";
import { LeafletCanvas } from "./leaflet-canvas.js";
import { MapAdapter, expectMercator, libraryOf } from "../markers/map-adapter.js";
import { halfOf, paint } from "../markers/sprite.js";
import { marginPixels } from "../markers/marker-view.js";

/** @typedef {import("../markers/map-adapter.js").MarkerMapOptions & { limits?: import("./leaflet-canvas.js").Limits }} Options */

/** Above Leaflet's polygons, and below its markers. */
const zIndex = 450;

/** Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map` @param {string | URL | import("../tileset/tileset.js").Tileset} source @param {Options} [options]
 * @returns {import("../markers/marker-map.js").MarkerMap} its `layer` is an `L.Layer` for `L.control.layers` */
export function addMarkers(map, source, options = {}) {
  const L = libraryOf(options, "L", "Layer");
  expectMercator(map.options.crs?.code);
  const canvas = new LeafletCanvas(map, L, { pane: "pyramid", zIndex, margin: marginPixels, limits: options.limits });
  /** @type {any} */
  let popup = null;
  /** @type {(() => void) | null} the last flight that was asked for */ let flight = null;
  let isOn = false,
    isMoving = false;
  const container = map.getContainer();
  // Inside a pane that moves with the map, so that short pans need no work.
  const corner = made("div");

  /** @param {import("./leaflet-canvas.js").Sight} sight */
  const viewportOf = (sight) => ({ box: canvas.boxOf(sight, marginPixels), zoom: Math.log2(sight.size / 256) });
  /** @param {import("../markers/marker-scene.js").Shown[]} shown @param {import("../markers/marker-opener.js").Leg[]} legs */
  const draw = (shown, legs) => {
    if (!isOn) return;
    const { context } = canvas,
      { top, size, height, ratio } = canvas.begin();
    L.DomUtil.setPosition(corner, map.containerPointToLayerPoint([0, 0]));
    [context.strokeStyle, context.lineWidth] = [adapter.appearance.scheme.line, 1.5];
    for (const [from, to] of legs) {
      canvas.copies(from.x, 200, (pixelX) => {
        context.beginPath();
        context.moveTo(pixelX, (from.y - top) * size);
        context.lineTo(pixelX + (to.x - from.x) * size, (to.y - top) * size);
        context.stroke();
      });
    }
    // Making a sprite takes ten times as long as drawing the marker directly, so each frame makes at most ten. Markers that fade need
    // theirs at once: drawn directly, their parts would show through each other.
    let due = 10;
    for (const { marker, x, y, alpha } of shown) {
      const look = adapter.appearance.look(marker),
        known = adapter.appearance.known(look, ratio),
        sprite = known ?? (alpha < 1 || due-- > 0 ? adapter.appearance.sprite(look, ratio) : null),
        half = halfOf(look);
      const pixelY = (y - top) * size,
        reach = half + canvas.margin;
      if (pixelY < -reach || pixelY > height + reach) continue;
      context.globalAlpha = alpha;
      canvas.copies(x, half, (pixelX) => {
        context.save();
        context.translate(pixelX, pixelY);
        if (sprite) context.drawImage(sprite.canvas, -half, -half, 2 * half, 2 * half);
        else paint(context, look);
        context.restore();
      });
    }
    context.globalAlpha = 1;
    if (canvas.isZooming) adapter.requestFrame();
  };

  /** Layers below the markers must not get what is meant for a marker: the event is one of the canvas, or begins again there.
   * @param {MouseEvent} event */
  const lift = (event) => {
    const pane = /** @type {Element} */ (event.target).closest(".leaflet-pane");
    if (
      !pane ||
      !(Number(getComputedStyle(pane).zIndex) < zIndex) ||
      !adapter.pointed({ originalEvent: event, latlng: map.mouseEventToLatLng(event) })
    )
      return;
    // SVG has no listeners of its own: Leaflet takes the target from the event, which goes on.
    if (event.target instanceof SVGElement) return void Object.defineProperty(event, "target", { value: canvas.canvas });
    event.stopImmediatePropagation();
    canvas.canvas.dispatchEvent(new /** @type {typeof MouseEvent} */ (event.constructor)(event.type, event));
  };
  // On a screen with other pixels, such as that of another monitor.
  const watchPixels = () => {
    const options = { once: true, signal: adapter.life };
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => [adapter.requestFrame(), watchPixels()], options);
  };
  const lifted = /** @type {const} */ (["click", "mousemove"]);
  const listeners = {
    movestart: () => (isMoving = true),
    // The canvas moves with the map, and its margin is as wide as the margin of the loaded markers.
    move: () => {
      if (!canvas.isStale) return;
      adapter.requestFrame();
      adapter.moved();
    },
    moveend: () => {
      isMoving = false;
      if (canvas.isStale) adapter.requestFrame();
      adapter.moved(true);
    },
    resize: () => {
      adapter.requestFrame();
      adapter.moved(true);
    },
    zoomanim: () => {
      adapter.go(viewportOf(canvas.target));
      adapter.requestFrame();
    },
    click: (/** @type {any} */ event) => adapter.tap(event, event.latlng.lng),
    mousemove: (/** @type {any} */ event) => (container.style.cursor = adapter.point(event, event.latlng.lng)),
    mouseout: () => adapter.hover?.check([]),
  };
  const Layer = L.Layer.extend({
    getAttribution: () => adapter.attribution,
    onAdd() {
      canvas.add();
      const pane = map.getPane("pyramid-elements") ?? map.createPane("pyramid-elements");
      // Above Leaflet's own markers, and below its popups.
      pane.style.zIndex = "610";
      pane.append(corner);
      adapter.attach({ container, focusable: container, pane: corner });
      map.on(listeners);
      for (const type of lifted) container.addEventListener(type, lift, true);
      isOn = true;
      adapter.view.resume();
      adapter.requestFrame();
      adapter.moved(true);
    },
    onRemove() {
      map.off(listeners);
      for (const type of lifted) container.removeEventListener(type, lift, true);
      isOn = isMoving = false;
      adapter.opener?.close();
      adapter.view.pause();
      adapter.detach();
      canvas.remove();
      corner.remove();
      container.style.cursor = "";
    },
    remove() {
      L.Layer.prototype.remove.call(this);
      // A map that is removed before it has a view tells its layers alone.
      if (!container._leaflet_id) adapter.remove();
      return this;
    },
  });
  /** @type {any} */
  const layer = new Layer();
  /** @type {MapAdapter} */
  const adapter = new MapAdapter(source, options, {
    viewport: () => (isOn ? viewportOf(canvas.sightOf(map.getCenter(), map.getZoom())) : null),
    draw,
    doubleClickZoom: () => (map.doubleClickZoom?.enabled() ? map.doubleClickZoom : null),
    fly: ([longitude, latitude], zoom, isCalm) => {
      const go = () => map.setView([latitude, longitude], zoom, isCalm && { animate: false });
      flight = go;
      // Leaflet ignores a new view while it zooms.
      if (canvas.isZooming) map.once("moveend", () => setTimeout(() => flight === go && isOn && go()));
      else go();
    },
    fit: ([west, south, east, north], { padding: { top, right, bottom, left }, maxZoom, isCalm }) =>
      new Promise((done) => {
        const fit = () => {
          // Else the event would be that of an earlier motion, which ends.
          if (isOn) map.stop();
          map.once("moveend", () => done());
          const options = { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], maxZoom, ...(isCalm && { animate: false }) };
          map.fitBounds(L.latLngBounds([south, west], [north, east]), options);
        };
        // Leaflet ignores a new view while it zooms. Older versions remove such a listener only after its call.
        if (canvas.isZooming) map.once("moveend", () => setTimeout(fit));
        else fit();
      }),
    size: () => [container.clientWidth, container.clientHeight],
    container: () => container,
    measure: () => map.invalidateSize({ animate: false, pan: false }),
    isMoving: () => isMoving || canvas.isZooming,
    hitAt: ({ latlng }, tolerance) => adapter.at(latlng.lng, latlng.lat, tolerance),
    ownZoom: (zoom) => zoom,
    pixelOf: (x, y) => {
      if (!isOn) return null;
      const { sight } = canvas,
        [from, to] = canvas.limits(sight),
        { x: width, y: height } = map.getSize();
      // Copies of the world outside the limits aren't drawn.
      if (x < from || x > to) return null;
      return [(x - sight.x) * sight.size + width / 2, (y - sight.y) * sight.size + height / 2];
    },
    middle: () => {
      const { sight } = canvas,
        [from, to] = canvas.limits(sight);
      return Number.isFinite(from) ? (from + to) / 2 : sight.x;
    },
    attribute: (html) => {
      if (isOn) map.attributionControl?.addAttribution(html);
    },
    popup: ([longitude, latitude], content, radius) => {
      popup = L.popup({ maxWidth: 320, offset: [0, 5 - radius] })
        .setLatLng([latitude, longitude])
        .setContent(content)
        .openOn(map);
      dressClose(popup.getElement()?.querySelector(".leaflet-popup-close-button"), adapter.texts.close);
    },
    closePopup: () => popup?.remove(),
    maxZoom: () => map.getMaxZoom(),
    remove: () => {
      map.off("unload", adapter.remove, adapter);
      layer.remove();
    },
  });
  map.on("unload", adapter.remove, adapter);
  adapter.markers.layer = layer.addTo(map);
  watchPixels();
  return adapter.markers;
}
