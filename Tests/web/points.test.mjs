// The points in boxes and of clusters, against the rows. `points.cases.json` has cases that the tests of PyramidClient read, too;
// WRITE_CASES=1 writes it anew.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Tileset } from "../../Sources/PyramidWeb/index.js";
import { hostOf, seededRandom, tilesOf } from "./pyramids.mjs";

const origin = "https://tiles.example.org",
  quick = { retryMilliseconds: 1 },
  casesFile = new URL("points.cases.json", import.meta.url);
const everywhere = [-180, -90, 180, 90],
  mostFiles = 64;

// What the rows say

/** Where a coordinate is on the map, 0 to 1; latitudes off the map are on its edge. */
function placeOf({ lon, lat }) {
  const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  return [lon / 360 + 0.5, Math.min(Math.max(y, 0), 1)];
}

/** The angle between two places on the globe, by their vectors. */
function distance({ lon, lat }, place) {
  const [one, other] = [[lon, lat], place].map(([longitude, latitude]) => {
    const [east, north] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  });
  return 2 * Math.asin(Math.hypot(...one.map((part, axis) => part - other[axis])) / 2);
}

const middleOf = ([west, south, east, north]) => {
  const [left, top] = placeOf({ lon: west, lat: north }),
    [right, bottom] = placeOf({ lon: east < west ? east + 360 : east, lat: south });
  return [((left + right) / 2 - 0.5) * 360, (Math.atan(Math.sinh(Math.PI * (1 - top - bottom))) * 180) / Math.PI];
};
const isIn = ([west, south, east, north], { lon, lat }) =>
  lat >= south && lat <= north && [-360, 0, 360].some((copy) => lon + copy >= west && lon + copy <= (east < west ? east + 360 : east));
const isMatch = (filter, row) =>
  !filter ||
  Object.entries(filter).every(([name, wanted]) =>
    Array.isArray(wanted)
      ? wanted.includes(row[name])
      : row[name] !== null && row[name] >= (wanted.from ?? -Infinity) && row[name] < (wanted.to ?? Infinity),
  );
/** The ids of rows from the nearest to the farthest. */
const idsFrom = (place, rows) =>
  rows
    .map((row) => [distance(row, place), row.id])
    .sort(([one, a], [other, b]) => (Math.abs(one - other) > 1e-12 ? one - other : a - b))
    .map(([, id]) => id);

function randomRows(count, seed) {
  const random = seededRandom(seed),
    kinds = ["bar", "cafe", null],
    rows = [];
  const add = (lon, lat) =>
    rows.push({
      id: rows.length + 1,
      kind: kinds[Math.floor(random() * 3)],
      price: random() < 0.2 ? null : Math.floor(random() * 40),
      lon: Number((lon >= 180 ? lon - 360 : lon).toFixed(5)),
      lat: Number(lat.toFixed(5)),
    });
  for (let index = 0; index < count * 0.4; index++) add(165 + 30 * random() ** 2, -60 + 70 * random());
  for (let index = 0; index < count * 0.4; index++) add(5 + 9 * random() ** 3, 45 + 8 * random() ** 2);
  for (let index = 0; index < count * 0.08; index++) add(-180 + 360 * random(), -89 + 178 * random());
  for (let index = 0; index < 5; index++) add(-71.06, 42.36);
  while (rows.length < count) add(-46.63, -23.55);
  return rows;
}

function randomFilter(random) {
  const filters = [
    null,
    null,
    { kind: ["bar"] },
    { kind: ["cafe", null] },
    { price: { from: 10, to: 20 } },
    { kind: ["bar", null], price: { from: 20 } },
    { price: { from: 5, to: 12 } },
  ];
  return filters[Math.floor(random() * filters.length)];
}

function randomBox(random, rows) {
  const { lon, lat } = rows[Math.floor(random() * rows.length)],
    span = 40 * random() ** 4 + 0.001,
    shift = () => span * (random() - 0.5);
  const east = lon + span + shift(),
    west = lon - span + shift();
  return [
    west < -180 ? west + 360 : west,
    Math.max(lat - span / 2 + shift(), -90),
    east > 180 ? east - 360 : east,
    Math.min(lat + span / 2 + shift(), 90),
  ].map((degrees) => Number(degrees.toFixed(4)));
}

/** The clusters of a plain tileset, with the ids of their points: `[{ zoom, id, ids, place }]`. */
function clustersOf(directory, rows, groupBy) {
  const byZoom = new Map();
  for (const { z, features } of tilesOf(directory)) byZoom.set(z, (byZoom.get(z) ?? []).concat(features));
  const found = [],
    zooms = [...byZoom.keys()].sort((one, other) => other - one);
  let higher = new Map();
  for (const zoom of zooms) {
    const own = new Map(),
      alone = new Set(
        byZoom
          .get(zoom)
          .filter(({ properties }) => !properties.cluster)
          .map(({ id }) => id),
      );
    for (const { id, bbox, geometry, properties } of byZoom.get(zoom)) {
      const isAlone = properties.coincident && !higher.has(properties.cluster_id);
      const ids = !properties.cluster
        ? [id]
        : isAlone
          ? rows
              .filter(
                (row) =>
                  !alone.has(row.id) &&
                  row.lon === bbox[0] &&
                  row.lat === bbox[1] &&
                  (!groupBy || (row[groupBy] ?? "") === (properties[groupBy] ?? "")),
              )
              .map((row) => row.id)
          : higher.get(properties.cluster_id);
      assert.equal(ids.length, properties.point_count ?? 1);
      if (properties.cluster) found.push({ zoom, id: properties.cluster_id, ids, place: geometry.coordinates });
      // Without a parent, a cluster is shown itself at the lower zoom.
      const holder = properties.parent ?? properties.cluster_id;
      if (holder) own.set(holder, [...(own.get(holder) ?? []), ...ids]);
    }
    higher = own;
  }
  return found;
}

// Tilesets

const clusterings = {
  anchors: [],
  centroid: ["--position", "centroid"],
  grouped: ["--group-by", "kind"],
  limited: ["--coincident-limit", "4", "--cluster-distance", "0-4:70,5-:25", "--unclustered", "price=7"],
  few: ["--min-points", "4", "--cluster-distance", "90"],
  filter: ["--mode", "filter"],
};
const builds = {
  plain: ["anchors"],
  bundled: ["anchors", "--bundle", "24"],
  large: ["anchors", "--bundle", "400"],
  members: ["anchors", "--members", "10"],
  "vector.pmtiles": ["anchors"],
  "geojson.pmtiles": ["anchors", "--format", "geojson"],
  vector: ["anchors", "--format", "mvt"],
  centroid: ["centroid"],
  "centroid-bundled": ["centroid", "--bundle", "60"],
  grouped: ["grouped"],
  "grouped-bundled": ["grouped", "--bundle", "60"],
  limited: ["limited"],
  "limited-bundled": ["limited", "--bundle", "60", "--members", "3"],
  few: ["few"],
  "few-bundled": ["few", "--bundle", "60"],
  hidden: ["filter"],
  "hidden-vector": ["filter", "--format", "mvt"],
  kinds: ["limited", "--members", "10", "--member-properties", "id,kind"],
};
const maxZoom = 8,
  rows = randomRows(700, 5),
  rounds = Number(process.env.ROUNDS ?? 60);
const isUnfiltered = (name) => /hidden/.test(name);
let folder, directories;

function build(name, rows, ...options) {
  const input = join(folder, `${rows.length}.csv`);
  writeFileSync(input, ["id,kind,price,lon,lat", ...rows.map(({ id, kind, price, lon, lat }) => [id, kind, price, lon, lat].join())].join("\n"));
  execFileSync(
    process.env.PYRAMID,
    ["build", input, join(folder, name), "--id-column", "id", "--tile-size", "256", "--no-sync", "--quiet", ...options],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  return join(folder, name);
}
before(() => {
  folder = mkdtempSync(join(tmpdir(), "pyramid-points-"));
  directories = {};
  for (const [name, [clustering, ...options]] of Object.entries(builds)) {
    const filters = isUnfiltered(name) ? [] : ["--filter-by", "kind,price:10:20:30"];
    directories[name] = build(name, rows, "--max-zoom", String(maxZoom), ...filters, ...clusterings[clustering], ...options);
  }
});
after(() => rmSync(folder, { recursive: true }));

const open = (name, host) => Tileset.open(`${origin}/${name}${name.includes(".") ? "" : "/"}`, { fetch: host.fetch, ...quick });
const isVector = (name) => /vector/.test(name);
const byNumber = (ids) => [...ids].sort((one, other) => one - other);

/** Reads points, and looks that no more files are asked for than may be. */
async function read(tileset, host, target, options) {
  const { length } = host.requests,
    found = await tileset.points(target, options);
  assert.ok(host.requests.length - length <= mostFiles, `${host.requests.length - length} requests`);
  return { ...found, ids: found.points.map(({ id, properties }) => id ?? properties.id) };
}

for (const name of Object.keys(builds))
  test(`points in random boxes of ${name} are those of the rows, wherever they are exact`, async (t) => {
    const random = seededRandom(31),
      seen = { exact: 0, unknown: 0, empty: 0, points: 0 };
    let host, tileset;
    for (let round = 0; round < rounds; round++) {
      // Some of the files are there already, as on a map that has been used for a while.
      if (round % 10 === 0) tileset = await open(name, (host = hostOf(directories)));
      const box = round % 20 ? randomBox(random, rows) : everywhere,
        filter = isUnfiltered(name) ? null : randomFilter(random),
        limit = random() < 0.5 ? Infinity : Math.ceil(random() * 20),
        where = `${name} ${JSON.stringify({ box, filter, limit })}`;
      const asked = random() < 0.3 && filter ? ({ properties: { kind = null, price = null } }) => isMatch(filter, { kind, price }) : filter;
      const matching = rows.filter((row) => isMatch(filter, row)),
        expected = idsFrom(
          middleOf(box),
          matching.filter((row) => isIn(box, row)),
        );
      const { ids, count, isExact } = await read(tileset, host, box, { filter: asked, limit });
      if (!isExact) {
        seen.unknown += 1;
        const known = new Set(expected);
        assert.ok(ids.length <= Math.min(count, limit) && ids.every((id) => known.has(id)), where);
        continue;
      }
      seen.exact += 1;
      seen.empty += Number(count === 0);
      seen.points += count;
      assert.equal(count, expected.length, where);
      if (!isVector(name)) assert.deepEqual(ids, expected.slice(0, limit), where);
      else if (limit === Infinity) assert.deepEqual(byNumber(ids), byNumber(expected), where);
    }
    t.diagnostic(`${name}: ${JSON.stringify(seen)}`);
    assert.ok(seen.exact > rounds / 2 && seen.points > 8 * rounds && seen.exact - seen.empty > rounds / 3, JSON.stringify(seen));
  });

for (const [name, [clustering]] of Object.entries(builds).filter(([, [clustering]]) => clustering !== "filter"))
  test(`points of the clusters of ${name} are theirs, wherever they are exact`, async (t) => {
    const plain = build(`${name}-truth`.replace(".", "-"), rows, "--max-zoom", String(maxZoom), "--format", "geojson", ...clusterings[clustering]);
    const random = seededRandom(32),
      seen = { exact: 0, unknown: 0, atOnce: 0 },
      byId = new Map(rows.map((row) => [row.id, row])),
      host = hostOf(directories);
    let tileset, last;
    for (const {
      zoom,
      id,
      ids: members,
      place: [lon, lat],
    } of clustersOf(plain, rows, name.startsWith("grouped") ? "kind" : undefined)) {
      if (random() > rounds / 200) continue;
      if (zoom !== last && zoom % 3 === 0) tileset = undefined;
      [tileset, last] = [tileset ?? (await open(name, host)), zoom];
      const filter = zoom % 2 ? { kind: ["bar", null] } : null,
        around = [lon - 0.1, Math.max(lat - 0.1, -90), lon + 0.1, Math.min(lat + 0.1, 90)];
      for (const marker of await tileset.markers(around, zoom, { filter })) {
        const { isCluster, feature } = marker.whole ?? marker,
          where = `${name} ${zoom} ${marker.key}`;
        if (!isCluster || feature.properties.cluster_id !== id) continue;
        const expected = members.filter((id) => isMatch(filter, byId.get(id))),
          { length } = host.requests;
        let { ids, count, isExact } = await read(tileset, host, marker, { limit: Infinity });
        // Another call reads on.
        if (clustering !== "limited")
          for (let calls = 1; !isExact && calls < 12; calls++) ({ ids, count, isExact } = await read(tileset, host, marker, { limit: Infinity }));
        if (!isExact) {
          seen.unknown += 1;
          assert.ok(ids.every((id) => members.includes(id)) && (filter ? count <= members.length : count === members.length), where);
          continue;
        }
        seen.exact += 1;
        seen.atOnce += Number(host.requests.length === length);
        assert.equal(count, expected.length, where);
        assert.deepEqual(byNumber(ids), byNumber(expected), where);
        // Listed members have no places of their own.
        if (!isVector(name) && !/members|kinds/.test(name))
          assert.deepEqual(
            ids,
            idsFrom(
              marker.feature.geometry.coordinates,
              expected.map((id) => byId.get(id)),
            ),
            where,
          );
      }
    }
    t.diagnostic(`${name}: ${JSON.stringify(seen)}`);
    // Tiles tell all, except of clusters that never split.
    assert.ok(seen.exact && seen.unknown <= (clustering === "limited" ? seen.exact / 5 : 0), JSON.stringify(seen));
    assert.ok(!name.includes("bundled") || seen.atOnce > seen.exact / 2, `points in the same bundle need no request: ${JSON.stringify(seen)}`);
  });

for (const name of ["plain", "bundled", "vector", "grouped-bundled", "centroid-bundled", "few"])
  test(`the marker that holds a point of ${name} is the one that does, wherever it is certain`, async (t) => {
    const plain = build(`${name}-holders`, rows, "--max-zoom", String(maxZoom), "--format", "geojson", ...clusterings[builds[name][0]]);
    const holders = new Map(),
      random = seededRandom(33),
      host = hostOf(directories),
      seen = { exact: 0, unknown: 0, hidden: 0 };
    for (const { zoom, id, ids } of clustersOf(plain, rows, name.startsWith("grouped") ? "kind" : undefined))
      for (const row of ids) holders.set(`${zoom} ${row}`, id);
    for (let round = 0; round < 2 * rounds; round++) {
      const tileset = await open(name, host),
        row = rows[Math.floor(random() * rows.length)],
        zoom = Math.floor(random() * (maxZoom + 1)),
        filter = isUnfiltered(name) ? null : randomFilter(random);
      const where = `${name} ${zoom} ${row.id}`;
      let found;
      for (let calls = 0; calls < 3 && !found?.isExact; calls++) {
        const { length } = host.requests;
        found = await tileset.markerOf({ id: row.id, lngLat: [row.lon, row.lat] }, zoom, { filter });
        assert.ok(host.requests.length - length <= mostFiles, where);
      }
      if (!isMatch(filter, row)) {
        seen.hidden += 1;
        assert.equal(found, null, where);
        continue;
      }
      assert.ok(found, where);
      const { marker, isExact } = found,
        { isCluster, feature } = marker.whole ?? marker;
      seen[isExact ? "exact" : "unknown"] += 1;
      if (isExact) assert.equal(isCluster ? feature.properties.cluster_id : feature.id, holders.get(`${zoom} ${row.id}`) ?? row.id, where);
    }
    t.diagnostic(`${name}: ${JSON.stringify(seen)}`);
    assert.ok(seen.exact && seen.unknown === 0, JSON.stringify(seen));
    await assert.rejects((await open(name, host)).markerOf({ id: 7 }, 3), /found by its place/);
    assert.equal(await (await open(name, host)).markerOf({ id: "none", lngLat: [0, 0] }, 3), null);
  });

for (const name of ["plain", "bundled", "vector.pmtiles", "few-bundled"])
  for (const cacheBytes of [2 ** 26, 1e4])
    test(`a box of ${name} with too many files for a call is read on with a cache of ${cacheBytes} bytes: each call brings more, until all are known`, async () => {
      const filter = { kind: ["cafe", null] },
        host = hostOf(directories),
        tileset = await Tileset.open(`${origin}/${name}${name.includes(".") ? "" : "/"}`, { fetch: host.fetch, ...quick, cacheBytes });
      let known = new Set(),
        calls = 0;
      for (let isAll = false; !isAll; calls++) {
        const { ids, count, isExact } = await read(tileset, host, everywhere, { limit: Infinity, filter });
        // Clusters in vector tiles have no boxes, so some calls read only tiles that have none of their points.
        const isMore = ids.length > known.size || (name.startsWith("vector") && calls < 300 && ids.length === known.size);
        assert.ok(isMore && count >= ids.length && new Set(ids).size === ids.length, `${calls}: ${ids.length} after ${known.size}`);
        assert.deepEqual(
          [...known].filter((id) => !ids.includes(id)),
          [],
        );
        [known, isAll] = [new Set(ids), isExact];
      }
      assert.deepEqual(byNumber(known), byNumber(rows.filter((row) => isMatch(filter, row)).map(({ id }) => id)));
      assert.ok(calls > (name === "few-bundled" ? 0 : 1), `${calls} calls`);
    });

for (const [layout, ...options] of [["plain"], ["bundled", "--bundle", "100"], ["vector", "--format", "mvt"]])
  test(`500 points at one place are known in ${layout} tiles, unless their cluster never splits and doesn't list them`, async () => {
    const spread = randomRows(60, 3),
      all = [...spread, ...Array.from({ length: 500 }, (_, index) => ({ ...spread[0], id: index + 61, lon: 11.5, lat: 48.1 }))],
      ids = all.slice(60).map(({ id }) => id);
    for (const [name, isKnown, ...limits] of [
      ["split", true],
      ["kept", false, "--coincident-limit", "100"],
      ["listed", true, "--coincident-limit", "100", "--members", "500"],
    ]) {
      directories.alike = build(`${layout}-${name}`, all, "--max-zoom", "7", ...options, ...limits);
      const seen = { clusters: 0, boxes: 0 };
      for (let zoom = 0; zoom <= 7; zoom++) {
        const tileset = await open("alike", hostOf(directories)),
          where = `${layout} ${name} ${zoom}`,
          around = [11.49, 48.09, 11.51, 48.11];
        const cluster = (await tileset.markers(around, zoom)).find(({ total }) => total === 500);
        if (!cluster) continue;
        for (const target of [cluster, around]) {
          const found = await tileset.points(target, { limit: Infinity });
          assert.deepEqual([found.count, found.isExact, found.points.length], [500, isKnown, isKnown ? 500 : 0], where);
          if (isKnown) assert.deepEqual(byNumber(found.points.map(({ id, properties }) => id ?? properties.id)), ids, where);
          seen[target === cluster ? "clusters" : "boxes"] += 1;
        }
      }
      assert.ok(seen.clusters > (name === "split" ? 0 : 2), JSON.stringify(seen));
    }
  });

test("points in a box are found though their cluster is drawn far outside it", async (t) => {
  const random = seededRandom(34),
    rows = Array.from({ length: 400 }, (_, index) => ({
      id: index + 1,
      kind: "",
      price: "",
      lon: Number((10 + 3 * random()).toFixed(5)),
      lat: Number((50 + 2 * random()).toFixed(5)),
    }));
  directories.far = build("far", rows, "--max-zoom", "13", "--cluster-distance", "250");
  const host = hostOf(directories),
    seen = { exact: 0, unknown: 0 };
  let tileset;
  for (let round = 0; round < 150; round++) {
    if (round % 5 === 0) tileset = await open("far", host);
    const west = 10 + 2.5 * random(),
      south = 50 + 1.5 * random(),
      size = 0.05 + 0.5 * random(),
      box = [west, south, west + size, south + size / 2];
    const expected = idsFrom(
        middleOf(box),
        rows.filter((row) => isIn(box, row)),
      ),
      { ids, isExact } = await read(tileset, host, box, { limit: Infinity });
    seen[isExact ? "exact" : "unknown"] += 1;
    if (isExact) assert.deepEqual(ids, expected, `${box}`);
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.exact > 50, JSON.stringify(seen));
});

test("a tileset that hides points is exact only where all are read", async () => {
  directories.hiding = build("hiding", rows, "--max-zoom", "12", "--mode", "filter");
  const host = hostOf(directories),
    tileset = await open("hiding", host),
    counts = [];
  for (const box of [
    [5, 45, 9, 49],
    [5.1, 45.1, 5.3, 45.3],
  ]) {
    const { count, isExact } = await read(tileset, host, box);
    if (isExact) assert.equal(count, rows.filter((row) => isIn(box, row)).length);
    counts.push(isExact);
  }
  assert.deepEqual(counts, [false, true]);
});

// The cases for all clients

function makeCases() {
  const rows = randomRows(160, 9),
    random = seededRandom(10),
    boxes = [],
    clusters = [],
    byId = new Map(rows.map((row) => [row.id, row]));
  while (boxes.length < 24) {
    const box = randomBox(random, rows),
      filter = randomFilter(random),
      limit = [5, 100][boxes.length % 2],
      inside = rows.filter((row) => isIn(box, row) && isMatch(filter, row));
    if (inside.length > 2) boxes.push({ box, filter, limit, count: inside.length, points: idsFrom(middleOf(box), inside).slice(0, limit) });
  }
  for (const { zoom, id, ids } of clustersOf(build("cases-truth", rows, "--max-zoom", "6"), rows)) {
    if (random() < 0.75) continue;
    const filter = randomFilter(random),
      members = ids.filter((id) => isMatch(filter, byId.get(id)));
    if (members.length > 1) clusters.push({ zoom, cluster: id, filter, limit: 8, count: members.length, points: byNumber(members) });
  }
  // More files than a call reads: another call reads on.
  const calls = [null, { kind: ["cafe", null] }].map((filter) => {
    const found = rows.filter((row) => isMatch(filter, row));
    return { box: everywhere, filter, limit: 1000, count: found.length, points: idsFrom(middleOf(everywhere), found) };
  });
  return {
    rows,
    build: ["--max-zoom", "6", "--tile-size", "256", "--filter-by", "kind,price:10:20:30"],
    layouts: { plain: [], bundled: ["--bundle", "30"] },
    boxes,
    calls,
    clusters,
  };
}

/** One case a line. */
function textOf(cases) {
  const members = Object.entries(cases).map(
    ([name, value]) =>
      `"${name}": ${["rows", "boxes", "calls", "clusters"].includes(name) ? `[\n${value.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]` : JSON.stringify(value)}`,
  );
  return `{\n  ${members.join(",\n  ")}\n}\n`;
}

test("the cases for all clients are those of the rows, and the library answers them", async () => {
  const cases = makeCases();
  if (process.env.WRITE_CASES) writeFileSync(casesFile, textOf(cases));
  assert.equal(readFileSync(casesFile, "utf8"), textOf(cases));
  for (const [layout, options] of Object.entries(cases.layouts)) {
    directories[`cases-${layout}`] = build(`cases-${layout}`, cases.rows, ...cases.build, ...options);
    const tileset = await open(`cases-${layout}`, hostOf(directories));
    for (const { box, filter, limit, count, points } of cases.boxes) {
      const found = await tileset.points(box, { filter, limit });
      assert.deepEqual([found.points.map(({ id }) => id), found.count, found.isExact], [points, count, true], `${layout} ${box}`);
    }
    for (const { box, filter, limit, count, points } of cases.calls) {
      // Without files in memory.
      const tileset = await open(`cases-${layout}`, hostOf(directories)),
        numbers = [];
      for (let found; !found?.isExact; numbers.push(found.points.length)) {
        found = await tileset.points(box, { filter, limit });
        assert.ok(found.points.length > (numbers.at(-1) ?? 0), `${layout}: ${numbers}, then ${found.points.length}`);
        if (found.isExact) assert.deepEqual([found.points.map(({ id }) => id), found.count], [points, count], layout);
      }
      assert.ok(layout !== "plain" || numbers.length > 1, `plain tiles take ${numbers.length} calls`);
    }
    for (const { zoom, cluster, filter, limit, count, points } of cases.clusters) {
      const marker = (await tileset.markers(everywhere, zoom)).find(({ feature: { properties } }) => properties.cluster_id === cluster);
      const found = await tileset.points(marker, { filter, limit }),
        all = await tileset.points(marker, { filter });
      assert.deepEqual(
        [byNumber(all.points.map(({ id }) => id)), found.points.length, found.count, found.isExact],
        [points, Math.min(limit, count), count, true],
        `${layout} ${zoom} ${cluster}`,
      );
    }
  }
});
