// Dates: how they are read, their buckets, and filters by them. The oracle is `Intl`, which has a calendar of its own.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Tileset } from "../../Sources/PyramidWeb/index.js";
import { chosenIn, partsOf as hashOf } from "../../Sources/PyramidWeb/legend/legend-hash.js";
import { DateColumn, bucketAt, endOf, startOf } from "../../Sources/PyramidWeb/tileset/dates.js";
import { Facets } from "../../Sources/PyramidWeb/tileset/facets.js";
import { Filter } from "../../Sources/PyramidWeb/tileset/filter.js";
import { hostOf, seededRandom } from "./pyramids.mjs";

const units = ["year", "quarter", "month", "week", "day", "hour"];
const minute = 60000,
  day = 86400000;
const twoDigits = (number) => String(number).padStart(2, "0");

/** The parts of a time as clocks show it. */
const formats = new Map();
function partsOf(time, timeZone = "UTC") {
  const format = formats.get(timeZone) ?? {
    exact: new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      weekday: "short",
      year: "numeric",
      month: "long",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
    month: new Intl.DateTimeFormat("en-US", { timeZone, month: "2-digit" }),
  };
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.exact.formatToParts(time).map(({ type, value }) => [type, value]));
  return { ...parts, name: parts.month, month: format.month.format(time) };
}

/** ISO weeks by counting: that with the first Thursday of a year is its first. */
const weeks = new Map();
{
  let [year, week] = [1969, 0];
  // 1970-01-01 was a Thursday.
  for (let monday = -3; monday < 37000; monday += 7) {
    const thursday = partsOf((monday + 3) * day);
    assert.equal(thursday.weekday, "Thu");
    [year, week] = Number(thursday.year) === year ? [year, week + 1] : [Number(thursday.year), 1];
    for (let one = monday; one < monday + 7; one++) weeks.set(one, `${year}-W${twoDigits(week)}`);
  }
}

function bucketBy(time, unit) {
  const { year, month, day: date, hour } = partsOf(time);
  if (unit === "week") return weeks.get(Math.floor(time / day));
  if (unit === "quarter") return `${year}-Q${{ "01": 1, "02": 1, "03": 1, "04": 2, "05": 2, "06": 2, "07": 3, "08": 3, "09": 3 }[month] ?? 4}`;
  return { year, month: `${year}-${month}`, day: `${year}-${month}-${date}`, hour: `${year}-${month}-${date}T${hour}` }[unit];
}

const read = (value, unit = "hour", notation = "iso8601") => new DateColumn("opened", { unit, notation }).bucketOf(value);

test("every day from 1990 to 2040 is in the ISO week of its Thursday, and weeks begin and end where the next ones do", () => {
  const first = Date.UTC(1990, 0, 1) / day,
    last = Date.UTC(2040, 11, 31) / day;
  for (let one = first; one <= last; one++) {
    const week = bucketAt(one * day + 12345678, "week"),
      start = startOf(week) / day;
    assert.equal(week, weeks.get(one));
    assert.ok(start <= one && one < start + 7 && partsOf(start * day).weekday === "Mon", `${week} starts at ${start}`);
    assert.equal(endOf(start * day, "week"), startOf(weeks.get(one + 7)));
  }
});

/** A time as points state it, as exact as a notation allows, and how exact that is. */
function written(random, time, notation) {
  const pick = (values) => values[Math.floor(random() * values.length)];
  const { year, month, day: date, hour, minute: minutes, second, name } = partsOf(time);
  const of = (value, precision) => ({ value, precision });
  const short = (text) => (random() < 0.5 ? text : String(Number(text)));
  const half = `${Number(hour) % 12 || 12}:${minutes} ${pick(Number(hour) < 12 ? ["AM", "am", "A.M."] : ["PM", "p.m.", "Pm"])}`;
  switch (notation) {
    case "years":
      return of(Number(year), "year");
    case "yyyymmdd":
      return of(Number(`${year}${month}${date}`), "day");
    case "seconds":
      return of(time / 1000 + pick([0, 0.75]), "hour");
    case "milliseconds":
      return of(time + pick([0, 999]), "hour");
    case "DD.MM.YYYY":
      return of(`${short(date)}.${short(month)}.${year}`, "day");
    case "MMM YYYY":
      return of(`${pick([name, name.slice(0, 3).toUpperCase()])}  ${year}`, "month");
    case "MM/DD/YY hh:mm a":
      return of(`${short(month)}/${short(date)}/${year.slice(2)} ${half}`, "hour");
    case "YYYYMMDDHHmmss":
      return of(`${year}${month}${date}${hour}${minutes}${second}`, "hour");
    case "D MMM YYYY H:m Z": {
      const local = partsOf(time, "Asia/Kolkata");
      return of(`${Number(local.day)} ${local.name} ${local.year} ${local.hour}:${Number(local.minute)} ${pick(["+0530", "+05:30"])}`, "hour");
    }
  }
  const clock = pick([hour, `${hour}:${minutes}`, `${hour}:${minutes}:${second}`, `${hour}:${minutes}:${second}.25`]);
  const zone = pick([
    ["Etc/GMT+9", "-09"],
    ["Asia/Kolkata", "+05:30"],
    ["America/Phoenix", "-0700"],
  ]);
  const local = partsOf(time, zone[0]);
  return pick([
    of(year, "year"),
    of(`${year}-${month}`, "month"),
    of(pick([`${year}-${month}-${date}`, `${year}${month}${date}`, `  ${year}-${month}-${date} `]), "day"),
    of(`${year}-${month}-${date}${pick(["T", "t", " "])}${clock}${pick(["", "Z", "z", "+00", " +00:00"])}`, "hour"),
    of(`${local.year}-${local.month}-${local.day}T${local.hour}:${local.minute}${pick(["", " "])}${zone[1]}`, "hour"),
  ]);
}
const notations = ["iso8601", "years", "yyyymmdd", "seconds", "milliseconds", "DD.MM.YYYY", "MMM YYYY", "MM/DD/YY hh:mm a", "YYYYMMDDHHmmss"];
notations.push("D MMM YYYY H:m Z");
const isExactEnough = (precision, unit) => units.indexOf(precision) >= units.indexOf(unit);

test("dates of all notations are in the buckets that the calendar has, unless they are coarser", () => {
  const random = seededRandom(11);
  for (const notation of notations)
    for (const unit of units) {
      const column = new DateColumn("opened", { unit, notation });
      for (let round = 0; round < 300; round++) {
        // From 1971 to 2067; two digits of a year mean these.
        const time = (Math.floor(random() * 35000) + 366) * day + Math.floor(random() * 86400) * 1000,
          { value, precision } = written(random, time, notation);
        assert.equal(
          column.bucketOf(value),
          isExactEnough(precision, unit) ? bucketBy(time, unit) : null,
          `${JSON.stringify(value)} as ${notation} by ${unit}`,
        );
      }
    }
});

test("what is no date is no value", () => {
  for (const text of [
    ["", "2024-13", "2024-00", "2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-1", "24-01-01", "02024", "202403", "20240230"],
    ["2024-03-05T", "2024-03-05T24", "2024-03-05T24:01", "2024-03-05T24:00:00.0", "2024-03-05T25:00", "2024-03-05T12:60", "2024-03-05T12:00:61"],
    ["2024-03-05T1:00", "2024-03-05  12:00", "2024-03-05T12:00+24:00", "2024-03-05T12:00+05:60", "2024-03-05T12:00  Z", "2024-03-05Z"],
    ["2024-03-05T12.5", "0000-01-01T00:00+01:00", "9999-12-31T24:00", "March 2024", "2024/03/05", "2024-03-05x", "2024-W10"],
  ].flat())
    assert.equal(read(text, "year"), null, text);
  for (const value of [2024, true, null, undefined, {}, ["2024"]]) assert.equal(read(value, "year"), null);
  for (const notation of ["years", "yyyymmdd", "seconds", "milliseconds"])
    for (const value of ["2024", "20240305", true, null, NaN, Infinity, [20240305]]) assert.equal(read(value, "year", notation), null, notation);
  for (const value of [999, 10000, 2024.5, -2024]) assert.equal(read(value, "year", "years"), null, `${value}`);
  for (const value of [20240230, 20241301, 2024030, 202403055, -20240305, 20240305.5])
    assert.equal(read(value, "year", "yyyymmdd"), null, `${value}`);
  for (const value of [-62167219201, 253402300800]) assert.equal(read(value, "year", "seconds"), null, `${value}`);
  for (const [pattern, texts] of Object.entries({
    "MM/DD/YYYY": ["13/01/2024", "2/30/2024", "1/1/24", "1/1/20245", "1/1/2024 12:00", "1-1-2024", "Jan/1/2024"],
    "hh:mm a DD.MM.YYYY": ["0:30 am 1.1.2024", "13:30 pm 1.1.2024", "1:30 1.1.2024", "1:60 am 1.1.2024"],
    "D MMM YYYY": ["1 Janu 2024", "1 Foo 2024", "31 Jun 2024", "1Jan2024", "1 Sept 2024"],
    YYYYMMDD: ["202411", "202403051"],
    "H:mm Z YYYY": ["24:00 Z 2024", "7:00 2024", "7:00 +5 2024"],
  }))
    for (const text of texts) assert.equal(read(text, "year", pattern), null, `${text} as ${pattern}`);
});

test("dates at the edges of calendars are read", () => {
  for (const [value, unit, expected, notation] of [
    ["2024-02-29", "day", "2024-02-29"],
    ["2000-02-29", "day", "2000-02-29"],
    ["0000-02-29", "week", "0000-W09"],
    ["0000-01-01", "day", "0000-01-01"],
    ["0000-01-01", "week", null],
    ["0099-12-31", "quarter", "0099-Q4"],
    ["9999-12-31T23:59:60", "hour", "9999-12-31T23"],
    ["2016-12-31T23:59:60Z", "day", "2016-12-31"],
    ["2024-02-28T24:00", "day", "2024-02-29"],
    ["2023-12-31 24:00:00Z", "hour", "2024-01-01T00"],
    ["2023-12-31T23:30-05:30", "hour", "2024-01-01T05"],
    ["2024-01-01T00:15+0200", "year", "2023"],
    ["2021-01-03", "week", "2020-W53"],
    ["2024-12-30", "week", "2025-W01"],
    [-1, "hour", "1969-12-31T23", "seconds"],
    [-0.5, "year", "1969", "milliseconds"],
    [0, "hour", "1970-01-01T00", "milliseconds"],
    ["12:05 a.m. 3/7/68", "hour", "2068-03-07T00", "hh:mm a M/D/YY"],
    ["12:05 PM 3/7/69", "hour", "1969-03-07T12", "hh:mm a M/D/YY"],
    ["(5) sEPTEMBER'2024", "day", "2024-09-05", "(D) MMM'YYYY"],
    ["2024", "year", "2024", "YYYY"],
  ])
    assert.equal(read(value, unit, notation), expected, `${value} by ${unit}`);
});

test("a column has all buckets from the first to the last, without years of empty ones", () => {
  const random = seededRandom(13);
  for (const unit of units)
    for (let round = 0; round < 8; round++) {
      const from = Math.floor(random() * 30000 * 24) * 3600000,
        length = Math.floor(random() * { hour: 90, day: 700 }[unit] || random() * 3000) * (unit === "hour" ? 3600000 : day);
      const all = new Set();
      for (let time = from; time <= from + length; time += unit === "hour" ? 3600000 : day) all.add(bucketBy(time, unit));
      const listed = [...all],
        ends = [listed.at(-1), ...listed.filter(() => random() < 0.2), listed[0], null];
      const counts = Object.fromEntries(ends.map((bucket) => [JSON.stringify([bucket, "x"]), 3])),
        columns = [{ name: "opened", dates: { unit, notation: "iso8601" } }, { name: "kind" }];
      const [facet] = new Facets({ columns, counts }, DateColumn).columns;
      assert.deepEqual(facet, { ...columns[0], type: "date", hasSets: false, values: [...listed, null] });
      for (const [index, bucket] of listed.entries()) {
        const start = startOf(bucket);
        assert.equal(bucketBy(start, unit), bucket);
        assert.notEqual(bucketBy(start - minute, unit), bucket);
        if (listed[index + 1]) assert.equal(endOf(start, unit), startOf(listed[index + 1]));
      }
    }
  const valuesOf = (unit, ...buckets) => new DateColumn("opened", { unit, notation: "iso8601" }).values(buckets);
  assert.deepEqual([valuesOf("day"), valuesOf("day", null), valuesOf("quarter", "2023-Q4", "2024-Q2").length], [[], [], 3]);
  assert.deepEqual(valuesOf("hour", "2024-03-05T12", "0001-01-01T00", null), ["0001-01-01T00", "2024-03-05T12"]);
});

/** Random points with dates, sets of them, and what is none; the times in them that count; and the combinations. */
function randomPoints(random, unit, notation) {
  return Array.from({ length: 40 }, () => {
    const one = () => {
      const time = Date.UTC(2019, 10, 28) + Math.floor((random() * 900 * day) / minute) * minute,
        { value, precision } = written(random, time, notation);
      // A date means its start.
      const parts = partsOf(time);
      const text = { year: parts.year, month: `${parts.year}-${parts.month}`, day: `${parts.year}-${parts.month}-${parts.day}` }[precision];
      const start = text ? Date.parse(text) : time - (/(^|[T ])\d\d( ?(Z|[+-]00|\+00:00))?$/i.test(`${value}`.slice(10)) ? time % 3600000 : 0);
      return { value, start: isExactEnough(precision, unit) ? start : null };
    };
    const isSet = random() < 0.2,
      dates = Array.from({ length: isSet ? Math.floor(random() * 4) : 1 }, () => (random() < 0.1 ? { value: "none", start: null } : one()));
    const starts = dates.map(({ start }) => start).filter((start) => start !== null),
      buckets = [...new Set(starts.map((start) => bucketBy(start, unit)))];
    const stated = !buckets.length ? null : isSet ? buckets.sort() : buckets[0];
    return { properties: { opened: isSet ? dates.map(({ value }) => value) : dates[0].value }, starts, stated };
  });
}

test("ranges and lists choose the points that a count of each one does, and are unknown only for buckets that they cut", () => {
  const random = seededRandom(17),
    seen = { all: 0, none: 0, unknown: 0 };
  for (const notation of notations)
    for (const unit of units) {
      const points = randomPoints(random, unit, notation),
        counts = {};
      for (const { stated } of points) counts[JSON.stringify([stated])] = (counts[JSON.stringify([stated])] ?? 0) + 1;
      const facets = new Facets({ columns: [{ name: "opened", dates: { unit, notation } }], counts }, DateColumn);
      for (const { properties, stated } of points)
        assert.deepEqual(facets.valuesOf(0, properties.opened).sort(), [stated].flat(), `${JSON.stringify(properties)} by ${unit}`);
      for (let round = 0; round < 12; round++) {
        // Ends at buckets of any unit, in the middle of them, and outside.
        const end = () => {
          const time = Date.UTC(2019, 9, 1) + Math.floor(random() * 1000 * 1440) * minute,
            other = units[Math.floor(random() * units.length)];
          const bucket = bucketBy(time, random() < 0.6 ? unit : other);
          if (random() < 0.1) return { given: undefined };
          if (random() < 0.1) return { given: new Date(time + 59999), time };
          if (random() < 0.1)
            return {
              given: `${partsOf(time).year}-${partsOf(time).month}-${partsOf(time).day}T${partsOf(time).hour}:15Z`,
              time: time - (time % 3600000) + 15 * minute,
            };
          // The first minute in the bucket.
          let start = time - (time % 3600000);
          for (const step of [day, 3600000])
            while (bucketBy(start - step, other) === bucket || bucketBy(start - step, unit) === bucket) start -= step;
          return { given: random() < 0.5 ? bucket : new Date(start), time: start };
        };
        const [from, to] = [end(), end()].sort((one, other) => (one.time ?? 0) - (other.time ?? 0));
        if (!from.time && to.time && random() < 0.5) [from.given, to.given, from.time, to.time] = [to.given, from.given, to.time, from.time];
        const [first, last] = [from.time ?? -Infinity, to.time ?? Infinity],
          isIn = (start) => start >= first && start < last,
          input = { opened: { from: from.given, to: to.given } },
          filter = new Filter(input, facets);
        for (const point of points) {
          const what = `${JSON.stringify([point.properties, input, notation])} by ${unit}`;
          assert.equal(filter.matches(point), point.starts.some(isIn), what);
          // All minutes that a bucket may have are like one of these.
          const kinds = [point.stated ?? []].flat().map((bucket) => {
            const start = startOf(bucket),
              stop = endOf(start, unit);
            const inside = [start, stop - minute, first - minute, first, last - minute, last]
              .filter((time) => time >= start && time < stop)
              .map(isIn);
            return new Set(inside).size > 1 ? NaN : Number(inside[0]);
          });
          const expected = kinds.includes(1) ? 1 : kinds.some(Number.isNaN) ? NaN : 0;
          assert.equal(filter.share([point.stated]), expected, what);
          seen[{ 0: "none", 1: "all" }[expected] ?? "unknown"] += 1;
        }
        const wanted = facets.columns[0].values.filter(() => random() < 0.3),
          list = new Filter({ opened: wanted }, facets);
        for (const point of points) {
          const isMatch = point.stated === null ? wanted.includes(null) : [point.stated].flat().some((bucket) => wanted.includes(bucket));
          assert.deepEqual([list.matches(point), list.share([point.stated])], [isMatch, Number(isMatch)]);
        }
      }
    }
  assert.ok(
    Object.values(seen).every((count) => count > 1000),
    JSON.stringify(seen),
  );
});

const byMonth = {
  columns: [{ name: "opened", dates: { unit: "month", notation: "iso8601" } }, { name: "kind" }],
  counts: { '["2024-03","bar"]': 3, '["2023-11","cafe"]': 4, '[["2023-11","2024-03"],"cafe"]': 1, '[null,"bar"]': 2 },
};

test("the ends of a range are exact to the millisecond", () => {
  const facets = new Facets({ columns: [{ name: "opened", dates: { unit: "hour", notation: "iso8601" } }], counts: {} }, DateColumn);
  const { test } = new Filter({ opened: { from: new Date("2024-03-05T12:00:30.250Z"), to: "2024-03-05T12:00:31Z" } }, facets).columns[0];
  const times = ["30.249", "30,25", "30.9999", "31", "31.000"].map((seconds) => `2024-03-05 12:00:${seconds}`);
  assert.deepEqual(times.map(test.property), [false, true, true, false, false]);
  assert.equal(test.stated("2024-03-05T12"), undefined);
});

test("nonsense is an error that names the column, what was found, and the cure", (t) => {
  const warnings = [];
  t.mock.method(console, "warn", (text) => warnings.push(text));
  const facets = new Facets(byMonth, DateColumn);
  for (const [opened, type, message] of [
    ["2024", TypeError, /"opened" is a list, such as \["2023-11","2023-12"\], or a range \{ from, to \}, not "2024"/],
    [{ from: "2024-03", until: "2025" }, TypeError, /"opened" is a list/],
    [{ from: 2024 }, TypeError, /range of "opened" has the limit 2024: it needs a Date, or a text such as "2024-03"/],
    [{ from: "2024-13" }, TypeError, /has the limit "2024-13"/],
    [{ to: "2021-W53" }, TypeError, /has the limit "2021-W53"/],
    [{ to: "2021-Q5" }, TypeError, /has the limit "2021-Q5"/],
    [{ to: new Date("soon") }, TypeError, /has the limit an invalid Date/],
    [{ from: "2024-03", to: "2024-02" }, RangeError, /goes from 2024-03 to 2024-02: "from" must not be after "to"/],
    [[new Date()], TypeError, /"opened" can't be filtered by/],
  ])
    assert.throws(
      () => new Filter({ opened }, facets),
      (error) => error instanceof type && message.test(error.message),
      JSON.stringify(opened),
    );
  assert.throws(
    () => new Facets({ columns: [{ name: "at", dates: { unit: "minute", notation: "iso8601" } }], counts: {} }, DateColumn),
    /by minute in the column at/,
  );
  for (const opened of [{}, { from: null, to: "2024" }, { from: "2024", to: "2024" }, { from: "2020-W53", to: "2024-Q1" }, [null], ["2023-12"]])
    new Filter({ opened }, facets);
  assert.deepEqual(warnings, []);
  new Filter({ opened: ["2030-01"] }, facets);
  assert.deepEqual(warnings, ['no "opened" is ["2030-01"], but ["2023-11","2023-12","2024-01","2024-02","2024-03",null]']);
});

test("the hash holds windows of dates, which a tileset with more of them reads", () => {
  const random = seededRandom(19),
    facet = {
      name: "opened",
      dates: { unit: "quarter", notation: "iso8601" },
      values: ["2022-Q3", "2022-Q4", "2023-Q1", "2023-Q2", "2023-Q3", null],
    },
    longer = { ...facet, values: ["2022-Q2", ...facet.values.slice(0, 5), "2023-Q4", null] };
  const part = (...chosen) => hashOf("filter", [facet], () => new Set(chosen))[0]?.replace("filter.opened=", "");
  assert.deepEqual(
    [
      part("2022-Q4", "2023-Q1", "2023-Q2"),
      part("2022-Q3", "2023-Q2", "2023-Q3"),
      part(null),
      part(...facet.values.slice(0, 5)),
      part(),
      part(...facet.values),
    ],
    ["2022-Q4..2023-Q2", "2022-Q3,2023-Q2..2023-Q3", "null", "!null", "", undefined],
  );
  for (let round = 0; round < 200; round++) {
    const chosen = facet.values.filter(() => random() < 0.5),
      parts = hashOf("filter", [facet], () => new Set(chosen));
    const [found] = chosenIn("filter", parts, [facet]);
    assert.deepEqual(found ? [...found[1]] : facet.values, chosen);
    if (!parts[0]?.includes("!") && chosen.length < facet.values.length)
      assert.deepEqual([...(chosenIn("filter", parts, [longer])[0]?.[1] ?? longer.values)], chosen);
  }
  assert.deepEqual(chosenIn("filter", ["filter.opened=soon..later"], [facet]), []);
});

test("a tileset counts by buckets, in all and in view, and gaps have none", async () => {
  const host = hostOf({}),
    at = (id, longitude, opened, kind) => ({
      type: "Feature",
      id,
      geometry: { type: "Point", coordinates: [longitude, 9] },
      properties: { opened, kind },
    });
  const cluster = {
    ...at(7, 40),
    properties: { cluster: true, cluster_id: 7, point_count: 5, point_count_abbreviated: 5, facets: [[], [2]] },
  };
  const tile = {
    type: "FeatureCollection",
    features: [at(1, -20, "2024-03-05", "bar"), at(2, 5, "2024-03-31T22:00-01:00", "bar"), at(3, 6, "2023", "bar"), at(4, 7, "soon", "bar"), cluster],
    facets: [
      ["2023-11", "cafe"],
      ["2024-03", "bar"],
      [["2023-11", "2024-03"], "cafe"],
    ],
  };
  tile.features.push(at(5, 8, ["2023-11-30", "never", "2023-11-01"], "cafe"));
  const json = { tiles: ["{z}/{x}/{y}.json"], minzoom: 0, maxzoom: 1, point_count: 10, facets: byMonth };
  host.answer = (path) => new Response(JSON.stringify(path.endsWith("tilejson.json") ? json : tile));
  const tileset = await Tileset.open("https://tiles.example.org/x/", { fetch: host.fetch }),
    filter = { opened: { from: "2023-11-30", to: "2024-04" } };
  const markers = await tileset.markers([-180, -85, 180, 85], 0);
  const told = (counts) => [...counts].map(([value, { all, filtered, inView }]) => [value, all, filtered, inView]);
  assert.deepEqual(told(tileset.counts("opened", { markers })), [
    ["2023-11", 5, 5, 5],
    ["2023-12", 0, 0, 0],
    ["2024-01", 0, 0, 0],
    ["2024-02", 0, 0, 0],
    ["2024-03", 4, 4, 4],
    [null, 2, 2, 2],
  ]);
  const shown = await tileset.markers([-180, -85, 180, 85], 0, { filter });
  assert.deepEqual(
    shown.map(({ key, count, isExact }) => [key, count, isExact]),
    [
      ["point 1", 1, true],
      ["point 2", 1, true],
      ["cluster 7", 5, false],
      ["point 5", 1, true],
    ],
  );
  assert.deepEqual(tileset.matching(filter), { count: undefined, total: 10 }, "some of November");
  assert.deepEqual(tileset.matching({ opened: { from: "2023-11", to: "2024-01" } }), { count: 5, total: 10 });
  assert.deepEqual(told(tileset.counts("kind", { filter: { opened: { from: "2024-01" } }, markers: [] })), [
    ["bar", 5, 3, 0],
    ["cafe", 5, 1, 0],
  ]);
});
