/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {MarkerMapOptions} [options]
 * @returns {MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map: any, source: string | URL | import("./tileset.js").Tileset, options?: import("./marker-map.js").MarkerMapOptions | undefined): MarkerMap;
export type MarkerMapOptions = import("./marker-map.js").MarkerMapOptions;
/**
 * the middle of the map, 0 to 1, and the pixels of a world's width
 */
export type Sight = {
    x: number;
    y: number;
    size: number;
};
import { MarkerMap } from "./marker-map.js";
