/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {{ key: string, marker: Marker, origin: Marker | null }} Addition a marker that wasn't shown before, and the
 *   cluster that was shown and that it was part of */
/** @typedef {{ key: string, marker: Marker, destination: Marker | null }} Removal a marker that isn't shown any more, and
 *   the cluster that is shown and that it is part of */
/** @typedef {{ before: Marker, after: Marker }} Change the same marker before and after */
/**
 * What happens to the markers of a map when others replace them after a zoom or a pan: which to add, to remove and to
 * move, and from where to where to animate them. The counterpart in Swift is `MarkerChanges` of PyramidClient.
 *
 * In tilesets built with `--parents`, the cluster of a marker is exact between neighbouring zooms. Otherwise it is the
 * nearest cluster of more points whose box contains the marker, which is no more than a good guess for an animation.
 */
export class MarkerChanges {
    /**
     * O(n), and O(added and removed × clusters) to find where markers come from and go to.
     * @param {Iterable<Marker>} old the markers of one zoom @param {Iterable<Marker>} markers those of one zoom
     */
    constructor(old: Iterable<Marker>, markers: Iterable<Marker>);
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
 *  cluster that was shown and that it was part of
 */
export type Addition = {
    key: string;
    marker: Marker;
    origin: Marker | null;
};
/**
 * a marker that isn't shown any more, and
 *  the cluster that is shown and that it is part of
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
