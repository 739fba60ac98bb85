// Filters: what is refused, what is counted, and a comparison with a count over the rows.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { MarkerView, Tileset, countsByValue } from "../../Sources/PyramidWeb/index.js";
import { Appearance } from "../../Sources/PyramidWeb/markers/appearance.js";
import { stacked } from "../../Sources/PyramidWeb/markers/stacks.js";
import { BundleIndex } from "../../Sources/PyramidWeb/tileset/bundle-index.js";
import { covering } from "../../Sources/PyramidWeb/tileset/geometry.js";
import { Facets } from "../../Sources/PyramidWeb/tileset/facets.js";
import { Filter } from "../../Sources/PyramidWeb/tileset/filter.js";
import { Records } from "../../Sources/PyramidWeb/tileset/records.js";
import { MapAdapter } from "../../Sources/PyramidWeb/markers/map-adapter.js";
import { fakePage, noSurface } from "./page.mjs";
import { hostOf, seededRandom, tilesOf } from "./pyramids.mjs";

const origin = "https://tiles.example.org",
  quick = { retryMilliseconds: 1, patienceMilliseconds: 20 };
const reply = (value) => new Response(JSON.stringify(value));
const next = (target, type) => new Promise((resolve) => target.addEventListener(type, (event) => resolve(event.detail), { once: true }));

// A small tileset by hand: one bundle, from zoom 2 on, and a tile of zoom 1 that holds one cluster of all its points.

const facets = {
  columns: [{ name: "kind" }, { name: "price", edges: [0, 10, 50] }],
  counts: {
    '["bar",[0,10]]': 2,
    '["cafe",[10,50]]': 2,
    '["cafe",null]': 1,
    "[null,[50,null]]": 1,
    '[["bar","cafe"],[null,0]]': 1,
    '["pub",[0,10]]': 5,
  },
};
const place = (longitude, latitude) => ({ type: "Point", coordinates: [longitude, latitude] });
const point = (id, longitude, latitude, properties, zooms) => ({
  type: "Feature",
  ...zooms,
  id,
  geometry: place(longitude, latitude),
  properties: { name: `no. ${id}`, ...properties },
});
const cluster = (id, longitude, latitude, count, properties, zooms) => ({
  type: "Feature",
  ...zooms,
  id,
  bbox: [longitude - 5, latitude - 5, longitude + 5, latitude + 5],
  geometry: place(longitude, latitude),
  properties: { cluster: true, cluster_id: id, point_count: count, point_count_abbreviated: count, sum: 99, ...properties },
});
// 100 at zooms 2 and 3 has 101 and two points; 101 at zooms 4 and 5 has three points at two places. 200 never opens.
const bundle = {
  type: "FeatureCollection",
  features: [
    cluster(100, 20, 20, 5, { expansion_zoom: 4 }, { maxzoom: 3, parent_id: 7 }),
    cluster(101, 20, 20, 3, { expansion_zoom: 6 }, { minzoom: 4, maxzoom: 5, parent: 0 }),
    point(1, 20, 20, { kind: "bar", price: 5 }, { minzoom: 6, parent: 1 }),
    point(2, 20.5, 20.5, { kind: "bar", price: 9.5 }, { minzoom: 6, parent: 1 }),
    point(3, 20.5, 20.5, { kind: "cafe", price: 10 }, { minzoom: 6, parent: 1 }),
    point(4, 22, 22, { kind: "cafe", price: 49 }, { minzoom: 4, parent: 0 }),
    point(5, 23, 23, { kind: "cafe", price: "free" }, { minzoom: 4, parent: 0 }),
    point(6, 40, 40, { price: 50 }, { parent_id: 7 }),
    point(7, 60, 60, { kind: ["cafe", "bar"], price: -1 }, { parent_id: 7 }),
    cluster(200, 50, 20, 5, { coincident: true, facets: [[], [4]] }, { parent_id: 7 }),
  ],
  facets: [["pub", [0, 10]]],
};
const top = {
  type: "FeatureCollection",
  features: [cluster(7, 20, 20, 12, { expansion_zoom: 2, kind: { bar: 2, other: 10 }, facets: [[], [1, 1, 0, 0, 4]] })],
  facets: [
    ["bar", [0, 10]],
    ["cafe", [10, 50]],
    ["cafe", null],
    [null, [50, null]],
    ["pub", [0, 10]],
    [
      ["bar", "cafe"],
      [null, 0],
    ],
  ],
};
const metadata = {
  tiles: ["tiles/{z}/{x}/{y}.json"],
  minzoom: 1,
  maxzoom: 7,
  point_count: 12,
  facets,
  bundles: { limit: 9, root: 3, template: "bundles/{z}/{x}/{y}.json" },
};
// 0/0/0 nothing, 1/1/0 a tile, in which only 2/2/1 is a bundle.
metadata.bundles.index = Buffer.from(
  await new Response(new Blob([new Uint8Array([2 << 2, 1 << 4])]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
).toString("base64");

const everywhere = [-180, -85, 180, 85],
  around = [1, 1, 89, 66];
function handMade() {
  const host = hostOf({});
  host.answer = (path) =>
    reply(
      path.endsWith("tilejson.json")
        ? metadata
        : path.endsWith("/bundles/2/2/1.json")
          ? bundle
          : path.endsWith("/tiles/1/1/0.json")
            ? top
            : { features: [] },
    );
  return host;
}
const openHandMade = () => Tileset.open(`${origin}/x/`, { fetch: handMade().fetch, ...quick });
const told = (markers) =>
  markers.map(({ key, count, total, isCluster, isExact, x }) => `${isExact ? "" : "~"}${key} ${count}/${total}${isCluster ? "" : "."}`).sort();

test("nonsense is an error that names the cure", async () => {
  const known = new Facets(facets),
    no = (input, type, message) =>
      assert.throws(
        () => new Filter(input, known),
        (error) => error instanceof type && message.test(error.message),
        JSON.stringify(input),
      );
  no({ color: ["red"] }, RangeError, /can't filter by "color".*"kind", "price".*--filter-by color/);
  no([], TypeError, /a filter is null, a function, or an object/);
  no("bar", TypeError, /a filter is null/);
  no({ kind: "bar" }, TypeError, /the filter of "kind" is a list/);
  no({ kind: null }, TypeError, /a list/);
  no({ kind: [["bar"]] }, TypeError, /"kind" can't be filtered by \["bar"\]/);
  no({ price: [NaN] }, TypeError, /can't be filtered/);
  no({ price: { from: 10, until: 20 } }, TypeError, /a range/);
  no({ price: { from: "10" } }, TypeError, /a range/);
  no({ price: { from: 20, to: 10 } }, RangeError, /goes from 20 to 10/);
  no({ price: { from: NaN } }, RangeError, /goes from NaN/);
  no({ price: ["0-20"] }, RangeError, /no "price" is \["0-20"\], but \["<0","0-10","10-50","50\+"/);
  assert.throws(() => new Filter({ kind: ["bar"] }, null), /no columns to filter by. Build it with --filter-by kind/);
  for (const fine of [
    {},
    { kind: [] },
    { kind: undefined },
    { kind: ["nowhere", 7, true, null] },
    { price: {} },
    { price: { from: 10, to: 10 } },
    { price: ["50+", null, 7] },
  ])
    new Filter(fine, known);
});

test("texts and the values that are written like them are the same, and a value that no point has is told once, with those that there are", async (t) => {
  const warnings = [];
  t.mock.method(console, "warn", (text) => warnings.push(text));
  const json = { columns: [{ name: "open" }, { name: "size" }], counts: { '[true,"10"]': 4, "[false,7.5]": 2, '["null",10]': 1, "[null,null]": 1 } };
  const known = new Facets(json),
    open = [true, false, "null", null],
    size = ["10", 7.5, 10, null];
  const chosen = (input) =>
    open.filter((open, index) => {
      const filter = new Filter(input, known);
      assert.equal(filter.share([open, size[index]]), Number(filter.matches({ properties: { open, size: size[index] } })));
      return filter.share([open, size[index]]);
    });
  for (const [wanted, found] of [
    [["true"], [true]],
    [[true], [true]],
    [
      ["false", "null"],
      [false, "null"],
    ],
    [[null], [null]],
    [["TRUE"], []],
  ])
    assert.deepEqual(chosen({ open: wanted }), found, JSON.stringify(wanted));
  for (const [wanted, found] of [
    [["10"], [true, "null"]],
    [[10], [true, "null"]],
    [["7.5"], [false]],
    [[7.5], [false]],
    [["7.50"], []],
  ])
    assert.deepEqual(chosen({ size: wanted }), found, JSON.stringify(wanted));
  const [opens, sizes] = ['but [true,false,"null",null]', "but [7.5,10,null]"];
  assert.deepEqual(warnings.splice(0), [`no "open" is ["TRUE"], ${opens}`, `no "size" is ["7.50"], ${sizes}`]);
  const tileset = await openHandMade();
  for (const kind of [["bar", "restaurant"], ["cafe"], ["restaurant", "bar"], [7, null]]) tileset.matching({ kind });
  const values = 'but ["pub","cafe","bar",null]';
  assert.deepEqual(warnings, [`no "kind" is ["restaurant"], ${values}`, `no "kind" is [7], ${values}`]);
});

test("the columns have their values in the order of a legend", async () => {
  const tileset = await openHandMade();
  assert.deepEqual(tileset.facets, [
    { name: "kind", type: "string", hasSets: true, values: ["pub", "cafe", "bar", null] },
    { name: "price", type: "range", edges: [0, 10, 50], hasSets: false, values: ["<0", "0-10", "10-50", "50+", null] },
  ]);
  const numbers = new Facets({
    columns: [{ name: "stars" }, { name: "open" }],
    counts: { "[10,true]": 1, "[9,false]": 7, "[null,true]": 9, '[-0.5,"no"]': 1 },
  });
  assert.deepEqual(
    numbers.columns.map(({ type, values }) => [type, values]),
    [
      ["number", [-0.5, 9, 10, null]],
      ["mixed", [true, false, "no"]],
    ],
  );
  const known = new Facets(facets),
    ofPrice = (price) => known.valuesOf(1, price);
  assert.deepEqual([-3, 0, 49.999, 50, "7", [7]].map(ofPrice), [["<0"], ["0-10"], ["10-50"], ["50+"], [null], [null]]);
  assert.deepEqual(
    [["bar", "", "bar", null], [null], "", undefined, 7].map((kind) => known.valuesOf(0, kind)),
    [["bar"], [null], [null], [null], [7]],
  );
});

test("a filter leaves a subset of the markers, with exact counts, and one point of a cluster is a point at its place", async () => {
  const tileset = await openHandMade(),
    shown = (z, filter) => tileset.markers(around, z, { filter }).then(told);
  assert.deepEqual(await shown(2, {}), ["cluster 100 5/5", "cluster 200 5/5", "point 6 1/1.", "point 7 1/1."]);
  assert.deepEqual(await shown(1, { kind: [null] }), ["cluster 7 1/12."], "which one, isn't known here");
  const [lone] = await tileset.markers(around, 3, { filter: { price: [null] } }),
    [whole] = await tileset.markers([19, 19, 21, 21], 3);
  assert.deepEqual([lone.x, lone.y, lone.feature.id, lone.whole], [whole.x, whole.y, 5, whole]);
  const [unread] = await tileset.markers(around, 1, { filter: { kind: [null] } });
  assert.deepEqual([unread.isCluster, unread.feature.properties, unread.feature.id], [false, { expansion_zoom: 2 }, undefined]);
  const [filtered] = await tileset.markers(around, 1, { filter: { kind: ["cafe"] } });
  assert.deepEqual(
    filtered.feature.properties,
    { cluster: true, cluster_id: 7, point_count: 4, point_count_abbreviated: "4", expansion_zoom: 2 },
    "sums are of all points",
  );
});

test("where only some points of a range match, or a function is asked, clusters outside of bundles are unknown", async () => {
  const tileset = await openHandMade(),
    shown = (z, filter) => tileset.markers(around, z, { filter }).then(told);
  assert.deepEqual(await shown(2, { price: { from: 9.5 } }), ["cluster 100 3/5", "point 6 1/1.", "~cluster 200 5/5"]);
  assert.deepEqual(await shown(2, { price: { from: 9.5 }, kind: ["cafe", "bar"] }), ["cluster 100 3/5"], "no pub matches, whatever its price");
  assert.deepEqual(await shown(2, { price: [9.5, 50] }), ["point 2 1/5.", "point 6 1/1.", "~cluster 200 5/5"]);
  const even = ({ id }) => id % 2 === 0;
  assert.deepEqual(await shown(4, even), ["point 2 1/3.", "point 4 1/1.", "point 6 1/1.", "~cluster 200 5/5"]);
  const [unknown] = await tileset.markers(around, 1, { filter: even }),
    appearance = new Appearance({ colorBy: "kind" });
  assert.equal(appearance.look(unknown).label, "~12");
  assert.equal(appearance.look(unknown).slices, undefined);
});

test("rings and counts by value are of what matches", async () => {
  const tileset = await openHandMade(),
    filter = { price: { from: 0, to: 50 } },
    [all] = await tileset.markers(around, 1, { filter });
  const [unfiltered] = await tileset.markers(around, 1);
  assert.deepEqual(
    [...countsByValue([unfiltered], "kind")].sort(),
    [
      ["", 1],
      ["bar", 3],
      ["cafe", 4],
      ["pub", 5],
    ],
    "of all values, not of the most frequent",
  );
  assert.equal(new Appearance({ colorBy: "kind", colors: { bar: "#111", pub: "#222" } }).look(all).slices.length, 3);
  assert.deepEqual(tileset.counts("price", { filter: () => true, markers: [] }).get("50+"), { all: 1, filtered: undefined, inView: 0 });
  assert.deepEqual(
    [tileset.matching(null), tileset.matching({ price: { to: 5 } })],
    [
      { count: 12, total: 12 },
      { count: undefined, total: 12 },
    ],
  );
  assert.throws(() => tileset.counts("name"), /can't filter by "name"/);
});

test("a view filters at once, without requests, and markers stay where they are", async () => {
  const host = handMade(),
    view = new MarkerView(`${origin}/x/`, { fetch: host.fetch, ...quick }),
    filters = [];
  view.addEventListener("filter", ({ detail }) => filters.push(detail.filter));
  view.filter({ kind: ["bar"] });
  await next(view, "open");
  assert.throws(() => view.filter({ color: [1] }), RangeError);
  assert.deepEqual(view.currentFilter, { kind: ["bar"] }, "the filter before stays");
  view.move(around, 2);
  await next(view, "settled");
  assert.deepEqual(told(view.markers), ["cluster 100 2/5", "point 7 1/1."]);
  const { length } = host.requests,
    chosen = { kind: ["cafe"] },
    changed = next(view, "change");
  view.filter(chosen);
  const { isZoom, changes } = await changed;
  assert.deepEqual([isZoom, changes.updated.length, changes.added.length, changes.removed.length, changes.moved.length], [false, 1, 0, 0, 0]);
  assert.deepEqual(told(view.markers), ["cluster 100 3/5", "point 7 1/1."]);
  chosen.kind.push("pub");
  view.filter(chosen);
  assert.deepEqual(told(view.markers), ["cluster 100 3/5", "cluster 200 5/5", "point 7 1/1."], "a changed object is another filter");
  assert.equal(view.counts("kind").get("pub").inView, 5);
  view.filter({ price: [null] });
  const before = new Map(view.markers.map((marker) => [marker.key, marker]));
  view.filter(null);
  assert.equal(host.requests.length, length);
  assert.deepEqual([before.get("point 5").x, filters.length], [view.markers.find(({ key }) => key === "cluster 100").x, 5]);
  view.move(around, 6);
  view.filter({ kind: ["bar"], price: { from: 5 } });
  await next(view, "settled");
  assert.deepEqual(told(view.markers), ["point 1 1/1.", "point 2 1/1."]);
  view.close();
});

test("points that a filter leaves at one place are another stack", async () => {
  const tileset = await openHandMade(),
    all = stacked(await tileset.markers(around, 6)),
    cafes = stacked(await tileset.markers(around, 6, { filter: { kind: ["cafe"] } }));
  assert.ok(all.some(({ points }) => points?.length === 2) && cafes.every(({ points }) => !points));
  const lone = await tileset.markers(around, 3, { filter: { price: [null] } });
  assert.equal(stacked([...lone, { ...lone[0], key: "other", whole: undefined }]).length, 2, "a cluster's last point is no part of a stack");
});

test("a stack of other points is a change, also if it has as many", async () => {
  const host = hostOf({}),
    features = [1, 2, 3].map((id) => point(id, 5, 5)),
    changes = [];
  host.answer = (path) => reply(path.endsWith("tilejson.json") ? { tiles: ["{z}/{x}/{y}.json"], minzoom: 0, maxzoom: 0 } : { features });
  const view = new MarkerView(`${origin}/x/`, { fetch: host.fetch, ...quick });
  view.move(everywhere, 0);
  await next(view, "settled");
  view.filter(({ id }) => id !== 2);
  view.addEventListener("change", ({ detail }) => changes.push(detail.changes.updated.length));
  view.filter(({ id }) => id !== 3);
  assert.deepEqual([changes, view.markers.map(({ points }) => points.map(({ feature: { id } }) => id))], [[1], [[1, 2]]]);
  view.close();
});

test("what was read with other columns is unknown until it is read again", async () => {
  const old = new Facets(facets),
    turned = new Facets({ columns: [{ name: "price" }, { name: "kind" }], counts: {} });
  const records = new Records(
    { features: top.features, table: top.facets, unit: 0 },
    { isBundle: false, z: 1, x: 1, y: 0 },
    { lastZoom: 7, facets: old },
  );
  assert.deepEqual(told(records.shown(1, new Filter({ kind: ["cafe"] }, old))), ["cluster 7 4/12"]);
  assert.deepEqual(told(records.shown(1, new Filter({ kind: ["cafe"] }, turned))), ["~cluster 7 12/12"]);
});

test("counts that are no counts are unknown", () => {
  const known = new Facets(facets),
    [{ properties, ...feature }] = top.features;
  for (const stated of [undefined, null, true, 5, "5", {}, [], [5], [null, null], [0, 4, 2, 8], [[], [1]], [[], [20]], [[9], []]]) {
    const features = [{ ...feature, properties: { ...properties, facets: stated } }],
      records = new Records({ features, table: top.facets, unit: 0 }, { isBundle: false, z: 1, x: 1, y: 0 }, { lastZoom: 7, facets: known });
    assert.deepEqual(told(records.shown(1, new Filter({ kind: ["cafe"] }, known))), ["~cluster 7 12/12"], JSON.stringify(stated));
  }
});

test("listed members count only if they have what the filter asks for", async () => {
  const leavesOf = async (members, filter = { kind: ["bar"] }) => {
    const host = hostOf({}),
      features = [
        cluster(9, 5, 5, 5, {
          members,
          facets: [
            [0, 0, 1],
            [1, 0, 1],
          ],
        }),
      ];
    host.answer = (path) =>
      reply(path.endsWith("tilejson.json") ? { ...metadata, bundles: undefined, minzoom: 0, maxzoom: 0 } : { features, facets: top.facets });
    const tileset = await Tileset.open(`${origin}/x/`, { fetch: host.fetch, ...quick }),
      [marker] = await tileset.markers(everywhere, 0, { filter });
    return (await tileset.points(marker)).points.map(({ properties: { n } }) => n);
  };
  assert.deepEqual(
    await leavesOf([
      { n: 1, kind: "bar" },
      { n: 2, kind: "cafe" },
      { n: 3, kind: "bar" },
    ]),
    [1, 3],
  );
  assert.deepEqual([await leavesOf([1, 2, 3]), await leavesOf([{ n: 1 }, { n: 2 }, { n: 3 }], { kind: [null] })], [[], []]);
});

test("an unknown column that was chosen before the tileset is open is an error then", async () => {
  const view = new MarkerView(`${origin}/x/`, { fetch: handMade().fetch, ...quick });
  view.filter({ color: ["red"] });
  view.move(around, 2);
  const { error } = await next(view, "error");
  assert.match(error.message, /can't filter by "color"/);
  assert.deepEqual(view.markers, []);
  view.close();
});

test("a click on a filtered cluster goes on until its points come apart; a lone point opens", async () => {
  fakePage();
  const flights = [],
    viewport = { box: around, zoom: 2 },
    tells = [];
  const surface = {
    ...noSurface,
    viewport: () => viewport,
    size: () => [130, 400],
    pixelOf: () => [65, 200],
    fly: (place, zoom) => flights.push(zoom),
  };
  const adapter = new MapAdapter(`${origin}/x/`, { fetch: handMade().fetch, ...quick }, surface),
    { markers } = adapter;
  markers.addEventListener("details", (event) => {
    tells.push(event.detail);
    event.preventDefault();
  });
  try {
    await next(markers, "settled");
    assert.deepEqual(markers.shown.map(({ key }) => key).sort(), markers.view.markers.map(({ key }) => key).sort(), "settled when it is drawn");
    const click = (key) => {
      const marker = markers.view.markers.find((marker) => marker.key === key);
      return markers.click({ key, marker, x: marker.x, y: marker.y, alpha: 1, isLeaving: false });
    };
    markers.filter({ kind: ["bar"] });
    await click("cluster 100");
    assert.deepEqual(flights, [7], "as large as the two bars fit, not the box of all five points");
    markers.filter({ price: [null] });
    await click("point 5");
    assert.deepEqual([flights.length, tells.map(({ title }) => title)], [1, ["no. 5"]]);
    assert.deepEqual([markers.facets.length, markers.matching, markers.counts("kind").get("cafe").inView], [2, { count: 1, total: 12 }, 1]);
    viewport.zoom = 1;
    markers.filter({ kind: [null] });
    adapter.moved(true);
    await next(markers, "settled");
    await click("cluster 7");
    assert.deepEqual(flights, [7, 2], "zooms on to a point that isn't read yet");
  } finally {
    markers.remove();
    delete globalThis.document;
  }
});

// The oracle: random rows and filters, counted row by row. What each cluster holds comes from a plain tileset.

const maxZoom = 8,
  regions = [
    [3, 43, 18, 56],
    [168, -25, 192, -8],
    [-80, 32, -60, 48],
  ],
  edges = [0, 10, 20, 50];

/** Rows with strings, booleans, numbers and sets, clustered, some at one place, on both sides of the antimeridian. */
function randomRows(count) {
  const random = seededRandom(5),
    pick = (values) => values[Math.floor(random() * values.length)],
    rows = [];
  const centers = [
    [10, 50],
    [179.9, -17],
    [-70, 40],
    [-179.5, -15],
    [9, 48.5],
  ];
  for (let id = 0; id < count; id++) {
    const [east, north] = pick(centers),
      spread = () => (random() - 0.5) * 8 * random();
    let [longitude, latitude] = [east + 1.5 * spread(), north + spread()];
    if (random() < 0.06)
      [longitude, latitude] = pick([
        [12.5, 51.25],
        [-70.125, 40.25],
        [179.5, -17.5],
      ]);
    const properties = { name: `no. ${id}` };
    if (random() < 0.9) properties.kind = pick(["bakery", "cafe", "cafe", "bar", "pub"]);
    if (random() < 0.9) properties.price = pick([Math.round(random() * 70) - 5, Math.round(random() * 6000) / 100, pick(edges), "free"]);
    if (random() < 0.9) properties.open = random() < 0.5;
    if (random() < 0.7) properties.stars = pick([1, 2.5, 4, "4", "2.5"]);
    if (random() < 0.8)
      properties.tags = pick([["vegan"], ["wifi", "vegan"], [], ["wifi", "7"], "wifi", null, ["pets", "wifi", 7], 7, [null, "pets"]]);
    rows.push({ id, longitude: Number((((longitude + 540) % 360) - 180).toFixed(6)), latitude: Number(latitude.toFixed(6)), properties });
  }
  return rows;
}

const columns = {
  stars: [1, 2.5, 4, null],
  kind: ["bakery", "cafe", "bar", "pub", "nothing", null],
  open: [true, false, null],
  tags: ["vegan", "wifi", "pets", 7, null],
  price: ["<0", "0-10", "10-20", "20-50", "50+", null],
};

/** A filter, the same as a test of a row, and whether every combination of values decides it. */
function randomFilter(random) {
  const pick = (values) => values[Math.floor(random() * values.length)],
    some = (values) => values.filter(() => random() < 0.4);
  if (random() < 0.1) {
    const digit = String(Math.floor(random() * 10)),
      isMatch = ({ properties: { name } }) => name.endsWith(digit);
    return { input: isMatch, isMatch, isDecided: false };
  }
  const input = {},
    tests = [],
    names = Object.keys(columns)
      .sort(() => random() - 0.5)
      .slice(0, 1 + Math.floor(random() * 2));
  let isDecided = true;
  for (const name of names) {
    if (name === "price" && random() < 0.7) {
      const isAligned = random() < 0.5,
        limits = [0, 1]
          .map(() => (random() < 0.2 ? null : isAligned ? pick(edges) : Math.round(random() * 650) / 10))
          .sort((one, other) => (one === null || other === null ? 0 : one - other));
      const [from, to] = limits;
      input.price = { ...(from !== null && { from }), ...(to !== null && { to }) };
      isDecided &&= limits.every((limit) => limit === null || edges.includes(limit));
      tests.push(({ price }) => typeof price === "number" && !(price < from && from !== null) && !(to !== null && price >= to));
      continue;
    }
    if (name === "stars" && random() < 0.5) {
      const [from, to] = [pick(columns.stars) ?? -5, pick(columns.stars) ?? 7].sort((one, other) => one - other);
      input.stars = { from, to };
      tests.push(({ stars }) => stars >= from && stars < to);
      continue;
    }
    const wanted = some(columns[name]);
    input[name] = wanted;
    if (name !== "price") {
      tests.push(({ [name]: value }) => {
        const values = [value].flat().filter((one) => one !== null && one !== undefined);
        return values.length ? values.some((one) => wanted.map(String).includes(String(one))) : wanted.includes(null);
      });
    } else {
      const limits = { "<0": [-1e9, 0], "0-10": [0, 10], "10-20": [10, 20], "20-50": [20, 50], "50+": [50, 1e9] };
      tests.push(({ price }) =>
        wanted.some((range) =>
          range === null ? typeof price !== "number" : typeof price === "number" && price >= limits[range][0] && price < limits[range][1],
        ),
      );
    }
  }
  return { input, isMatch: ({ properties }) => tests.every((test) => test(properties)), isDecided };
}

/** By zoom: the markers of a plain tileset, each with its rows. */
function membership(directory, rows, groupBy) {
  const byZoom = new Map(),
    byPlace = new Map();
  for (const row of rows) {
    const name = `${row.longitude} ${row.latitude}`;
    byPlace.set(name, [...(byPlace.get(name) ?? []), row]);
  }
  for (const { z, features } of tilesOf(directory)) byZoom.set(z, (byZoom.get(z) ?? []).concat(features.map((feature) => ({ feature, rows: [] }))));
  for (const z of [...byZoom.keys()].sort((one, other) => other - one)) {
    const clusters = new Map(
      byZoom
        .get(z)
        .filter(({ feature }) => feature.properties.cluster)
        .map((marker) => [marker.feature.id, marker]),
    );
    // Without a parent, a cluster is shown itself at the lower zoom.
    for (const { feature, rows } of byZoom.get(z + 1) ?? [])
      clusters.get(feature.properties.parent ?? feature.properties.cluster_id)?.rows.push(...rows);
    for (const marker of byZoom.get(z)) {
      const { id, properties, bbox } = marker.feature;
      if (!properties.cluster) marker.rows = [rows[id]];
      else if (properties.expansion_zoom === undefined)
        marker.rows = byPlace.get(`${bbox[0]} ${bbox[1]}`).filter((row) => !groupBy || row.properties[groupBy] === properties[groupBy]);
      // Those that are a cluster, and then the same one by another id, have no members but themselves.
      assert.equal(marker.rows.length, properties.point_count ?? 1, `${z} ${JSON.stringify(marker.feature)}`);
    }
  }
  return byZoom;
}

const builds = {
  bundled: [["--bundle", "64"], []],
  limited: [
    ["--bundle", "24"],
    ["--coincident-limit", "5", "--group-by", "open"],
  ],
  plain: [[], ["--coincident-limit", "5"]],
  coarse: [
    ["--bundle", "100", "--count-by", "kind", "--accumulate-attribute", "price:max"],
    ["--min-points", "3", "--min-zoom", "2", "--cluster-maxzoom", "6"],
  ],
  whole: [
    ["--bundle", "10000"],
    ["--cluster-distance", "80", "--position", "centroid"],
  ],
  vector: [
    ["--format", "mvt"],
    ["--tile-size", "512"],
  ],
  "vector.pmtiles": [[], ["--tile-size", "512"]],
  "geojson.pmtiles": [["--format", "geojson"], []],
};
let built;
before(() => {
  const folder = mkdtempSync(join(tmpdir(), "pyramid-filters-")),
    rows = randomRows(Number(process.env.ROWS ?? 2000)),
    input = join(folder, "rows.json");
  writeFileSync(
    input,
    JSON.stringify({
      type: "FeatureCollection",
      features: rows.map(({ id, longitude, latitude, properties }) => ({ type: "Feature", id, geometry: place(longitude, latitude), properties })),
    }),
  );
  const build = (name, ...options) => {
    execFileSync(process.env.PYRAMID, ["build", input, join(folder, name), "--max-zoom", String(maxZoom), "--no-sync", "--quiet", ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return join(folder, name);
  };
  const directories = { remove: () => rmSync(folder, { recursive: true }) };
  for (const [name, [content, clustering]] of Object.entries(builds)) {
    directories[name] = build(name, "--filter-by", "kind,price:0:10:20:50", "--filter-by", "tags,open,stars", ...content, ...clustering);
    const plain = build(
      `${name} plain`.replace(".", "-"),
      "--format",
      "geojson",
      ...(clustering.includes("--tile-size") ? [] : ["--tile-size", "256"]),
      ...clustering,
    );
    directories[`${name} markers`] = membership(plain, rows, clustering.includes("--group-by") ? "open" : undefined);
  }
  built = { ...directories, rows };
});
after(() => built?.remove());

for (const [name, [, clustering]] of Object.entries(builds))
  test(`200 random filters of ${name}: every exact count is that of the rows, and all are exact that can be`, async (t) => {
    const { rows } = built,
      tileset = await Tileset.open(`${origin}/${name}${name.includes(".") ? "" : "/"}`, { fetch: hostOf(built).fetch, ...quick }),
      random = seededRandom(77);
    const byZoom = built[`${name} markers`],
      { bundles } = tileset.tileJSON,
      index = bundles && (await BundleIndex.decode(bundles)),
      seen = { exact: 0, unknown: 0, lone: 0, listed: 0 };
    const first = tileset.minzoom,
      loads = [];
    for (let z = first; z <= maxZoom; z++) {
      const zoomLoads = (z < 6 ? [everywhere] : regions).map((box) => tileset.load(box, z));
      for (const { finished } of zoomLoads) assert.deepEqual(await finished, []);
      loads.push(zoomLoads);
    }
    // Whether all rows are in the bundle of a cluster, without clusters that never open.
    const tileOf = ([longitude, latitude], z) => {
      const [{ x, y }] = covering([longitude, latitude, longitude, latitude], z);
      return { z, x, y };
    };
    const closed = new Set(
      byZoom
        .get(maxZoom)
        .filter(({ feature }) => feature.properties.cluster)
        .flatMap(({ rows }) => rows),
    );
    const fileAt = (coordinates) => {
      const file = index?.find(tileOf(coordinates, maxZoom));
      return file?.isBundle ? `${file.z}/${file.x}/${file.y}` : null;
    };
    for (const row of rows) row.file = fileAt([row.longitude, row.latitude]);
    for (const [z, markers] of byZoom)
      for (const marker of markers) {
        const file = index?.find(tileOf(marker.feature.geometry.coordinates, z));
        marker.isComplete =
          (marker.rows.length === 1 && !marker.feature.properties.cluster) ||
          (Boolean(file?.isBundle) && marker.rows.every((row) => row.file === `${file.z}/${file.x}/${file.y}` && !closed.has(row)));
      }
    for (let round = 0; round < Number(process.env.FILTERS ?? 200); round++) {
      const { input, isMatch, isDecided } = randomFilter(random),
        what = typeof input === "function" ? String(input) : JSON.stringify(input);
      for (const row of rows) row.isMatch = isMatch(row);
      for (let z = first; z <= maxZoom; z++) {
        const found = new Map(loads[z - first].flatMap((load) => load.markers(input)).map((marker) => [(marker.whole ?? marker).feature.id, marker])),
          matching = { counts: 0, isExact: true };
        for (const { feature, rows: members, isComplete } of byZoom.get(z)) {
          const expected = members.filter((row) => row.isMatch),
            { length } = expected,
            marker = found.get(feature.id),
            where = `${name} ${what} at ${z}: ${JSON.stringify(feature.id)}`;
          found.delete(feature.id);
          if (!marker) {
            assert.equal(length, 0, where);
            continue;
          }
          if (!marker.isExact) {
            assert.ok(!isDecided && !isComplete, `should be exact: ${where}`);
            assert.deepEqual([marker.count, marker.total], [members.length, members.length], where);
            [matching.isExact, seen.unknown] = [false, seen.unknown + 1];
            continue;
          }
          seen.exact += 1;
          matching.counts += marker.count;
          assert.deepEqual([marker.count, marker.total, marker.isCluster], [length, members.length, length > 1], where);
          assert.ok(length > 0, `${where} is shown with nothing`);
          if (isComplete && length === 1) {
            seen.lone += 1;
            assert.equal(marker.feature.id, expected[0].id, where);
          }
          // The first zoom at which the rows are in several markers.
          if (isComplete && length > 1 && round % 10 === 0) {
            const zoom = firstApart(byZoom, expected, z);
            assert.equal(marker.feature.properties.expansion_zoom, zoom, where);
          }
          if (
            length > 1 &&
            members.length > length &&
            round % 4 === 0 &&
            (isComplete || (feature.properties.coincident && !members.every((row) => closed.has(row))))
          ) {
            const { points, count, isExact } = await tileset.points(marker, { limit: Infinity });
            assert.deepEqual([points.map(({ id }) => id).sort(), count, isExact], [expected.map(({ id }) => id).sort(), length, true], where);
            seen.listed += 1;
          }
          if (round % 10 === 0) assert.deepEqual(sorted(countsByValue([marker], "tags")), sorted(tally(expected, "tags")), where);
        }
        assert.deepEqual([...found.keys()], [], `${name} ${what} at ${z} shows others`);
        if (matching.isExact) assert.equal(matching.counts, rows.filter((row) => row.isMatch).length);
      }
      const matches = rows.filter((row) => row.isMatch).length,
        { count, total } = tileset.matching(input);
      assert.equal(total, rows.length);
      if (isDecided) assert.equal(count, matches, what);
      if (round % 10 === 0)
        checkCounts(
          tileset,
          { input, isDecided },
          loads.at(-1).flatMap((load) => load.markers(input)),
          rows,
        );
    }
    t.diagnostic(`${name} ${clustering.join(" ")}: ${JSON.stringify(seen)}`);
    assert.ok(seen.exact > 1000);
  });

const sorted = (counts) => [...counts].sort(([one], [other]) => (one < other ? -1 : 1));

/** The number of rows by the text of each value of a column. */
function tally(rows, name) {
  const counts = new Map();
  for (const {
    properties: { [name]: value },
  } of rows) {
    const values = new Set(
      [value]
        .flat()
        .filter((one) => one !== null && one !== undefined)
        .map(String),
    );
    for (const one of values.size ? values : [""]) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

function firstApart(byZoom, rows, from) {
  for (let z = from + 1; z <= maxZoom; z++) {
    const holder = new Map();
    for (const marker of byZoom.get(z)) for (const row of marker.rows) if (row.isMatch) holder.set(row, marker);
    if (new Set(rows.map((row) => holder.get(row))).size > 1) return z;
  }
  return undefined;
}

function checkCounts(tileset, { input, isDecided }, markers, rows) {
  for (const name of ["kind", "open", "tags", "stars"]) {
    const counts = tileset.counts(name, { filter: input, markers: stacked(markers) }),
      all = tally(rows, name),
      inView = tally(
        rows.filter((row) => row.isMatch),
        name,
      );
    for (const [value, { all: ofAll, filtered, inView: seen }] of counts) {
      assert.equal(ofAll, all.get(value === null ? "" : String(value)));
      if (seen !== undefined) assert.equal(seen, inView.get(value === null ? "" : String(value)) ?? 0);
      else assert.ok(!isDecided);
      if (!isDecided) continue;
      const { [name]: own, ...others } = input,
        without = new Filter(others, new Facets(tileset.tileJSON.facets));
      const matching = rows.filter((row) => without.matches(row));
      assert.equal(
        filtered,
        tally(matching, name).get(value === null ? "" : String(value)) ?? 0,
        `${name} ${value} of ${JSON.stringify({ own, others })}`,
      );
    }
    assert.equal(counts.size, all.size);
  }
}
