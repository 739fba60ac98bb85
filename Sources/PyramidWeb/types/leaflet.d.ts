/**
 * Shows the markers of a tileset on a map.
 * @param {any} map an `L.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {Options} [options]
 * @returns {import("./marker-map.js").MarkerMap} its `layer` is an `L.Layer` for `L.control.layers`
 */
export function addMarkers(map: any, source: string | URL | import("./tileset.js").Tileset, options?: Options | undefined): import("./marker-map.js").MarkerMap;
export type Options = import("./map-adapter.js").MarkerMapOptions & {
    limits?: import("./leaflet-canvas.js").Limits;
};
