// Markers on an OpenLayers map.

import { dressClose, made } from "../markers/elements.js";
import { toDegrees, toWorld } from "../tileset/geometry.js";
import { MapAdapter, expectMercator, libraryOf } from "../markers/map-adapter.js";
import { isSpread } from "../markers/marker-scene.js";
import { marginPixels } from "../markers/marker-view.js";
import { nameOf } from "../markers/sprite.js";

/** @typedef {import("../markers/map-adapter.js").MarkerMapOptions} MarkerMapOptions */
/** @typedef {object} Library the classes that the adapter uses, named as in `ol`, the global variable of OpenLayers' full build
 * @property {any} Feature
 * @property {any} Overlay
 * @property {{ Point: any, LineString: any }} geom
 * @property {{ Vector: any }} layer
 * @property {{ Vector: any }} source
 * @property {{ Style: any, Icon: any, Stroke: any }} style
 * @property {{ getUserProjection?: () => any }} [proj] for maps that `useGeographic()` */

/** Half of the world's width in metres of EPSG:3857. */
const halfWorld = 20037508.342789244;
/** @param {number} resolution metres per pixel */
const zoomOf = (resolution) => Math.log2((2 * halfWorld) / 256 / resolution);

/** Shows the markers of a tileset on a map with OpenLayers' default projection, EPSG:3857.
 * @param {any} map an `ol.Map` @param {string | URL | import("../tileset/tileset.js").Tileset} source
 * @param {MarkerMapOptions} [options] `library`: a `Library`, if there is no global `ol`
 * @returns {import("../markers/marker-map.js").MarkerMap} its `layer` is an `ol.layer.Vector` */
export function addMarkers(map, source, options = {}) {
  const ol = /** @type {Library} */ (libraryOf(options, "ol", "Overlay"));
  expectMercator(map.getView().getProjection().getCode());
  const vectors = new ol.source.Vector({ wrapX: true });
  const layer = new ol.layer.Vector({ source: vectors, updateWhileAnimating: true, updateWhileInteracting: true, zIndex: 1 });
  /** @type {Map<string, any>} */
  let features = new Map();
  /** @type {Map<string, any>} */
  const styles = new Map();

  // Coordinates are metres, or degrees if the page has called useGeographic().
  const isGeographic = () => ol.proj?.getUserProjection?.()?.getCode() === "EPSG:4326";
  /** @param {{ x: number, y: number }} place */
  const coordinatesOf = ({ x, y }) => (isGeographic() ? toDegrees(x, y) : [(2 * x - 1) * halfWorld, (1 - 2 * y) * halfWorld]);
  /** @param {number[]} coordinates @returns {[x: number, y: number]} */
  const worldOf = ([east, north]) => (isGeographic() ? toWorld(east, north) : [east / halfWorld / 2 + 0.5, 0.5 - north / halfWorld / 2]);
  /** @param {[longitude: number, latitude: number]} place */
  const coordinatesAt = (place) => {
    const [x, y] = toWorld(...place);
    return coordinatesOf({ x, y });
  };

  /** @param {import("../markers/marker-scene.js").Shown} shown */
  const styleOf = ({ key: name, marker, alpha }) => {
    const ratio = Math.max(Math.ceil(devicePixelRatio || 1), 2),
      look = adapter.appearance.look(marker),
      opacity = Math.round(alpha * 10) / 10,
      zIndex = isSpread(name) ? 2 : 1;
    const key = `${nameOf(look)} ${opacity} ${ratio} ${zIndex}`;
    let style = styles.get(key);
    if (!style) {
      if (styles.size > 10000) styles.clear();
      const { canvas } = adapter.appearance.sprite(look, ratio);
      styles.set(key, (style = new ol.style.Style({ image: new ol.style.Icon({ img: canvas, scale: 1 / ratio, opacity }), zIndex })));
    }
    return style;
  };

  const viewport = () => {
    const view = map.getView(),
      resolution = view.getResolution(),
      size = map.getSize();
    if (!view.isDef() || !size || !(size[0] > 0)) return null;
    const zoom = zoomOf(resolution),
      margin = marginPixels / 256 / 2 ** zoom,
      extent = view.calculateExtent(size);
    const [left, bottom] = worldOf(extent.slice(0, 2)),
      [right, top] = worldOf(extent.slice(2));
    const [west, south] = toDegrees(left - margin, bottom + margin),
      [east, north] = toDegrees(right + margin, top - margin);
    return { box: /** @type {import("../tileset/geometry.js").Box} */ ([west, south, east, north]), zoom };
  };
  const longitudeOf = (/** @type {any} */ { coordinate }) => toDegrees(...worldOf(coordinate))[0];

  const box = made("div", {
    style: {
      cssText:
        "position: relative; background: #fff; border-radius: 8px; box-shadow: 0 2px 12px #0005; padding: 10px 12px; width: max-content; max-width: min(320px, 80vw)",
    },
  });
  const overlay = new ol.Overlay({ element: box, positioning: "bottom-center", stopEvent: true, autoPan: { animation: { duration: 200 } } });
  const closePopup = () => overlay.setPosition(undefined);
  const closeStyle = {
    cssText: "position: absolute; top: 2px; right: 4px; border: 0; background: none; font: 18px/1 system-ui, sans-serif; cursor: pointer; z-index: 1",
  };
  const close = made("button", { type: "button", onclick: closePopup, style: closeStyle }, "×");

  let lastSight = "";
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {
    // After every frame, also if the map has not moved.
    postrender: () => {
      adapter.overlay.place();
      const view = map.getView(),
        sight = String([view.getCenter(), view.getResolution(), view.getRotation(), map.getSize()]);
      if (sight !== lastSight) adapter.moved();
      lastSight = sight;
    },
    moveend: () => adapter.moved(true),
    singleclick: (event) => adapter.tap(event, longitudeOf(event)),
    // OpenLayers has no event for a disposed map: it only loses its target, and may get another one.
    "change:target": () => {
      attach();
      if (map.getTarget()) adapter.view.resume();
      else adapter.view.pause();
    },
    pointermove: (event) => {
      if (!event.dragging) map.getViewport().style.cursor = adapter.point(event, longitudeOf(event));
    },
  };
  const leave = () => adapter.hover?.check([]);
  const pane = made("div", { style: { position: "absolute", left: "0", top: "0" } });
  const attach = () => {
    const focusable = map.getTargetElement();
    if (focusable) adapter.attach({ container: map.getViewport(), focusable, pane });
    else adapter.detach();
  };
  /** @type {MapAdapter} */
  const adapter = new MapAdapter(source, options, {
    viewport,
    draw: (shown, legs) => {
      const before = features;
      features = new Map();
      for (const item of shown) {
        const coordinates = coordinatesOf(item),
          name = `${item.key}${item.isLeaving ? " leaving" : ""}`;
        const feature = before.get(name) ?? new ol.Feature(new ol.geom.Point(coordinates));
        feature.getGeometry().setCoordinates(coordinates);
        feature.setStyle(styleOf(item));
        feature.set("marker", item.marker, true);
        features.set(name, feature);
      }
      const legStyle = new ol.style.Style({ stroke: new ol.style.Stroke({ color: adapter.appearance.scheme.line, width: 1.5 }), zIndex: 0 });
      const lines = legs.map((leg) => {
        const line = new ol.Feature(new ol.geom.LineString(leg.map(coordinatesOf)));
        line.setStyle(legStyle);
        return line;
      });
      vectors.clear(true);
      vectors.addFeatures([...lines, ...features.values()]);
    },
    fly: (place, zoom, isCalm) => {
      map.getView().cancelAnimations();
      map.getView().animate({ center: coordinatesAt(place), resolution: (2 * halfWorld) / 256 / 2 ** zoom, duration: isCalm ? 0 : 350 });
    },
    fit: ([west, south, east, north], { padding: { top, right, bottom, left }, maxZoom, isCalm }) =>
      new Promise((done) => {
        const extent = [...coordinatesAt([west, south]), ...coordinatesAt([east, north])];
        map.getView().cancelAnimations();
        map.getView().fit(extent, { padding: [top, right, bottom, left], maxZoom, duration: isCalm ? 0 : 350, callback: () => done() });
      }),
    size: () => [map.getViewport().clientWidth, map.getViewport().clientHeight],
    container: () => map.getViewport(),
    measure: () => map.updateSize(),
    isMoving: () => map.getView().getAnimating() || map.getView().getInteracting(),
    hitAt: ({ coordinate }, tolerance) => adapter.at(...toDegrees(...worldOf(coordinate)), tolerance),
    ownZoom: (zoom) => map.getView().getZoomForResolution((2 * halfWorld) / 256 / 2 ** zoom),
    pixelOf: (x, y) => map.getPixelFromCoordinate(coordinatesOf({ x, y })),
    middle: () => worldOf(map.getView().getCenter() ?? [0, 0])[0],
    attribute: (html) => vectors.setAttributions(html),
    popup: (place, content, radius) => {
      box.replaceChildren(close, content);
      overlay.setOffset([0, -radius - 4]);
      overlay.setPosition(coordinatesAt(place));
    },
    closePopup,
    maxZoom: () => zoomOf(map.getView().getMinResolution()),
    remove: () => {
      for (const [type, listener] of Object.entries(listeners)) map.un(type, listener);
      map.getViewport().removeEventListener("pointerleave", leave);
      map.getViewport().style.cursor = "";
      pane.remove();
      map.removeLayer(layer);
      map.removeOverlay(overlay);
    },
  });
  dressClose(close, adapter.texts.close);
  for (const [type, listener] of Object.entries(listeners)) map.on(type, listener);
  map.addLayer(layer);
  map.addOverlay(overlay);
  map.getOverlayContainer().append(pane);
  map.getViewport().addEventListener("pointerleave", leave);
  attach();
  adapter.moved(true);
  adapter.markers.layer = layer;
  return adapter.markers;
}
