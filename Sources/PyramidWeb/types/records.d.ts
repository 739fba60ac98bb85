/**
 * The number of points with each value of a column to filter by, of those that a marker stands for.
 * @param {Marker} marker of a tileset, not a stack @param {string} column
 * @returns {Map<Value, number> | null | undefined} null if unknown under a filter, undefined if clusters don't count the column
 */
export function facetCounts(marker: Marker, column: string): Map<Value, number> | null | undefined;
/**
 * The points that a filter has left of a cluster, if they are known, else the cluster to read them from.
 * @param {Marker} marker @returns {{ filter: Filter, points: Marker[] | null, cluster: Marker } | null} null if nothing was left out
 */
export function remaining(marker: Marker): {
    filter: Filter;
    points: Marker[] | null;
    cluster: Marker;
} | null;
/**
 * A marker's points, or its matching points if it was read with a filter; null if some are in other files.
 * @param {Marker} marker of a tileset @returns {Marker[] | null}
 */
export function pointsInFile(marker: Marker): Marker[] | null;
/**
 * The first zoom at which a marker is shown, as far as its file tells.
 * @param {Marker} marker of a tileset
 */
export function firstZoom(marker: Marker): number | undefined;
/**
 * The box of a marker's place.
 * @param {Marker} marker @returns {Box}
 */
export function placeBox({ feature: { geometry: { coordinates: [longitude, latitude] } } }: Marker): import("./geometry.js").Box;
/** The markers of a tile or a bundle, over the zooms at which they are shown. */
export class Records {
    /**
     * @param {Content} content @param {import("./bundle-index.js").TileFile} file
     * @param {TilesetFacts} tileset
     */
    constructor({ features, table, unit }: Content, { isBundle, z }: import("./bundle-index.js").TileFile, { lastZoom, facets, groupBy }: TilesetFacts);
    /**
     * The markers of a zoom.
     * @param {number} z @param {Filter | null} [filter] @param {Box} [box] that holds their places
     * @returns {Marker[]}
     */
    shown(z: number, filter?: import("./filter.js").Filter | null | undefined, box?: import("./geometry.js").Box | undefined): Marker[];
    /** @param {number} index */
    firstZoom(index: number): number;
    /**
     * A marker's points, or its matching points; null if some are in other files.
     * @param {number} index @param {Selection | null} selection
     * @returns {Marker[] | null}
     */
    points(index: number, selection: Selection | null): Marker[] | null;
    /**
     * The cluster that has the matching points of a cluster, if they are one marker at all zooms in the file; else the cluster itself.
     * @param {number} index @param {Selection} selection
     */
    holder(index: number, selection: Selection): import("./marker.js").Marker;
    /**
     * The number of a marker's points with each value of a column; null if unknown.
     * @param {number} index @param {Selection | null} selection @param {string} name of the column
     * @returns {Map<Value, number> | null | undefined} undefined if clusters don't count the column
     */
    countsByValue(index: number, selection: Selection | null, name: string): Map<Value, number> | null | undefined;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type Feature = import("./marker.js").Feature;
export type Facets = import("./facets.js").Facets;
export type Combination = import("./facets.js").Combination;
export type Value = import("./facets.js").Value;
export type Filter = import("./filter.js").Filter;
/**
 * a marker, the zooms at which it is shown, and the
 *   index of the cluster in the same file that has it at the zoom before; -1 if there is none
 */
export type Record = {
    marker: Marker;
    minzoom: number;
    maxzoom: number;
    parent: number;
};
/**
 * of a file
 */
export type Content = {
    features: Feature[];
    /**
     * the combinations to which the clusters' `facets` refer
     */
    table?: import("./facets.js").Combination[] | undefined;
    /**
     * the precision of places, as a Marker's
     */
    unit: number;
};
/**
 * the members of clusters, by index. The members of a cluster are shown from the zoom on at which it
 *   splits
 */
export type Hierarchy = {
    /**
     * members come before their clusters
     */
    order: number[];
    /**
     * -1 if there are none
     */
    firstMember: Int32Array;
    /**
     * of the same cluster; -1 after the last one
     */
    nextMember: Int32Array;
    /**
     * whether all points of a cluster are in the file
     */
    isComplete: Uint8Array;
};
export type TilesetFacts = {
    lastZoom: number;
    facets: Facets | null;
    /**
     * the column whose values never merge
     */
    groupBy?: string | undefined;
};
/**
 * what a filter leaves of a file
 */
export type Selection = {
    filter: Filter;
    /**
     * by combination of the file's table, see `Filter.share`
     */
    shares: number[];
    /**
     * the number of matching points, NaN if unknown
     */
    counts: Float64Array;
    /**
     * made when they are first shown
     */
    markers: (Marker | null)[];
};
