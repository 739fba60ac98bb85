/**
 * The values for which a point counts: one, or all values of a set.
 * @param {Stated} stated of its combination @param {number[]} [edges] of the column
 * @returns {Value[]}
 */
export function namesOf(stated: Stated, edges?: number[] | undefined): Value[];
/**
 * A property of a point as combinations state it.
 * @param {any} property @param {number[]} [edges] of the column
 * @returns {Stated}
 */
export function statedOf(property: any, edges?: number[] | undefined): Stated;
/** @param {Map<Value, number>} counts @param {Value[]} values @param {number} count */
export function addTo(counts: Map<Value, number>, values: Value[], count: number): void;
/** @typedef {string | number | boolean | null} Value a value of a column in filters and counts: null stands for no value, and
 *   in a column with edges, a text such as "10-20" for a range */
/**
 * @typedef {object} Facet a column to filter by
 * @property {string} name of the property of points
 * @property {"string" | "number" | "boolean" | "range" | "mixed"} type "range" if the column has edges
 * @property {number[]} [edges] the lower limits of the ranges, ascending; each range ends before the next edge
 * @property {boolean} hasSets whether points have arrays of values; a point matches a filter if any of its values does
 * @property {Value[]} values in the order of a legend: ranges and numbers ascending, others the most frequent first, null last
 */
/** @typedef {Value | Value[] | [from: number | null, to: number | null]} Stated a value in a combination: a set is an array, as
 *   is the range of a column with edges */
/** @typedef {Stated[]} Combination one value for each column */
/** @typedef {{ columns: { name: string, edges?: number[] }[], counts: Record<string, number> }} FacetsJSON */
export class Facets {
    /** @param {FacetsJSON} json */
    constructor({ columns, counts }: FacetsJSON);
    /**
     * The combinations of values that points have, with their numbers of points.
     * @type {{ values: Combination, count: number }[]}
     */
    combinations: {
        values: Combination;
        count: number;
    }[];
    /** @type {Facet[]} */ columns: Facet[];
    /**
     * The place of a column in combinations.
     * @param {string} name @returns {number} -1 if it isn't a column to filter by
     */
    indexOf(name: string): number;
    /**
     * The number of points with each value of a column.
     * @param {number} index of the column @param {(values: Combination) => number} [share] of a combination: 1, 0, or NaN if unknown
     * @returns {Map<Value, number>} NaN if unknown; sets count for each of their values
     */
    counts(index: number, share?: ((values: Combination) => number) | undefined): Map<Value, number>;
    #private;
}
export function rangeNames(edges: number[]): string[];
/**
 * a value of a column in filters and counts: null stands for no value, and
 *  in a column with edges, a text such as "10-20" for a range
 */
export type Value = string | number | boolean | null;
/**
 * a column to filter by
 */
export type Facet = {
    /**
     * of the property of points
     */
    name: string;
    /**
     * "range" if the column has edges
     */
    type: "string" | "number" | "boolean" | "range" | "mixed";
    /**
     * the lower limits of the ranges, ascending; each range ends before the next edge
     */
    edges?: number[] | undefined;
    /**
     * whether points have arrays of values; a point matches a filter if any of its values does
     */
    hasSets: boolean;
    /**
     * in the order of a legend: ranges and numbers ascending, others the most frequent first, null last
     */
    values: Value[];
};
/**
 * a value in a combination: a set is an array, as
 *  is the range of a column with edges
 */
export type Stated = Value | Value[] | [from: number | null, to: number | null];
/**
 * one value for each column
 */
export type Combination = Stated[];
export type FacetsJSON = {
    columns: {
        name: string;
        edges?: number[];
    }[];
    counts: Record<string, number>;
};
