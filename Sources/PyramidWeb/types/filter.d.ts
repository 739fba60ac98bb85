/**
 * The index of a column; throws a RangeError if the tileset can't be filtered by it.
 * @param {string} name @param {Facets | null} facets
 */
export function indexOf(name: string, facets: Facets | null): number;
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./facets.js").Facets} Facets */
/** @typedef {import("./facets.js").Facet} Facet */
/** @typedef {import("./facets.js").Combination} Combination */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {{ from?: number | null, to?: number | null }} Range the numbers from `from` up to, but not including, `to` */
/**
 * The points to show: null for all. With columns, the points that match every column: any of the values in a list, in which
 * null stands for no value, or a range. In a column with edges, lists name ranges by texts such as "10-20". A function is
 * called for each point.
 * @typedef {null | Record<string, Value[] | Range | undefined> | ((point: Feature) => boolean)} FilterInput
 */
/** @typedef {{ property: (value: any) => boolean, stated: (value: any) => boolean | undefined }} Test of a point's property, and of
 *   a value in a combination, which is undefined if only some of its points match */
/** A `FilterInput` checked against a tileset's columns. */
export class Filter {
    /**
     * Throws a TypeError or a RangeError if the tileset can't be filtered this way.
     * @param {FilterInput} input @param {Facets | null} facets of the tileset
     */
    constructor(input: FilterInput, facets: Facets | null);
    /**
     * The same for filters that choose the same points.
     * @type {unknown}
     */
    key: unknown;
    facets: import("./facets.js").Facets | null;
    /**
     * Whether a point is shown.
     * @param {Feature} point
     */
    matches(point: Feature): boolean;
    /**
     * Whether the listed members of a cluster have all that the filter asks for.
     * @param {any[]} members ids, or objects of some properties
     */
    canJudge(members: any[]): boolean;
    /**
     * How many of the points with a combination are shown: 1 if all, 0 if none, NaN if unknown.
     * @param {Combination} values @param {number} [ignored] the index of a column whose filter doesn't count
     */
    share(values: import("./facets.js").Combination, ignored?: number | undefined): number;
    #private;
}
export type Ranges = {
    ranges: [from: number, to: number][];
    numbers: number[];
    hasNull: boolean;
};
export type Feature = import("./marker.js").Feature;
export type Facets = import("./facets.js").Facets;
export type Facet = import("./facets.js").Facet;
export type Combination = import("./facets.js").Combination;
export type Value = import("./facets.js").Value;
/**
 * the numbers from `from` up to, but not including, `to`
 */
export type Range = {
    from?: number | null;
    to?: number | null;
};
/**
 * The points to show: null for all. With columns, the points that match every column: any of the values in a list, in which
 * null stands for no value, or a range. In a column with edges, lists name ranges by texts such as "10-20". A function is
 * called for each point.
 */
export type FilterInput = Record<string, import("./facets.js").Value[] | Range | undefined> | ((point: Feature) => boolean) | null;
/**
 * of a point's property, and of
 *  a value in a combination, which is undefined if only some of its points match
 */
export type Test = {
    property: (value: any) => boolean;
    stated: (value: any) => boolean | undefined;
};
