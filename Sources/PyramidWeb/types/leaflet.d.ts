/**
 * What is drawn where a mouse event of a map is, or near it.
 * @param {MarkerMap} markers @param {any} event
 */
export function hitAt(markers: MarkerMap, { latlng, originalEvent }: any): import("./marker-scene.js").Shown | null;
/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {Options} [options]
 * @returns {MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map: any, source: string | URL | import("./tileset.js").Tileset, options?: Options | undefined): MarkerMap;
export type Options = import("./marker-map.js").MarkerMapOptions & {
    limits?: import("./leaflet-canvas.js").Limits;
};
import { MarkerMap } from "./marker-map.js";
