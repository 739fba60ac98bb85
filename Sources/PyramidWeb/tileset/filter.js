// Which points to show.

import { rangeNames } from "./facets.js";

/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./facets.js").Facets} Facets */
/** @typedef {import("./facets.js").Combination} Combination */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {{ from?: number | null, to?: number | null }} Range the numbers from `from` up to, but not including, `to` */
/** The points to show: null for all. With columns, the points that match every column: any of the values in a list, in which
 * null stands for no value, or a range. A text also chooses the number or boolean that is written like it. In a column with edges,
 * lists name ranges by texts such as "10-20". A function is called for each point.
 * @typedef {null | Record<string, Value[] | Range | undefined> | ((point: Feature) => boolean)} FilterInput */
/** @typedef {{ property: (value: any) => boolean, stated: (value: any) => boolean | undefined }} Test of a point's property, and of
 *   a value in a combination, which is undefined if only some of its points match */

/** A `FilterInput` checked against a tileset's columns. */
export class Filter {
  /** @type {{ name: string, index: number, test: Test }[]} */ #columns = [];
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
      throw new TypeError(
        `a filter is null, a function, or an object such as { kind: ["cafe", null], price: { from: 10, to: 50 } }, not ${JSON.stringify(input)}`,
      );
    }
    for (const [name, wanted] of Object.entries(input)) {
      if (wanted === undefined) continue;
      const index = indexOf(name, facets);
      this.#columns.push({ name, index, test: testOf(wanted, /** @type {Facets} */ (facets).columns[index]) });
    }
  }

  /** Whether a point is shown.
   * @param {Feature} point */
  matches(point) {
    if (this.#predicate) return Boolean(this.#predicate(point));
    for (const { name, test } of this.#columns) if (!test.property(point.properties[name])) return false;
    return true;
  }

  /** Whether the listed members of a cluster have all that the filter asks for.
   * @param {any[]} members ids, or objects of some properties */
  canJudge(members) {
    return !this.#predicate && members.every((member) => typeof member === "object" && this.#columns.every(({ name }) => name in member));
  }

  /** How many of the points with a combination are shown: 1 if all, 0 if none, NaN if unknown.
   * @param {Combination} values @param {number} [ignored] the index of a column whose filter doesn't count */
  share(values, ignored = -1) {
    let share = this.#predicate ? NaN : 1;
    for (const { index, test } of this.#columns) {
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

/** @param {any} wanted @param {import("./facets.js").Facet} facet @returns {Test} */
function testOf(wanted, { name, edges, values }) {
  if (Array.isArray(wanted)) return edges ? rangesTest(listedRanges(name, wanted, edges)) : valuesTest(name, listed(name, wanted), values);
  const { from, to, ...others } = Object(wanted),
    [first, end] = [from ?? -Infinity, to ?? Infinity];
  if (typeof wanted !== "object" || wanted === null || Object.keys(others).length || typeof first !== "number" || typeof end !== "number") {
    throw new TypeError(
      `the filter of "${name}" is a list, such as ["cafe", null], or a range, such as { from: 10, to: 50 }, not ${JSON.stringify(wanted)}`,
    );
  }
  if (!(first <= end)) throw new RangeError(`the range of "${name}" goes from ${first} to ${end}: "from" must be the smaller number`);
  if (edges) return rangesTest({ ranges: [[first, end]], numbers: [], hasNull: false });
  return setTest((value) => typeof value === "number" && value >= first && value < end);
}

/** @param {string} name @param {unknown[]} values */
function listed(name, values) {
  for (const value of values) {
    if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) continue;
    throw new TypeError(`"${name}" can't be filtered by ${JSON.stringify(value)}: values are strings, numbers, booleans and null`);
  }
  return values;
}

/** Sentences about values that no point has, each told once. */
const told = new Set();

/** @param {string} name @param {any[]} wanted @param {Value[]} known @returns {Test} */
function valuesTest(name, wanted, known) {
  const values = [null, ...known],
    chosen = wanted.map((value) => (values.includes(value) ? value : (values.find((other) => `${other}` === `${value}`) ?? value))),
    unknown = chosen.filter((value) => !values.includes(value)),
    text = `no "${name}" is ${JSON.stringify(unknown)}, but ${JSON.stringify(known.slice(0, 20))}`;
  if (unknown.length && told.size < told.add(text).size) console.warn(text);
  return setTest((value) => chosen.includes(value));
}

/** A set matches if any of its values does.
 * @param {(value: any) => boolean} matches @returns {Test} */
function setTest(matches) {
  const test = (/** @type {any} */ value) => {
    if (!Array.isArray(value)) return matches(value === "" ? null : (value ?? null));
    const values = value.filter((one) => one != null);
    return values.length ? values.some(matches) : matches(null);
  };
  return { property: test, stated: test };
}

/** @typedef {{ ranges: [from: number, to: number][], numbers: number[], hasNull: boolean }} Ranges */

/** @param {string} name @param {unknown[]} values @param {number[]} edges @returns {Ranges} */
function listedRanges(name, values, edges) {
  const names = rangeNames(edges),
    limits = [-Infinity, ...edges, Infinity];
  /** @type {Ranges} */
  const found = { ranges: [], numbers: [], hasNull: false };
  for (const value of listed(name, values)) {
    const index = names.indexOf(/** @type {string} */ (value));
    if (value === null) found.hasNull = true;
    else if (typeof value === "number") found.numbers.push(value);
    else if (index >= 0) found.ranges.push([limits[index], limits[index + 1]]);
    else throw new RangeError(`"${name}" has no range ${JSON.stringify(value)}, but ${JSON.stringify(names)}`);
  }
  return found;
}

/** @param {Ranges} chosen @returns {Test} */
function rangesTest({ ranges, numbers, hasNull }) {
  return {
    property: (value) => (typeof value === "number" ? numbers.includes(value) || ranges.some(([from, to]) => value >= from && value < to) : hasNull),
    stated: (value) => {
      if (value === null) return hasNull;
      const [first, end] = [value[0] ?? -Infinity, value[1] ?? Infinity];
      if (ranges.some(([from, to]) => from <= first && end <= to)) return true;
      const isTouched =
        ranges.some(([from, to]) => from < end && first < to && from < to) || numbers.some((number) => number >= first && number < end);
      return isTouched ? undefined : false;
    },
  };
}
