// The columns by which a tileset can be filtered, from the member `facets` of its tilejson.json.

/** @typedef {string | number | boolean | null} Value a value of a column in filters and counts: null stands for no value, in a column
 *   with edges, a text such as "10-20" for a range, and in a column with dates, one such as "2024-03" for a bucket */
/** @typedef {object} Facet a column to filter by
 * @property {string} name of the property of points
 * @property {"string" | "number" | "boolean" | "range" | "date" | "mixed"} type "range" if the column has edges, "date" if it has dates
 * @property {number[]} [edges] the lower limits of the ranges, ascending; each range ends before the next edge
 * @property {import("./dates.js").Dates} [dates] the buckets, and how points state dates
 * @property {boolean} hasSets whether points have arrays of values; a point matches a filter if any of its values does
 * @property {Value[]} values in the order of a legend: ranges, numbers and all buckets from the first to the last ascending, others
 *   the most frequent first, null last */
/** @typedef {Value | Value[] | [from: number | null, to: number | null]} Stated a value in a combination: a set is an array, as
 *   is the range of a column with edges */
/** @typedef {Stated[]} Combination one value for each column */
/** @typedef {{ name: string, edges?: number[], dates?: import("./dates.js").Dates }} ColumnJSON */
/** @typedef {{ columns: ColumnJSON[], counts: Record<string, number> }} FacetsJSON */

export class Facets {
  /** The combinations of values that points have, with their numbers of points.
   * @type {{ values: Combination, count: number }[]} */
  combinations;
  /** @type {Facet[]} */ columns;
  /** What only columns with dates do, by the place of the column. */
  dates;

  /** @param {FacetsJSON} json @param {typeof import("./dates.js").DateColumn} [DateColumn] if columns have dates */
  constructor({ columns, counts }, DateColumn) {
    this.dates = columns.map(({ name, dates }) => dates && new /** @type {NonNullable<typeof DateColumn>} */ (DateColumn)(name, dates));
    this.combinations = Object.entries(counts).map(([text, count]) => {
      const values = JSON.parse(text);
      if (!Array.isArray(values) || values.length !== columns.length || !(count > 0)) {
        throw new Error(`has facets with the combination ${text} of ${count} points, expected ${columns.length} values of 1 or more`);
      }
      return { values, count };
    });
    this.columns = columns.map((column, index) => this.#facet(column, index));
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

  /** The values for which a point counts: one, or all values of a set.
   * @param {number} index of the column @param {any} property of the point @returns {Value[]} */
  valuesOf(index, property) {
    const { edges, values } = this.columns[index],
      dates = this.dates[index];
    if (edges) return [typeof property === "number" ? values[edges.filter((edge) => edge <= property).length] : null];
    const valueOf = (/** @type {any} */ value) => (dates ? dates.bucketOf(value) : value === "" ? null : (value ?? null));
    if (!Array.isArray(property)) return [valueOf(property)];
    const set = new Set(property.map(valueOf));
    set.delete(null);
    return set.size ? [...set] : [null];
  }

  /** @param {ColumnJSON} column @param {number} index @returns {Facet} */
  #facet(column, index) {
    const { name, edges } = column;
    const hasSets = !edges && this.combinations.some(({ values }) => Array.isArray(values[index]));
    const counts = new Map();
    for (const { values, count } of this.combinations) addTo(counts, namesOf(values[index], edges), count);
    const all = edges ? rangeNames(edges) : this.dates[index]?.values([...counts.keys()]);
    if (all) return { ...column, type: edges ? "range" : "date", hasSets, values: counts.has(null) ? [...all, null] : all };
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
const rangeNames = (edges) => [-Infinity, ...edges].map((from, index) => rangeName(from, edges[index] ?? Infinity));

/** The values of a combination in a column: one, or all values of a set.
 * @param {Stated} stated @param {number[]} [edges] of the column @returns {Value[]} */
export function namesOf(stated, edges) {
  if (!Array.isArray(stated)) return [stated];
  return edges
    ? [rangeName(/** @type {number} */ (stated[0] ?? -Infinity), /** @type {number} */ (stated[1] ?? Infinity))]
    : /** @type {Value[]} */ (stated);
}

/** @param {Map<Value, number>} counts @param {Value[]} values @param {number} count */
export function addTo(counts, values, count) {
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + count);
}
