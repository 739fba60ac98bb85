/**
 * Replaces parts of the hash, without an event or an entry in the history. Parts of the page come before filters.
 * @param {(part: string) => boolean} isReplaced @param {string[]} parts
 */
export function replaceInHash(isReplaced: (part: string) => boolean, parts: string[]): void;
/**
 * @param {Facet[]} facets @param {(facet: Facet) => Set<Value>} chosenOf
 * @returns {string[]} a part for each column that is filtered
 */
export function partsOf(facets: Facet[], chosenOf: (facet: Facet) => Set<Value>): string[];
/**
 * @param {string[]} parts of the hash @param {Facet[]} facets
 * @returns {[Facet, Set<Value>][]} the chosen values of the columns that are filtered; unknown columns and values are ignored
 */
export function chosenIn(parts: string[], facets: Facet[]): [Facet, Set<Value>][];
export function hashParts(): string[];
export function isFilter(part: string): boolean;
export type Facet = import("./facets.js").Facet;
export type Value = import("./facets.js").Value;
