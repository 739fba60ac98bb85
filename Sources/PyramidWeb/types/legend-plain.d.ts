/** Finds the values, from the TileJSON if it has them, else from the markers of the whole world, or of the first view. */
export class PlainValues {
    /**
     * @param {MarkerMap} markers of an open tileset @param {string} column
     * @param {(values: PlainValue[]) => void} found called once, with the most frequent values first
     */
    constructor(markers: MarkerMap, column: string, found: (values: PlainValue[]) => void);
    close(): void;
    #private;
}
export type MarkerMap = import("./marker-map.js").MarkerMap;
export type Marker = import("./marker.js").Marker;
export type Counted = {
    name: string;
    values: Record<string, number>;
    is_complete: boolean;
};
/**
 * `value`: `""` is no value, null all others;
 *  `count` of points, undefined if unknown
 */
export type PlainValue = {
    value: string | null;
    count: number | undefined;
};
