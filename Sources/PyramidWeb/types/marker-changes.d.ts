/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {{ key: string, marker: Marker, origin: Marker | null }} Addition a marker that wasn't shown before, and the
 *   previously shown cluster that contained it */
/** @typedef {{ key: string, marker: Marker, destination: Marker | null }} Removal a marker that isn't shown any more, and
 *   the shown cluster that contains it now */
/** @typedef {{ before: Marker, after: Marker }} Change the same marker before and after */
/**
 * The changes between the markers of a map before and after a zoom or a pan: which to add, remove and move, and the
 * places to animate them from and to. The counterpart in Swift is `MarkerChanges` of PyramidClient.
 *
 * In bundles, and in tiles built with `--parents`, the cluster of a marker is exact between neighbouring zooms. Otherwise it is a
 * guess, good enough for an animation: the nearest cluster with more points whose box contains the marker.
 */
export class MarkerChanges {
    /**
     * O(n + m × c) for n markers, of which m are added or removed, and c clusters.
     * @param {Iterable<Marker>} old of one zoom @param {Iterable<Marker>} markers of one zoom
     * @param {{ isOneZoom?: boolean }} options whether both are of the same zoom, where no cluster contains another marker
     */
    constructor(old: Iterable<Marker>, markers: Iterable<Marker>, { isOneZoom }?: {
        isOneZoom?: boolean;
    });
    /**
     * In the order of the new markers.
     * @type {Addition[]}
     */
    added: Addition[];
    /**
     * In the order of the old markers.
     * @type {Removal[]}
     */
    removed: Removal[];
    /**
     * Same key, other place.
     * @type {Change[]}
     */
    moved: Change[];
    /**
     * Same key and place, other count or properties.
     * @type {Change[]}
     */
    updated: Change[];
    /**
     * Shown before and after.
     * @type {Marker[]}
     */
    unchanged: Marker[];
    before: Map<string, import("./marker.js").Marker>;
    after: Map<string, import("./marker.js").Marker>;
}
export type Marker = import("./marker.js").Marker;
/**
 * a marker that wasn't shown before, and the
 *  previously shown cluster that contained it
 */
export type Addition = {
    key: string;
    marker: Marker;
    origin: Marker | null;
};
/**
 * a marker that isn't shown any more, and
 *  the shown cluster that contains it now
 */
export type Removal = {
    key: string;
    marker: Marker;
    destination: Marker | null;
};
/**
 * the same marker before and after
 */
export type Change = {
    before: Marker;
    after: Marker;
};
