// Markers on a MapLibre GL JS map.

import { dressClose, made } from "../markers/elements.js";
import { toDegrees, toWorld } from "../tileset/geometry.js";
import { MapAdapter, libraryOf } from "../markers/map-adapter.js";
import { marginPixels } from "../markers/marker-view.js";
import { nameOf, pixelsOutside } from "../markers/sprite.js";

/** @typedef {import("../markers/map-adapter.js").MarkerMapOptions & { id?: string, beforeId?: string }} Options `id`: of the source (default:
 *   "pyramid", then "pyramid-2" and so on). An id that the map has already is an error. `beforeId`: of the layer above the markers (default: they are on
 *   top) */
/** @typedef {import("../markers/marker-scene.js").Shown} Shown */

/** @type {WeakMap<object, Set<string>>} the ids of the sources on each map */ const idsOn = new WeakMap();
/** Counts `addMarkers`, for names of images. */ let serial = 0;

/** @param {any} map @param {string} [wanted] @returns {string} */
function newID(map, wanted) {
  const ids = idsOn.get(map) ?? new Set(),
    isTaken = (/** @type {string} */ id) => ids.has(id) || Boolean(map.style && map.getSource(id));
  let id = wanted ?? "pyramid";
  if (wanted !== undefined && isTaken(wanted)) throw new Error(`the map has a source "${wanted}" already: choose another id, or leave it out`);
  for (let number = 2; isTaken(id); number++) id = `pyramid-${number}`;
  idsOn.set(map, ids.add(id));
  return id;
}

/** MapLibre's world is 512 pixels wide at zoom 0. */
const zoomDifference = 1;

/** Shows the markers of a tileset on a map. Layers named `ID-legs`, `ID-circles` and `ID-counts` draw the source `ID`.
 * Counts are images, so styles need no glyphs.
 * @param {any} map a `maplibregl.Map` @param {string | URL | import("../tileset/tileset.js").Tileset} source @param {Options} [options]
 * @returns {import("../markers/marker-map.js").MarkerMap} its `layer` is the id of the source */
export function addMarkers(map, source, options = {}) {
  const library = libraryOf(options, "maplibregl", "Popup");
  const id = newID(map, options.id);
  const imagePrefix = `${id}|${(serial += 1)}|`;
  const [legsID, circlesID, countsID] = [`${id}-legs`, `${id}-circles`, `${id}-counts`];
  /** @type {any} */
  let popup = null;
  /** @type {any} */
  let data = { type: "FeatureCollection", features: [] };

  /** @type {Map<string, import("../markers/appearance.js").Look>} by the names of their images */ const looks = new Map();
  let isRemoved = false,
    hasWarned = false;
  // Beside the canvas, as MapLibre's own markers are.
  const pane = map.getCanvasContainer().appendChild(made("div", { style: { position: "absolute", left: "0", top: "0" } }));

  /** Without a style, and until it is loaded, there is none. */
  const vectors = () => (map.style ? map.getSource(id) : undefined);
  const setUp = () => {
    if (isRemoved || !map.getStyle()?.layers || vectors()) return;
    map.addSource(id, { type: "geojson", data, attribution: adapter.attribution });
    const { beforeId } = options,
      before = beforeId !== undefined && map.getLayer(beforeId) ? beforeId : undefined;
    if (beforeId !== before && !hasWarned) console.warn(`the map has no layer "${beforeId}", so the markers of ${id} are on top`);
    hasWarned ||= beforeId !== before;
    const layers = [
      { id: legsID, type: "line", filter: ["==", ["geometry-type"], "LineString"], paint: { "line-color": ["get", "color"], "line-width": 1.5 } },
      {
        id: circlesID,
        type: "circle",
        filter: ["==", ["geometry-type"], "Point"],
        paint: {
          "circle-color": ["get", "color"],
          "circle-radius": ["get", "radius"],
          "circle-opacity": ["get", "circleAlpha"],
          "circle-stroke-color": ["get", "ringColor"],
          "circle-stroke-width": 1.5,
          "circle-stroke-opacity": ["get", "circleAlpha"],
        },
      },
      {
        id: countsID,
        type: "symbol",
        filter: ["has", "image"],
        layout: { "icon-image": ["get", "image"], "icon-allow-overlap": true, "icon-ignore-placement": true },
        paint: { "icon-opacity": ["get", "alpha"] },
      },
    ];
    for (const layer of layers) map.addLayer({ ...layer, source: id }, before);
  };

  /** A circle with a count, a ring or an icon, as an image.
   * @param {{ id: string }} event */
  const addImage = ({ id: name }) => {
    const look = looks.get(name),
      ratio = Math.max(Math.ceil(devicePixelRatio || 1), 2);
    if (!look || map.hasImage(name)) return;
    if (isRemoved) return void map.addImage(name, { width: 1, height: 1, data: new Uint8Array(4) });
    const { canvas } = adapter.appearance.sprite(look, ratio),
      context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    map.addImage(name, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  };

  const removeImages = () => {
    for (const name of map.listImages()) if (name.startsWith(imagePrefix)) map.removeImage(name);
  };

  /** @param {Shown} shown */
  const featureOf = ({ key, marker, x, y, alpha }) => {
    const look = adapter.appearance.look(marker),
      { radius, color, label, ringColor, slices, icon } = look;
    const properties = { key, color, ringColor, radius: radius - 1.5, alpha, circleAlpha: icon ? 0 : alpha };
    if (label || slices || icon) {
      const image = imagePrefix + nameOf(look);
      looks.set(image, look);
      Object.assign(properties, { image });
    }
    return { type: "Feature", properties, geometry: { type: "Point", coordinates: toDegrees(x, y) } };
  };
  /** @param {import("../markers/marker-opener.js").Leg} leg */
  const lineOf = (leg) => ({
    type: "Feature",
    properties: { color: adapter.appearance.scheme.line },
    geometry: { type: "LineString", coordinates: leg.map(({ x, y }) => toDegrees(x, y)) },
  });

  /** @param {any} event of the pointer @param {number} tolerance in pixels @returns {Shown | null} */
  const hitAt = ({ point: { x, y } }, tolerance) => {
    if (!vectors() || !map.getLayer(circlesID) || map.getLayoutProperty(circlesID, "visibility") === "none") return null;
    /** @type {(shown: Shown) => [number, number]} */
    const offset = (shown) => {
      const place = map.project(toDegrees(shown.x, shown.y)),
        world = map.project([0, 0]).x - map.project([-360, 0]).x;
      // A globe shows the world once.
      return [x - place.x + (world ? world * Math.round((place.x - x) / world) : 0), y - place.y];
    };
    // By the marker's size: MapLibre can draw a tile and find none of its features.
    const isHit = (/** @type {Shown} */ shown) => {
      const [lng, lat] = toDegrees(shown.x, shown.y);
      return (
        !map.transform?.isLocationOccluded?.({ lng, lat }) && pixelsOutside(adapter.appearance.look(shown.marker), ...offset(shown)) <= tolerance
      );
    };
    const hits = adapter.shown.filter((shown) => !shown.isLeaving && isHit(shown));
    return hits.sort((one, other) => Math.hypot(...offset(one)) - Math.hypot(...offset(other)))[0] ?? null;
  };

  /** @type {Record<string, (event: any) => void>} */
  const listeners = {
    // A new style removes the layers. They can't be added again within a frame.
    styledata: () => setTimeout(setUp),
    styleimagemissing: addImage,
    move: () => adapter.moved(),
    moveend: () => adapter.moved(true),
    projectiontransition: () => adapter.moved(true),
    resize: () => adapter.moved(true),
    remove: () => adapter.remove(),
    render: () => adapter.overlay.place(),
    click: (event) => adapter.tap(event, event.lngLat.lng),
    mousemove: (event) => (map.getCanvas().style.cursor = adapter.point(event, event.lngLat.lng)),
    mouseout: () => adapter.hover?.check([]),
  };
  /** @type {MapAdapter} */
  const adapter = new MapAdapter(source, options, {
    viewport: () => {
      const bounds = map.getBounds(),
        zoom = map.getZoom() + zoomDifference,
        margin = marginPixels / (256 * 2 ** zoom);
      const [left, top] = toWorld(bounds.getWest(), bounds.getNorth()),
        [right, bottom] = toWorld(bounds.getEast(), bounds.getSouth());
      const [west, north] = toDegrees(left - margin, top - margin),
        [east, south] = toDegrees(right + margin, bottom + margin);
      return { box: [west, south, east, north], zoom };
    },
    draw: (shown, legs) => {
      if (looks.size > 10000) looks.clear();
      data = { type: "FeatureCollection", features: [...legs.map(lineOf), ...shown.map(featureOf)] };
      vectors()?.setData(data);
    },
    doubleClickZoom: () => (map.doubleClickZoom?.isEnabled() ? map.doubleClickZoom : null),
    fly: (center, zoom, isCalm) => map[isCalm ? "jumpTo" : "easeTo"]({ center, zoom: zoom - zoomDifference }),
    fit: ([west, south, east, north], { padding, maxZoom, isCalm }) =>
      new Promise((done) => {
        // Else the event would be that of an earlier motion, which ends.
        map.stop();
        map.once("moveend", () => done());
        map.fitBounds([west, south, east, north], { padding, maxZoom, animate: !isCalm });
      }),
    size: () => [map.getContainer().clientWidth, map.getContainer().clientHeight],
    container: () => map.getContainer(),
    measure: () => map.resize(),
    isMoving: () => map.isMoving(),
    hitAt,
    ownZoom: (zoom) => zoom - zoomDifference,
    pixelOf: (x, y) => {
      const [lng, lat] = toDegrees(x, y),
        pixel = map.project([lng, lat]);
      // As MapLibre's own markers ask whether they are on the far side of the globe.
      return map.transform?.isLocationOccluded?.({ lng, lat }) ? null : [pixel.x, pixel.y];
    },
    middle: () => toWorld(map.getCenter().lng, 0)[0],
    // The attribution control reads it with the next data.
    attribute: (html) => {
      const source = vectors();
      if (!source) return;
      source.attribution = html;
      source.setData(data);
    },
    popup: (place, content, radius) => {
      popup?.remove();
      popup = new library.Popup({ maxWidth: "340px", offset: radius, closeOnClick: false }).setLngLat(place).setDOMContent(content).addTo(map);
      dressClose(popup.getElement()?.querySelector(".maplibregl-popup-close-button"), adapter.texts.close);
    },
    closePopup: () => popup?.remove(),
    maxZoom: () => map.getMaxZoom() + zoomDifference,
    remove: () => {
      isRemoved = true;
      idsOn.get(map)?.delete(id);
      for (const [type, listener] of Object.entries(listeners)) if (listener !== addImage) map.off(type, listener);
      map.getCanvas().style.cursor = "";
      pane.remove();
      // A removed map has no style any more.
      if (!map.getStyle()) return;
      for (const layer of [countsID, circlesID, legsID]) if (map.getLayer(layer)) map.removeLayer(layer);
      if (map.getSource(id)) map.removeSource(id);
      removeImages();
      // Until the map is idle, its worker may ask for images of the old data.
      map.once("idle", () => {
        map.off("styleimagemissing", addImage);
        if (map.getStyle()) removeImages();
      });
    },
  });
  for (const [type, listener] of Object.entries(listeners)) map.on(type, listener);
  setUp();
  adapter.attach({ container: map.getContainer(), focusable: map.getCanvas(), pane });
  adapter.moved(true);
  adapter.markers.layer = id;
  return adapter.markers;
}
