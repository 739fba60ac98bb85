// The columns by which a tileset can be filtered, from the member `facets` of its tilejson.json.

/** @typedef {string | number | boolean | null} Value a value of a column in filters and counts: null stands for no value, and
 *   in a column with edges, a text such as "10-20" for a range */
/** @typedef {object} Facet a column to filter by
 * @property {string} name of the property of points
 * @property {"string" | "number" | "boolean" | "range" | "mixed"} type "range" if the column has edges
 * @property {number[]} [edges] the lower limits of the ranges, ascending; each range ends before the next edge
 * @property {boolean} hasSets whether points have arrays of values; a point matches a filter if any of its values does
 * @property {Value[]} values in the order of a legend: ranges and numbers ascending, others the most frequent first, null last */
/** @typedef {Value | Value[] | [from: number | null, to: number | null]} Stated a value in a combination: a set is an array, as
 *   is the range of a column with edges */
/** @typedef {Stated[]} Combination one value for each column */
/** @typedef {{ columns: { name: string, edges?: number[] }[], counts: Record<string, number> }} FacetsJSON */

export class Facets {
  /** The combinations of values that points have, with their numbers of points.
   * @type {{ values: Combination, count: number }[]} */
  combinations;
  /** @type {Facet[]} */ columns;

  /** @param {FacetsJSON} json */
  constructor({ columns, counts }) {
    this.combinations = Object.entries(counts).map(([text, count]) => {
      const values = JSON.parse(text);
      if (!Array.isArray(values) || values.length !== columns.length || !(count > 0)) {
        throw new Error(`has facets with the combination ${text} of ${count} points, expected ${columns.length} values of 1 or more`);
      }
      return { values, count };
    });
    this.columns = columns.map(({ name, edges }, index) => this.#facet(name, edges, index));
  }

  /** The place of a column in combinations.
   * @param {string} name @returns {number} -1 if it isn't a column to filter by */
  indexOf(name) {
    return this.columns.findIndex((column) => column.name === name);
  }

  /** The number of points with each value of a column.
   * @param {number} index of the column @param {(values: Combination) => number} [share] of a combination: 1, 0, or NaN if unknown
   * @returns {Map<Value, number>} NaN if unknown; sets count for each of their values */
  counts(index, share = () => 1) {
    const found = new Map();
    for (const { values, count } of this.combinations) {
      const matching = count * share(values);
      if (matching !== 0) addTo(found, namesOf(values[index], this.columns[index].edges), matching);
    }
    return found;
  }

  /** @param {string} name @param {number[] | undefined} edges @param {number} index @returns {Facet} */
  #facet(name, edges, index) {
    const hasSets = !edges && this.combinations.some(({ values }) => Array.isArray(values[index]));
    const counts = new Map();
    for (const { values, count } of this.combinations) addTo(counts, namesOf(values[index], edges), count);
    if (edges) return { name, type: "range", edges, hasSets, values: [...rangeNames(edges), ...(counts.has(null) ? [null] : [])] };
    const types = new Set([...counts.keys()].filter((value) => value !== null).map((value) => typeof value));
    const type = /** @type {Facet["type"]} */ (types.size === 1 ? [...types][0] : "mixed");
    const rank = (/** @type {Value} */ one, /** @type {Value} */ other) =>
      Number(one === null) - Number(other === null) ||
      (type === "number" ? Number(one) - Number(other) : counts.get(other) - counts.get(one)) ||
      (String(one) < String(other) ? -1 : 1);
    return { name, type, hasSets, values: [...counts.keys()].sort(rank) };
  }
}

/** @param {number} from @param {number} to */
const rangeName = (from, to) => (from === -Infinity ? `<${to}` : to === Infinity ? `${from}+` : `${from}-${to}`);

/** The names of all ranges of a column, ascending: "<0", "0-10", "10+".
 * @param {number[]} edges */
export const rangeNames = (edges) => [-Infinity, ...edges].map((from, index) => rangeName(from, edges[index] ?? Infinity));

/** The values for which a point counts: one, or all values of a set.
 * @param {Stated} stated of its combination @param {number[]} [edges] of the column @returns {Value[]} */
export function namesOf(stated, edges) {
  if (!Array.isArray(stated)) return [stated];
  return edges
    ? [rangeName(/** @type {number} */ (stated[0] ?? -Infinity), /** @type {number} */ (stated[1] ?? Infinity))]
    : /** @type {Value[]} */ (stated);
}

/** A property of a point as combinations state it.
 * @param {any} property @param {number[]} [edges] of the column @returns {Stated} */
export function statedOf(property, edges) {
  if (edges) {
    if (typeof property !== "number") return null;
    const next = edges.findIndex((edge) => edge > property),
      last = next < 0 ? edges.length : next;
    return [edges[last - 1] ?? null, edges[last] ?? null];
  }
  if (!Array.isArray(property)) return property === "" ? null : (property ?? null);
  const values = new Set(property.filter((value) => value != null && value !== ""));
  return values.size ? [...values] : null;
}

/** @param {Map<Value, number>} counts @param {Value[]} values @param {number} count */
export function addTo(counts, values, count) {
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + count);
}
