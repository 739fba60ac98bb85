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
  /** By the place of the column: the numbers and booleans by their texts, which are the same.
   * @type {Map<any, Value>[]} */
  #same;

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
    this.#same = columns.map((_, index) => {
      const values = this.combinations.flatMap((combination) => combination.values[index]);
      return new Map(values.filter((value) => typeof value !== "string").map((value) => [`${value}`, value]));
    });
    this.columns = /** @type {Facet[]} */ (columns);
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
      if (matching !== 0) addTo(found, this.namesOf(index, values[index]), matching);
    }
    return found;
  }

  /** The values for which a point counts: one, or all values of a set.
   * @param {number} index of the column @param {any} property of the point @returns {Value[]} */
  valuesOf(index, property) {
    const { edges, values } = this.columns[index],
      dates = this.dates[index];
    if (edges) return [typeof property === "number" ? values[edges.filter((edge) => edge <= property).length] : null];
    const stated = dates ? [property].flat().map((value) => dates.bucketOf(value)) : property,
      found = this.namesOf(index, stated).filter((value) => value !== "" && value != null);
    return found.length ? found : [null];
  }

  /** The names of a combination in a column: one, or all values of a set.
   * @param {number} index of the column @param {Stated} stated @returns {Value[]} */
  namesOf(index, stated) {
    if (this.columns[index].edges && Array.isArray(stated))
      return [rangeName(/** @type {number} */ (stated[0] ?? -Infinity), /** @type {number} */ (stated[1] ?? Infinity))];
    return [...new Set([stated].flat().map((value) => this.#same[index].get(value) ?? value))];
  }

  /** @param {ColumnJSON} column @param {number} index @returns {Facet} */
  #facet(column, index) {
    const { edges } = column,
      hasSets = !edges && this.combinations.some(({ values }) => Array.isArray(values[index])),
      counts = this.counts(index),
      found = [...counts.keys()].filter((value) => value !== null),
      all = edges ? rangeNames(edges) : this.dates[index]?.values(found),
      [kind, ...others] = new Set(found.map((value) => typeof value)),
      type = /** @type {Facet["type"]} */ (all ? (edges ? "range" : "date") : others.length || !kind ? "mixed" : kind);
    const rank = (/** @type {any} */ one, /** @type {any} */ other) =>
      (type === "number" ? one - other : Number(counts.get(other)) - Number(counts.get(one))) || (String(one) < String(other) ? -1 : 1);
    const values = all ?? found.sort(rank);
    return { ...column, type, hasSets, values: counts.has(null) ? [...values, null] : values };
  }
}

/** @param {number} from @param {number} to */
const rangeName = (from, to) => (from === -Infinity ? `<${to}` : to === Infinity ? `${from}+` : `${from}-${to}`);

/** The names of all ranges of a column, ascending: "<0", "0-10", "10+".
 * @param {number[]} edges */
const rangeNames = (edges) => [-Infinity, ...edges].map((from, index) => rangeName(from, edges[index] ?? Infinity));

/** @param {Map<Value, number>} counts @param {Value[]} values @param {number} count */
export function addTo(counts, values, count) {
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + count);
}
