/**
 * Shows the markers of a tileset on a map with OpenLayers' default projection, EPSG:3857.
 * @param {any} map an `ol.Map`
 * @param {string | URL | import("./tileset.js").Tileset} source
 * @param {MarkerMapOptions} [options] `library`: a `Library`, if there is no global `ol`
 * @returns {import("./marker-map.js").MarkerMap} its `layer` is an `ol.layer.Vector`
 */
export function addMarkers(map: any, source: string | URL | import("./tileset.js").Tileset, options?: import("./map-adapter.js").MarkerMapOptions | undefined): import("./marker-map.js").MarkerMap;
export type MarkerMapOptions = import("./map-adapter.js").MarkerMapOptions;
/**
 * the classes that the adapter uses, named as in `ol`, the global variable of OpenLayers' full build
 */
export type Library = {
    Feature: any;
    Overlay: any;
    geom: {
        Point: any;
        LineString: any;
    };
    layer: {
        Vector: any;
    };
    source: {
        Vector: any;
    };
    style: {
        Style: any;
        Icon: any;
        Stroke: any;
    };
    /**
     * for maps that `useGeographic()`
     */
    proj?: {
        getUserProjection?: (() => any) | undefined;
    } | undefined;
};
