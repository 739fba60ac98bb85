// Which points to show.

/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./facets.js").Facets} Facets */
/** @typedef {import("./facets.js").Combination} Combination */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {number | string | Date | null} Limit of numbers; of dates, a Date, or a text: a bucket, or a date in ISO 8601, which means its start */
/** @typedef {{ from?: Limit, to?: Limit }} Range the numbers or dates from `from` up to, but not including, `to` */
/** The points to show: null for all. With columns, the points that match every column: any of the values in a list, in which
 * null stands for no value, or a range. A text also chooses the number or boolean that is written like it. In a column with edges,
 * lists name ranges by texts such as "10-20", in one with dates, buckets by texts such as "2024-03". A function is called for each point.
 * @typedef {null | Record<string, Value[] | Range | undefined> | ((point: Feature) => boolean)} FilterInput */
/** @typedef {{ property: (value: any) => boolean, stated: (value: any) => boolean | undefined }} Test of a point's property, and of
 *   a value in a combination, which is undefined if only some of its points match */

/** A `FilterInput` checked against a tileset's columns. */
export class Filter {
  /** @type {{ name: string, index: number, test: Test }[]} the columns that it asks for, all of which must match */ columns = [];
  /** @type {((point: Feature) => boolean) | null} */ #predicate = null;

  /** Throws a TypeError or a RangeError if the tileset can't be filtered this way.
   * @param {FilterInput} input @param {Facets | null} facets of the tileset */
  constructor(input, facets) {
    /** The same for filters that choose the same points.
     * @type {unknown} */
    this.key = typeof input === "function" ? input : JSON.stringify(input);
    this.facets = facets;
    if (typeof input === "function") {
      this.#predicate = input;
      return;
    }
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      throw new TypeError(`a filter is null, a function, or an object such as { kind: ["cafe", null] }, not ${JSON.stringify(input)}`);
    }
    for (const [name, wanted] of Object.entries(input)) {
      if (wanted === undefined) continue;
      const index = indexOf(name, facets);
      this.columns.push({ name, index, test: testOf(wanted, /** @type {Facets} */ (facets), index) });
    }
  }

  /** Whether a point is shown.
   * @param {Feature} point */
  matches(point) {
    if (this.#predicate) return Boolean(this.#predicate(point));
    for (const { name, test } of this.columns) if (!test.property(point.properties[name])) return false;
    return true;
  }

  /** How many of the points with a combination are shown: 1 if all, 0 if none, NaN if unknown.
   * @param {Combination} values @param {number} [ignored] the index of a column whose filter doesn't count */
  share(values, ignored = -1) {
    let share = this.#predicate ? NaN : 1;
    for (const { index, test } of this.columns) {
      const matches = index === ignored || test.stated(values[index]);
      if (matches === false) return 0;
      if (matches === undefined) share = NaN;
    }
    return share;
  }
}

/** The index of a column; throws a RangeError if the tileset can't be filtered by it.
 * @param {string} name @param {Facets | null} facets */
export function indexOf(name, facets) {
  const index = facets?.indexOf(name) ?? -1;
  if (index >= 0) return index;
  const known = facets?.columns.map((column) => JSON.stringify(column.name)).join(", ");
  throw new RangeError(
    `can't filter by ${JSON.stringify(name)}: the tileset has ${known ? `only the columns ${known}` : "no columns to filter by"}. ` +
      `Build it with --filter-by ${name}, or filter by a function`,
  );
}

/** @param {any} wanted @param {Facets} facets @param {number} index of the column @returns {Test} */
function testOf(wanted, facets, index) {
  const { name, edges, values } = facets.columns[index],
    dates = facets.dates[index];
  /** A set matches if any of its values does.
   * @param {(value: any) => boolean} matches @param {any[]} numbers that match in a column with edges @returns {Test} */
  const anyTest = (matches, numbers = []) => {
    const touched = numbers.flatMap((number) => facets.valuesOf(index, number));
    return {
      property: (property) => numbers.includes(property) || facets.valuesOf(index, property).some(matches),
      stated: (stated) => {
        const names = facets.namesOf(index, stated);
        return names.some(matches) || (names.some((value) => touched.includes(value)) ? undefined : false);
      },
    };
  };
  if (Array.isArray(wanted)) {
    const numbers = edges ? wanted.filter(Number.isFinite) : [],
      chosen = chosenOf(
        wanted.filter((value) => !numbers.includes(value)),
        facets.columns[index],
      );
    return anyTest((value) => chosen.has(value), numbers);
  }
  const { from, to, ...others } = Object(wanted),
    limit = (/** @type {any} */ value) => (dates ? dates.limit(value) : value),
    [first, end] = [from == null ? -Infinity : limit(from), to == null ? Infinity : limit(to)];
  if (typeof wanted !== "object" || wanted === null || Object.keys(others).length || typeof first !== "number" || typeof end !== "number") {
    const [list, found] = [values.slice(0, 2), wanted].map((value) => JSON.stringify(value));
    throw new TypeError(`the filter of "${name}" is a list, such as ${list}, or a range { from, to }, not ${found}`);
  }
  if (!(first <= end)) throw new RangeError(`the range of "${name}" goes from ${from} to ${to}: "from" must not be after "to"`);
  if (dates) return dates.test(first, end);
  const isInside = (/** @type {any} */ value) => typeof value === "number" && value >= first && value < end;
  if (!edges) return anyTest(isInside);
  return {
    property: isInside,
    stated: (stated) => {
      if (stated === null) return false;
      const [low, high] = [stated[0] ?? -Infinity, stated[1] ?? Infinity];
      if (first <= low && high <= end) return true;
      return first < Math.min(high, end) && low < end ? undefined : false;
    },
  };
}

/** Sentences about values that no point has, each told once. */
const told = new Set();

/** The values that a list chooses.
 * @param {any[]} wanted @param {import("./facets.js").Facet} facet */
function chosenOf(wanted, { name, edges, values: known }) {
  for (const value of wanted) {
    if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) continue;
    throw new TypeError(`"${name}" can't be filtered by ${JSON.stringify(value)}: values are strings, numbers, booleans and null`);
  }
  const chosen = new Set(wanted.map((value) => known.find((other) => value !== null && other !== null && `${other}` === `${value}`) ?? value)),
    unknown = [...chosen].filter((value) => value !== null && !known.includes(value)),
    text = `no "${name}" is ${JSON.stringify(unknown)}, but ${JSON.stringify(known.slice(0, 20))}`;
  if (unknown.length && edges) throw new RangeError(text);
  if (unknown.length && told.size < told.add(text).size) console.warn(text);
  return chosen;
}
