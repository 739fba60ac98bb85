// Columns with dates: how points state them, and the buckets by which they are counted, such as the months "2024-03".
// All times are in milliseconds since 1970, UTC.

/** @typedef {"year" | "quarter" | "month" | "week" | "day" | "hour"} Unit weeks are those of ISO 8601 */
/** @typedef {{ unit: Unit, notation: string }} Dates `notation`: "iso8601", "years", "yyyymmdd", "seconds", "milliseconds", or a pattern such
 *   as "MM/DD/YYYY" */
/** @typedef {{ start: number, unit: Unit }} Time the start of a date, and the finest unit that it states */

/** From the coarsest on. @type {Unit[]} */
const units = ["year", "quarter", "month", "week", "day", "hour"];
const months = { year: 12, quarter: 3, month: 1 },
  hours = { week: 168, day: 24, hour: 1 },
  hourMilliseconds = 3600000,
  dayMilliseconds = 24 * hourMilliseconds;
const monthNames = "january february march april may june july august september october november december".split(" ");
/** With more buckets, most of them empty, a column lists only those with points. */
const mostBuckets = 100000;
/** How many values of points a column remembers. */
const mostKnown = 200000;

const offset = "(?<Z>Z|[+-]\\d\\d(?::?\\d\\d)?)",
  time = "(?:(?<next>24:00(?::00)?)|(?<H>\\d\\d)(?::(?<m>\\d\\d)(?::(?<s>\\d\\d)(?:[.,](?<f>\\d+))?)?)?)",
  iso = new RegExp(`^(?<Y>\\d{4})(?:-(?<M>\\d\\d)(?:-(?<D>\\d\\d)(?:[T ]${time}(?: ?${offset})?)?)?)?$`, "i");
/** @type {Record<string, string>} */
const tokens = { YYYY: "(?<Y>\\d{4})", YY: "(?<y>\\d\\d)", MMM: "(?<name>[a-z]+)", a: "(?<a>[ap])\\.?m\\.?", Z: offset };

/** The expression for a notation. A token takes all digits that it can.
 * @param {string} notation */
function expressionOf(notation) {
  if (notation === "iso8601") return iso;
  const parts = notation.match(/([A-Za-z])\1*| +|[^]/g) ?? [];
  const sources = parts.map((part) => {
    if (part[0] === " ") return " +";
    const [letter] = part;
    return tokens[part] ?? (/^([MDHhms])\1?$/.test(part) ? `(?=(?<${letter}>\\d\\d?))\\k<${letter}>` : part.replace(/\W/g, "\\$&"));
  });
  return new RegExp(`^${sources.join("")}$`, "i");
}

/** @param {number} year @param {number} [month] @param {number} [day] */
function dateOf(year, month = 1, day = 1) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

const [firstTime, endTime] = [dateOf(0).getTime(), dateOf(10000).getTime()];

/** @param {number} start @param {Unit} unit @returns {Time | null} null outside of the years 0 to 9999 */
const timeOf = (start, unit) => (start >= firstTime && start < endTime ? { start, unit } : null);

/** @param {string} text @param {RegExp} expression @returns {Time | null} null if it is no date */
function timeIn(text, expression) {
  const found = expression.exec(text.trim())?.groups;
  if (!found) return null;
  const { Y, y, M, name, D, H, next, h, a, m = 0, s = 0, f = "", Z = "Z" } = found,
    year = Number(Y ?? (Number(y) < 69 ? "20" : "19") + y);
  const month = name ? monthNames.findIndex((full) => [full, full.slice(0, 3)].includes(name.toLowerCase())) + 1 : Number(M ?? 1);
  const date = dateOf(year, month, Number(D ?? 1)),
    hour = next ? 24 : h ? (Number(h) % 12) + (a?.toLowerCase() === "p" ? 12 : 0) : Number(H ?? 0);
  const [, sign = "+", offsetHours = 0, offsetMinutes = 0] = (Z.length > 1 && /(.)(\d\d):?(\d\d)?/.exec(Z)) || [];
  if (date.getUTCMonth() !== month - 1 || (D && date.getUTCDate() !== Number(D)) || (h && !(Number(h) >= 1 && Number(h) <= 12))) return null;
  if ((hour > 23 && !next) || Number(m) > 59 || Number(s) > 60 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const minutes = hour * 60 + Number(m) - Number(`${sign}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  // A leap second belongs to its minute.
  const milliseconds = Math.min(Number(s), 59) * 1000 + Number(f.padEnd(3, "0").slice(0, 3));
  return timeOf(date.getTime() + minutes * 60000 + milliseconds, H || h || next ? "hour" : D ? "day" : M || name ? "month" : "year");
}

/** @param {number} milliseconds */
const exactTime = (milliseconds) => timeOf(Math.floor(milliseconds), "hour");

/** Reads the values of points.
 * @param {string} notation @returns {(value: unknown) => Time | null} null for what is no date */
function readerOf(notation) {
  const scale = { seconds: 1000, milliseconds: 1 }[notation],
    digits = { years: /^[1-9]\d{3}$/, yyyymmdd: /^[1-9]\d{7}$/ }[notation];
  if (scale) return (value) => (typeof value === "number" ? exactTime(value * scale) : null);
  if (digits) return (value) => (typeof value === "number" && digits.test(`${value}`) ? timeIn(dashed(`${value}`), iso) : null);
  const expression = expressionOf(notation);
  return (value) => (typeof value === "string" ? timeIn(expression === iso ? dashed(value) : value, expression) : null);
}

/** @param {string} text */
const dashed = (text) => (text.includes("-") ? text : text.replace(/^( *\d{4})(\d\d)(\d\d *)$/, "$1-$2-$3"));

/** The bucket that holds a time.
 * @param {number} start @param {Unit} unit */
export function bucketAt(start, unit) {
  const text = new Date(start).toISOString(),
    year = text.slice(0, 4);
  if (unit === "quarter") return `${year}-Q${Math.ceil(Number(text.slice(5, 7)) / 3)}`;
  if (unit !== "week") return text.slice(0, { year: 4, month: 7, day: 10, hour: 13 }[unit]);
  // A week belongs to the year of its Thursday.
  const thursday = mondayOf(start) + 3 * dayMilliseconds,
    weekYear = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - dateOf(weekYear).getTime()) / (7 * dayMilliseconds)) + 1;
  return `${String(weekYear).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

/** @param {number} start */
const mondayOf = (start) => (Math.floor(start / dayMilliseconds) - ((new Date(start).getUTCDay() + 6) % 7)) * dayMilliseconds;

/** The start of a bucket, or of what a text in ISO 8601 states.
 * @param {string} text @returns {number | undefined} undefined if it is no date */
export function startOf(text) {
  const [, year, quarter, week] = /^(\d{4})-(?:Q([1-4])|W(\d\d))$/.exec(text) ?? [];
  if (quarter) return dateOf(Number(year), 3 * Number(quarter) - 2).getTime();
  if (!week) return timeIn(dashed(text), iso)?.start;
  const start = mondayOf(dateOf(Number(year), 1, 4).getTime()) + (Number(week) - 1) * 7 * dayMilliseconds;
  return bucketAt(start, "week") === text ? start : undefined;
}

/** The end of a bucket that starts at a time.
 * @param {number} start @param {Unit} unit */
export function endOf(start, unit) {
  if (unit === "week" || unit === "day" || unit === "hour") return start + hours[unit] * hourMilliseconds;
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + months[unit]);
}

/** What only columns with dates do. */
export class DateColumn {
  /** @type {Map<unknown, { start: number, bucket: string } | null>} by the value of a point */ #known = new Map();
  #reader;

  /** @param {string} name @param {Dates} dates */
  constructor(name, { unit, notation }) {
    if (!units.includes(unit)) throw new Error(`has dates by ${unit} in the column ${name}; a newer version of this library may know them`);
    this.name = name;
    this.unit = unit;
    this.#reader = readerOf(notation);
  }

  /** @param {unknown} value of a point */
  #read(value) {
    let found = this.#known.get(value);
    if (found === undefined) {
      const time = this.#reader(value),
        bucket = time && units.indexOf(time.unit) >= units.indexOf(this.unit) ? bucketAt(time.start, this.unit) : "";
      // The first days of the year 0 are in a week of the year before.
      found = time && bucket >= "0000" ? { start: time.start, bucket } : null;
      if (this.#known.size >= mostKnown) this.#known.clear();
      this.#known.set(value, found);
    }
    return found;
  }

  /** @param {unknown} value of a point @returns {string | null} null if it is no date, or coarser than the column's unit */
  bucketOf(value) {
    return this.#read(value)?.bucket ?? null;
  }

  /** All buckets from the first to the last.
   * @param {import("./facets.js").Value[]} known */
  values(known) {
    const sorted = /** @type {string[]} */ (known.filter((value) => typeof value === "string")).sort(),
      [first = Infinity, last = -Infinity] = [sorted[0], sorted.at(-1)].map((bucket = "") => startOf(bucket)),
      all = [];
    for (let start = first; start <= last; start = endOf(start, this.unit)) {
      if (all.push(bucketAt(start, this.unit)) > mostBuckets) return sorted;
    }
    return all;
  }

  /** A limit of a range as a time.
   * @param {unknown} limit @returns {number} */
  limit(limit) {
    const time = limit instanceof Date ? limit.getTime() : typeof limit === "string" ? startOf(limit.trim()) : undefined;
    if (time !== undefined && !Number.isNaN(time)) return time;
    const found = limit instanceof Date ? "an invalid Date" : JSON.stringify(limit);
    throw new TypeError(`the range of "${this.name}" has the limit ${found}: it needs a Date, or a text such as "2024-03" or "2024-03-05T12:00Z"`);
  }

  /** @param {number} from @param {number} to @returns {import("./filter.js").Test} */
  test(from, to) {
    // The order of buckets as texts is that of time.
    const textOf = (/** @type {number} */ time) => (time < firstTime ? "" : time < endTime ? bucketAt(time, this.unit) : "~");
    const [first, end] = [from, to].map(textOf),
      cut = [from, to].map(textOf).filter((bucket, index) => (startOf(bucket) ?? [from, to][index]) !== [from, to][index]);
    const isInside = (/** @type {unknown} */ value) => {
      const { start = NaN } = this.#read(value) ?? {};
      return start >= from && start < to;
    };
    return {
      property: (value) => (Array.isArray(value) ? value.some(isInside) : isInside(value)),
      stated: (value) => {
        let isCut = false;
        for (const bucket of Array.isArray(value) ? value : [value]) {
          if (cut.includes(bucket)) isCut = from < to;
          else if (bucket !== null && bucket >= first && bucket < end) return true;
        }
        return isCut ? undefined : false;
      },
    };
  }
}
