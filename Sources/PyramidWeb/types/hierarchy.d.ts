/**
 * @param {Record[]} records of a file @param {string} [groupBy] the column whose values never merge
 * @param {Nesting | null} [nesting] null if the records state the clusters that they are part of, or if nothing is known
 * @returns {Hierarchy}
 */
export function hierarchyOf(records: Record[], groupBy?: string | undefined, nesting?: Nesting | null | undefined): Hierarchy;
export type Marker = import("./marker.js").Marker;
export type Record = import("./records.js").Record;
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
/**
 * how members are found if records don't state them: they are the markers of the next higher zoom
 *   that are nearer to a cluster than to other markers of its zoom
 */
export type Nesting = {
    lastClusteredZoom: number;
    /**
     * the depth of the cells whose points are members of the same cluster at the last clustered zoom
     */
    depth: number;
    /**
     * of the file
     */
    tile: import("./geometry.js").Tile;
};
