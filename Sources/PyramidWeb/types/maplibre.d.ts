/**
 * Shows the markers of a tileset on a map. Layers named `ID-legs`, `ID-circles` and `ID-counts` draw the source `ID`.
 * Counts are images, so styles need no glyphs.
 * @param {any} map a `maplibregl.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {Options} [options]
 * @returns {import("./marker-map.js").MarkerMap} its `layer` is the id of the source
 */
export function addMarkers(map: any, source: string | URL | import("./tileset.js").Tileset, options?: Options | undefined): import("./marker-map.js").MarkerMap;
/**
 * `id`: of the source (default: "pyramid", then "pyramid-2" and so
 *  on). An id that the map has already is an error
 */
export type Options = import("./map-adapter.js").MarkerMapOptions & {
    id?: string;
};
export type Shown = import("./marker-scene.js").Shown;
