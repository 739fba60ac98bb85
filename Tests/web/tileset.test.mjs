// What is read from a host, also from one that fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { MarkerView, Tileset, TilesetError } from "../../Sources/PyramidWeb/index.js";
import { MapAdapter } from "../../Sources/PyramidWeb/markers/map-adapter.js";
import { Requests } from "../../Sources/PyramidWeb/tileset/requests.js";
import { fakePage, noSurface } from "./page.mjs";
import { buildPyramids, hostOf, maxZoom, seededRandom, tilesOf } from "./pyramids.mjs";

const origin = "https://tiles.example.org",
  world = [-180, -85, 180, 85],
  quick = { retryMilliseconds: 1, patienceMilliseconds: 20 };
let pyramids;
before(() => {
  pyramids = buildPyramids();
});
after(() => pyramids.remove());

const hosted = () => hostOf(pyramids);
const address = (name) => `${origin}/${name}${name.endsWith(".pmtiles") ? "" : "/"}`;
const open = (name, host, options = {}) => Tileset.open(address(name), { fetch: host.fetch, ...quick, ...options });
const textsOf = (markers) => markers.map(({ feature }) => JSON.stringify(feature)).sort();
const reply = (value, status = 200) => new Response(typeof value === "string" ? value : JSON.stringify(value), { status });
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const next = (target, type) => new Promise((resolve) => target.addEventListener(type, (event) => resolve(event.detail), { once: true }));

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** An open view, closed after the test. */
async function opened(t, { name = "plain", ...options } = {}) {
  const host = hosted(),
    view = new MarkerView(address(name), { fetch: host.fetch, ...quick, ...options });
  t.after(() => view.close());
  await next(view, "open");
  return { host, view };
}

async function until(isTrue) {
  for (let round = 0; !isTrue(); round++) {
    assert.ok(round < 2000, "never came true");
    await pause(2);
  }
}

test("a plain and a bundled pyramid show the same markers in every view: those that the tiles hold", async () => {
  const host = hosted(),
    plain = await open("plain", host),
    bundled = await open("bundled", host),
    random = seededRandom(21);
  const byZoom = new Map(),
    // A marker is the same one at each zoom, whatever has it at the zoom before.
    withoutParent = ({ properties: { parent, ...properties }, ...feature }) => ({ ...feature, properties });
  for (const { z, features } of tilesOf(pyramids.plain)) byZoom.set(z, (byZoom.get(z) ?? []).concat(features.map(withoutParent)));
  let seen = 0;
  for (let round = 0; round < 500; round++) {
    const zoom = random() * (maxZoom + 3),
      z = Math.min(Math.floor(zoom), maxZoom),
      span = 2 ** -z * 1000 * random();
    const [longitude, latitude] = random() < 0.3 ? [-180 + 360 * random(), -85 + 170 * random()] : [160 + 40 * random(), -50 + 60 * random()];
    const box = [longitude - span, latitude - span / 2, longitude + span, latitude + span / 2];
    const isInside = ({
      geometry: {
        coordinates: [x, y],
      },
    }) => y >= box[1] && y <= box[3] && [-720, -360, 0, 360, 720].some((shift) => x + shift >= box[0] && x + shift <= box[2]);
    // A view that reaches the edge of the map shows what is beyond it, on the edge.
    if (box[1] <= -85.0511 || box[3] >= 85.0511) continue;
    const expected = byZoom
      .get(z)
      .filter(isInside)
      .map((feature) => JSON.stringify(feature))
      .sort();
    assert.deepEqual(textsOf(await plain.markers(box, zoom)), expected, `plain ${box} ${zoom}`);
    assert.deepEqual(textsOf(await bundled.markers(box, zoom)), expected, `bundled ${box} ${zoom}`);
    seen += expected.length;
  }
  assert.ok(seen > 3000, String(seen));
  for (let z = 0; z <= 6; z++) {
    const all = byZoom
      .get(z)
      .map((feature) => JSON.stringify(feature))
      .sort();
    assert.deepEqual(textsOf(await plain.markers([-180, -85.06, 180, 85.06], z)), all);
    assert.deepEqual(textsOf(await bundled.markers([-180, -85.06, 180, 85.06], z)), all);
  }
});

test("a bundled pyramid is never asked for a file that isn't there, and each is asked for once", async () => {
  const host = hosted(),
    tileset = await open("bundled", host);
  const missing = [];
  for (let z = 0; z <= maxZoom; z++) {
    for (const box of [
      [160, -60, 200, 10],
      [-75, 40, -60, 45],
      [4, 44, 15, 54],
      [100, 60, 120, 80],
    ]) {
      await tileset.markers(box, z).catch((error) => missing.push(error));
    }
  }
  assert.deepEqual(missing, []);
  assert.equal(new Set(host.requests).size, host.requests.length);
  assert.ok(host.requests.some((path) => path.includes("/bundles/")) && host.requests.some((path) => path.includes("/tiles/")));
});

test("those who wait for the same files at a time have the same markers as if they were alone, and so have all after them", async () => {
  for (const name of ["bundled", "vector", "vector.pmtiles", "geojson.pmtiles"])
    for (const [one, other] of [
      [0, 0],
      [5, 5],
      [0, 4],
      [9, 6],
      [6, 7],
    ]) {
      const shared = await open(name, hosted()),
        box = [160, -60, 200, 10];
      const alone = async (zoom) => textsOf(await (await open(name, hosted())).markers(box, zoom));
      const found = await Promise.all([shared.markers(box, one), shared.markers(box, other)]);
      for (const [index, zoom] of [one, other].entries()) {
        const expected = await alone(zoom);
        assert.ok(expected.length);
        assert.deepEqual(textsOf(found[index]), expected, `${name} ${one} and ${other}`);
        assert.deepEqual(textsOf(await shared.markers(box, zoom)), expected, `${name}, then ${zoom}`);
      }
    }
});

test("what is known of a file is told without asking for it", async () => {
  for (const name of ["plain", "bundled"]) {
    const host = hosted(),
      tileset = await open(name, host),
      z = 4,
      files = tileset.files(world, z),
      asked = host.requests.length;
    assert.ok(files.length && files.every((file) => tileset.cached(file, z) === undefined));
    assert.equal(host.requests.length, asked);
    const markers = await tileset.markers([-180, -85.06, 180, 85.06], z);
    assert.deepEqual(textsOf(tileset.files([-180, -85.06, 180, 85.06], z).flatMap((file) => tileset.cached(file, z))), textsOf(markers));
  }
});

test("a host that answers 403 to all tiles of the first zoom refuses them; to other tiles, it has none", async () => {
  const host = hosted(),
    refused = (error) => error instanceof TilesetError && error.status === 403 && /all tiles of zoom 0/.test(error.message);
  host.answer = (path) => (path.includes("/tiles/") ? reply("denied", 403) : undefined);
  for (const z of [0, 3]) await assert.rejects((await open("plain", host)).markers(world, z), refused);
  const tileset = await open("plain", host);
  await assert.rejects(tileset.markers([5, 45, 8, 47], 5), refused);
  // The cause is fixed.
  host.answer = () => undefined;
  tileset.forgetFailures();
  assert.ok((await tileset.markers([5, 45, 8, 47], 5)).length);
  host.answer = (path) => (path.includes("/tiles/") && !path.includes("/tiles/0/") ? reply("denied", 403) : undefined);
  const other = await open("plain", host);
  assert.deepEqual(await other.markers(world, 3), []);
  assert.equal(host.requests.filter((path) => path.includes("/tiles/0/")).length, 5, "it is asked once for each tileset");
});

test("a host with many tiles at the first zoom isn't asked for all of them to learn what 403 means", async () => {
  const host = hosted(),
    tileJSON = { tiles: ["{z}/{x}/{y}.json"], minzoom: 4, maxzoom: 5, point_count: 9 };
  host.answer = (path) => (path.endsWith("tilejson.json") ? reply(tileJSON) : reply("denied", 403));
  const tileset = await open("plain", host);
  assert.deepEqual(await tileset.markers([1, 1, 2, 2], 5), []);
  assert.deepEqual(host.requests, ["/plain/tilejson.json", "/plain/5/16/15.json"]);
});

test("a view of a host that fails pauses between its attempts, also without a wait", async () => {
  const host = hosted(),
    view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, retryMilliseconds: 0 }),
    start = Date.now();
  host.answer = () => reply("busy", 503);
  view.addEventListener("error", (event) => event.preventDefault());
  for (let round = 0; round < 5; round++) await next(view, "settled");
  view.close();
  // At least 75, 150, 300 and 600 ms.
  assert.ok(Date.now() - start > 1100, `five attempts in ${Date.now() - start} ms`);
});

test("the query of the tileset's URL goes with all files of its host, and to no other", async () => {
  const host = hosted(),
    urls = [],
    fetch = (url, init) => {
      urls.push(new URL(url));
      return host.fetch(url, init);
    };
  const query = "token=a%2Fb&x=1";
  for (const name of ["plain", "bundled"]) {
    const tileset = await Tileset.open(`${origin}/${name}/?${query}`, { fetch, ...quick }),
      markers = await tileset.markers([0, 40, 20, 60], maxZoom - 1);
    assert.ok(markers.length);
  }
  for (const folder of ["tiles", "bundles"])
    assert.ok(
      urls.some(({ pathname }) => pathname.includes(`/${folder}/`)),
      folder,
    );
  for (const url of urls) assert.equal(url.search, `?${query}`, url.href);
  host.answer = (path) =>
    path.endsWith("tilejson.json") ? reply({ tiles: ["https://other.example.org/{z}/{x}/{y}.json?x=2"], maxzoom: 2 }) : reply({ features: [] });
  urls.length = 0;
  await (await Tileset.open(`${origin}/x/?${query}`, { fetch, ...quick })).markers(world, 0);
  assert.deepEqual(
    urls.map(({ href }) => href),
    [`${origin}/x/tilejson.json?${query}`, "https://other.example.org/0/0/0.json?x=2"],
  );
  host.answer = (path) => (path.endsWith("tilejson.json") ? reply({ tiles: ["{z}/{x}/{y}.json?x=2"], maxzoom: 2 }) : reply({ features: [] }));
  urls.length = 0;
  await (await Tileset.open(`${origin}/x/?${query}`, { fetch, ...quick })).markers(world, 0);
  assert.equal(urls[1].search, "?x=2&token=a%2Fb");
  urls.length = 0;
  await (await Tileset.open(`${origin}/x/?${query}&y=1&y=2`, { fetch, ...quick })).markers(world, 0);
  assert.equal(urls[1].search, "?x=2&token=a%2Fb&y=1&y=2");
});

test("a subclass changes features and adds to the addresses of files, and the query of the tileset's URL comes after it", async () => {
  const host = hosted(),
    urls = [],
    fetch = (url, init) => {
      urls.push(url);
      return host.fetch(url, init);
    };
  class Keyed extends Tileset {
    decoded(features) {
      return features.map((feature) => ({ ...feature, properties: { ...feature.properties, isShop: true } }));
    }
    fileURL(file) {
      return `${super.fileURL(file)}?key=7`;
    }
  }
  for (const [query, rest] of [
    ["", ""],
    ["?token=1", "&token=1"],
  ]) {
    urls.length = 0;
    const tileset = await Keyed.open(`${origin}/plain/${query}`, { fetch, ...quick }),
      markers = await tileset.markers([0, 40, 20, 60], maxZoom - 1);
    const tiles = urls.slice(1);
    assert.ok(tileset instanceof Keyed && markers.length > 5 && markers.every(({ feature }) => feature.properties.isShop));
    assert.ok(tiles.length && tiles.every((url) => url.endsWith(`.json?key=7${rest}`)), tiles[0]);
  }
});

for (const [what, viewOf] of [
  ["view", (...all) => new MarkerView(...all)],
  ["map", (...all) => new MapAdapter(...all, noSurface).markers],
])
  test(`a ${what} tells the console once of each file that can't be read, unless a listener prevents it`, async (t) => {
    fakePage();
    t.after(() => {
      delete globalThis.document;
    });
    const told = t.mock.method(console, "error", () => {}),
      host = hosted();
    host.answer = () => reply("gone", 404);
    const recovery = { fetch: host.fetch, ...quick };
    const failing = async (prevents) => {
      const view = viewOf(`${origin}/nowhere/`, recovery);
      let failures = 0;
      view.addEventListener("error", (event) => {
        failures += 1;
        if (prevents) event.preventDefault();
      });
      await until(() => failures >= 3);
      (view.remove ?? view.close).call(view);
    };
    await failing(true);
    assert.equal(told.mock.callCount(), 0);
    await failing(false);
    assert.equal(told.mock.callCount(), 1);
    assert.match(String(told.mock.calls[0].arguments[0]), /nowhere\/tilejson.json: there is no tilejson.json/);
  });

test("tiles that aren't there hold no markers: 404, 410, 204, an empty body", async () => {
  const answers = [
    () => reply("<h1>404</h1>", 404),
    () => reply("", 410),
    () => new Response(null, { status: 204 }),
    () => reply(""),
    () => reply({ type: "FeatureCollection", features: [] }),
  ];
  for (const answer of answers) {
    const host = hosted(),
      tileset = await open("plain", host);
    host.answer = (path) => (path.includes("/tiles/") ? answer() : undefined);
    assert.deepEqual(await tileset.markers(world, 1), []);
    const { length } = host.requests;
    assert.deepEqual(await tileset.markers(world, 1), []);
    assert.equal(host.requests.length, length, "what is missing is asked for once");
  }
});

test("outside of the bounds nothing is asked for; before the first zoom there is nothing", async () => {
  const host = hosted();
  host.answer = (path) =>
    path.endsWith("tilejson.json")
      ? reply({ tiles: ["tiles/{z}/{x}/{y}.json"], minzoom: 3, maxzoom: 5, bounds: [10, 20, 30, 40] })
      : reply({ features: [] });
  const tileset = await open("x", host);
  await tileset.markers([-100, -50, 0, -10], 4);
  await tileset.markers([15, 25, 20, 30], 2.9);
  assert.equal(host.requests.length, 1);
  await tileset.markers([15, 25, 20, 30], 5.7);
  assert.ok(host.requests.length > 1 && host.requests.slice(1).every((path) => path.startsWith("/x/tiles/5/")));
});

test("what fails for a moment is tried again, and what failed is not kept", async () => {
  const host = hosted(),
    failures = new Map();
  let limit = 2;
  host.answer = (path) => {
    const count = (failures.get(path) ?? 0) + 1;
    failures.set(path, count);
    if (count > limit) return undefined;
    if (count === 1) return reply("busy", 500);
    throw new TypeError("fetch failed");
  };
  const tileset = await open("plain", host),
    calm = await open("plain", hosted());
  assert.deepEqual(textsOf(await tileset.markers(world, 2)), textsOf(await calm.markers(world, 2)));
  assert.equal(failures.get("/plain/tilejson.json"), 3);
  limit = 4;
  await assert.rejects(
    tileset.markers(world, 3),
    (error) => error instanceof TilesetError && /plain\/tiles\/3/.test(error.message) && error.retryable,
  );
  assert.equal(failures.get(host.requests.find((path) => path.includes("/tiles/3/"))), 4, "four attempts");
  assert.deepEqual(textsOf(await tileset.markers(world, 3)), textsOf(await calm.markers(world, 3)));
});

test("the host's wish to be left alone is obeyed, and what can't get better is not tried again", async () => {
  const host = hosted(),
    times = [];
  host.answer = () => {
    times.push(Date.now());
    return times.length === 1 ? new Response("", { status: 429, headers: { "retry-after": "0.15" } }) : reply({ tiles: ["a"] });
  };
  await open("x", host);
  assert.ok(times[1] - times[0] >= 145, `${times[1] - times[0]} ms`);
  for (const [answer, message] of [
    [() => reply("no", 401), /answers 401/],
    [() => reply("<html>"), /isn't JSON, it begins with "<html>"/],
    [() => reply({}), /no URL of tiles/],
    [() => reply("", 404), /there is no tilejson.json/],
  ]) {
    const strict = hosted();
    strict.answer = answer;
    await assert.rejects(open("x", strict), message);
    assert.equal(strict.requests.length, 1);
  }
});

test("a tilejson.json with numbers that can't be used is an error", async () => {
  const facets = { columns: [{ name: "a" }, { name: "b" }], counts: { "[1,2]": 3 } };
  for (const [json, message] of [
    [{ minzoom: -1 }, /has zooms -1 to 0/],
    [{ minzoom: 3, maxzoom: 2 }, /has zooms 3 to 2/],
    [{ maxzoom: 1e9 }, /has zooms 0 to 1000000000/],
    [{ maxzoom: "9" }, /has zooms 0 to 9/],
    [{ tile_size: 0 }, /has tile_size 0/],
    [{ cluster_distances: 40 }, /has cluster_distances 40/],
    [{ cluster_distances: [40, 1e300] }, /has cluster_distances 40,1e\+300/],
    [{ facets: { ...facets, counts: { "[1]": 3 } } }, /the combination \[1\] of 3 points, expected 2 values/],
    [{ facets: { ...facets, counts: { '"ab"': 3 } } }, /the combination "ab"/],
    [{ facets: { ...facets, counts: { "[1,2]": 0 } } }, /the combination \[1,2\] of 0 points/],
    [{ facets: { ...facets, columns: [{ name: "a" }] } }, /expected 1 values/],
    [{ bundles: { root: 2, index: "" } }, /index of bundles is damaged/],
  ]) {
    const host = hosted();
    host.answer = () => reply({ tiles: ["a"], ...json });
    await assert.rejects(open("x", host), (error) => error instanceof TilesetError && message.test(error.message), JSON.stringify(json));
  }
  const host = hosted();
  host.answer = () => reply({ tiles: ["a"], facets, cluster_distances: [40, 0.5], tile_size: 512, maxzoom: 23 });
  assert.deepEqual(
    (await open("x", host)).facets.map(({ name }) => name),
    ["a", "b"],
  );
});

test("an answer that doesn't come is given up, and asked for again", async () => {
  const host = hosted();
  let count = 0;
  host.answer = () => (++count === 1 ? new Promise(() => {}) : reply({ tiles: ["a"] }));
  await open("x", host, { timeoutMilliseconds: 30 });
  assert.equal(count, 2);
  host.answer = () => new Promise(() => {});
  await assert.rejects(open("x", host, { timeoutMilliseconds: 5 }), /no answer within 0.005 s/);
});

test("no more requests run at a time than allowed, and one URL is asked for once", async () => {
  const host = hosted(),
    requests = new Requests({ fetch: host.fetch, concurrency: 3 });
  host.answer = async () => {
    await pause(1);
    return reply([1]);
  };
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => requests.json(`${origin}/${index % 20}`)));
  assert.ok(answers.every(([value]) => value === 1));
  assert.deepEqual([host.mostRunning, host.requests.length], [3, 20]);
});

test("a request ends when the last who waits for it has gone, also before its turn", async () => {
  const host = hosted(),
    requests = new Requests({ fetch: host.fetch, concurrency: 1 }),
    signals = [];
  host.answer = (_, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const [one, other, third] = [new AbortController(), new AbortController(), new AbortController()];
  const results = [one, other].map(({ signal }) => requests.json(`${origin}/a`, { signal }));
  const queued = requests.json(`${origin}/b`, { signal: third.signal });
  await until(() => signals.length);
  one.abort();
  await assert.rejects(results[0], { name: "AbortError" });
  assert.ok(!signals[0].aborted, "another still waits");
  third.abort();
  await assert.rejects(queued, { name: "AbortError" });
  other.abort();
  await assert.rejects(results[1], { name: "AbortError" });
  assert.ok(signals[0].aborted);
  host.answer = () => reply([2]);
  assert.deepEqual(await requests.json(`${origin}/a`), [2], "the turn is free again");
  assert.deepEqual(host.requests, ["/a", "/a"], "what was given up before its turn is never made");
  await assert.rejects(requests.json(`${origin}/c`, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a pause between attempts ends when it is given up", async () => {
  const host = hosted(),
    requests = new Requests({ fetch: host.fetch, retryMilliseconds: 100000 }),
    abort = new AbortController();
  host.answer = () => reply("", 503);
  const result = requests.json(`${origin}/a`, { signal: abort.signal });
  await until(() => host.requests.length);
  await pause(5);
  abort.abort();
  await assert.rejects(result, { name: "AbortError" });
  assert.equal(host.requests.length, 1);
});

test("tiles take no more memory than allowed", async () => {
  const host = hosted(),
    tileset = await open("plain", host, { cacheBytes: 100000 }),
    random = seededRandom(2);
  for (let round = 0; round < 80; round++) {
    const longitude = 165 + 30 * random(),
      latitude = -60 + 70 * random();
    await tileset.markers([longitude, latitude, longitude + 3, latitude + 3], 7);
    assert.ok(tileset.cachedBytes <= 100000);
  }
  assert.ok(tileset.cachedBytes > 50000 && new Set(host.requests).size < host.requests.length, "forgotten tiles are read again");
});

test("gzip is undone, whether or not there is any, and damaged gzip is an error", async () => {
  const file = readFileSync(join(pyramids.plain, "tiles/0/0/0.json"));
  assert.deepEqual([file[0], file[1]], [0x1f, 0x8b]);
  const host = hosted(),
    requests = new Requests({ fetch: host.fetch, retryMilliseconds: Infinity });
  host.answer = () => new Response(file);
  assert.ok((await requests.json(`${origin}/a`)).features.length > 3);
  host.answer = () => new Response(file.subarray(0, 50));
  await assert.rejects(requests.json(`${origin}/a`), /gzip is damaged/);
});

// Stale indexes

for (const [what, answer] of [
  ["404", () => reply("gone", 404)],
  ["403", () => reply("denied", 403)],
  ["page instead", () => reply("<!doctype html>")],
])
  test(`after a ${what} of a bundled pyramid its tilejson.json is read again, once, and the view goes on`, async () => {
    const host = hosted(),
      tileset = await open("bundled", host),
      fresh = readFileSync(join(pyramids.plain, "tilejson.json"), "utf8");
    await tileset.markers([-75, 40, -70, 45], 3);
    const { length } = host.requests;
    // Built anew without bundles: the old index lists files that are gone.
    host.answer = (path) => {
      if (path.endsWith("tilejson.json")) return reply(fresh.replaceAll("tiles/{z}", "../plain/tiles/{z}"));
      return path.includes("/bundled/") ? answer() : undefined;
    };
    const views = [tileset.markers([160, -60, 200, 10], 5), tileset.markers([4, 44, 15, 54], 5)];
    const calm = await open("plain", hosted());
    assert.deepEqual(textsOf(await views[0]), textsOf(await calm.markers([160, -60, 200, 10], 5)));
    assert.deepEqual(textsOf(await views[1]), textsOf(await calm.markers([4, 44, 15, 54], 5)));
    assert.equal(host.requests.filter((path) => path.endsWith("tilejson.json")).length, 2);
    await tileset.markers([-75, 40, -70, 45], 3);
    assert.ok(
      host.requests.slice(length).some((path) => path.startsWith("/plain/tiles/3/")),
      "what was read before is read anew",
    );
  });

test("a file that stays away is an error, and the tilejson.json is not read again and again", async () => {
  const host = hosted(),
    tileset = await open("bundled", host);
  host.answer = (path) => (path.includes("/bundles/") ? reply("gone", 404) : undefined);
  for (let round = 0; round < 5; round++) {
    await assert.rejects(tileset.markers([160, -60, 200, 10], 6), /is missing, but tilejson.json lists it/);
  }
  assert.equal(host.requests.filter((path) => path.endsWith("tilejson.json")).length, 2);
  host.answer = () => undefined;
  assert.ok((await tileset.markers([160, -60, 200, 10], 6)).length > 50, "it is not kept as missing");
});

// Points of clusters

test("the points at one place are listed by their ids, or as they are in the file", async () => {
  for (const name of ["plain", "bundled"]) {
    const tileset = await open(name, hosted()),
      around = [-46.64, -23.56, -46.62, -23.54];
    const [cluster] = await tileset.markers(around, 6);
    assert.ok(cluster.isCluster && cluster.count === 130);
    const { points, count, isExact } = await tileset.points(cluster),
      all = await tileset.points(cluster, { limit: Infinity });
    assert.deepEqual([points, count, isExact, all.count], [all.points.slice(0, 100), 130, true, 130]);
    assert.equal(new Set(all.points.map(({ properties }) => properties.name)).size, 130);
  }
});

test("listed members are points", async () => {
  const tileset = await open("plain", hosted()),
    geometry = { type: "Point", coordinates: [1, 2] };
  const cluster = (members) => ({
    isCluster: true,
    count: members.length,
    total: members.length,
    unit: 0,
    key: "cluster 1",
    feature: { geometry, bbox: [0, 0, 1, 2], properties: { cluster: true, cluster_id: 1, members } },
  });
  assert.deepEqual((await tileset.points(cluster([7, "b"]))).points, [
    { id: 7, geometry, properties: {} },
    { id: "b", geometry, properties: {} },
  ]);
  assert.deepEqual((await tileset.points(cluster([{ name: "c" }]))).points, [{ geometry, properties: { name: "c" } }]);
});

// Views

test("a view shows the last place it was moved to, and gives up what it left", async (t) => {
  const { host, view } = await opened(t, { stacks: false });
  const signals = new Map();
  host.answer = (path, { signal }) => {
    signals.set(path, signal);
    return new Promise((resolve) => setTimeout(() => resolve(undefined), 30));
  };
  view.move([160, -60, 200, 10], 4);
  await pause(5);
  view.move([4, 44, 15, 54], 6);
  await next(view, "settled");
  assert.ok([...signals].filter(([path]) => path.includes("/tiles/4/")).every(([, signal]) => signal.aborted));
  assert.ok([...signals].filter(([path]) => path.includes("/tiles/6/")).every(([, signal]) => !signal.aborted));
  assert.ok(view.isSettled && view.zoom === 6);
  assert.deepEqual(textsOf(view.markers), textsOf(await view.tileset.markers([4, 44, 15, 54], 6)));
});

for (const name of ["plain", "bundled", "vector.pmtiles", "geojson.pmtiles"])
  test(`what a pan over ${name} keeps in sight is asked for once`, async (t) => {
    const { host, view } = await opened(t, { name });
    host.answer = () => new Promise((resolve) => setTimeout(() => resolve(undefined), 10));
    for (let step = 0; step < 8; step++) {
      view.move([160 + step, -60, 190 + step, 10], 5);
      await pause(3);
    }
    await until(() => view.isSettled);
    assert.ok(host.requests.length > 4);
    assert.equal(new Set(host.requests).size, host.requests.length);
  });

test("the markers of the zoom before stay until the next ones are there, and zooms are not mixed before the patience is over", async (t) => {
  const { host, view } = await opened(t, { patienceMilliseconds: 10000 }),
    zooms = [];
  view.addEventListener("change", ({ detail }) => zooms.push([detail.zoom, detail.isZoom, detail.markers.length]));
  view.move([160, -60, 200, 10], 3);
  await until(() => view.isSettled);
  const { length } = zooms,
    before = view.markers;
  host.answer = () => new Promise((resolve) => setTimeout(() => resolve(undefined), 20 + 150 * Math.random()));
  view.move([160, -60, 200, 10], 5);
  assert.equal(view.markers, before);
  await until(() => view.isSettled);
  assert.equal(view.zoom, 5);
  assert.deepEqual(
    zooms.slice(length).map(([zoom, isZoom]) => [zoom, isZoom]),
    [[5, true]],
  );
});

test("where some tiles fail the others are shown, and the failed ones come by themselves", async (t) => {
  const { host, view } = await opened(t, { stacks: false }),
    box = [160, -60, 200, 10],
    errors = [],
    counts = [];
  view.addEventListener("error", ({ detail }) => errors.push(detail.error));
  view.addEventListener("change", ({ detail }) => counts.push(detail.markers.length));
  const { tileset } = view,
    [broken] = tileset.files(box, 4).filter(({ x }) => x === 15);
  let isBroken = true;
  host.answer = (path) => (isBroken && path.endsWith(`/4/${broken.x}/${broken.y}.json`) ? reply("", 500) : undefined);
  view.move(box, 4);
  await until(() => errors.length >= 2);
  assert.ok(!view.isSettled && view.markers.length > 20);
  assert.ok(errors.every(({ status, url }) => status === 500 && url.endsWith(`/4/${broken.x}/${broken.y}.json`)));
  const asked = new Set(host.requests.filter((path) => !path.endsWith(`/${broken.x}/${broken.y}.json`)));
  isBroken = false;
  await until(() => view.isSettled);
  assert.deepEqual(textsOf(view.markers), textsOf(await (await open("plain", hosted())).markers(box, 4)));
  assert.ok(counts.at(-1) > counts.at(-2), "more came");
  assert.equal(host.requests.filter((path) => asked.has(path)).length, asked.size, "what had come was not asked for again");
});

test("a view opens its tileset as soon as the host is there", async () => {
  const host = hosted(),
    errors = [];
  let isGone = true;
  host.answer = () => (isGone ? reply("", 502) : undefined);
  const view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick });
  view.addEventListener("error", ({ detail }) => errors.push(detail.error));
  view.move(world, 0);
  await until(() => errors.length >= 2);
  isGone = false;
  await until(() => view.isSettled && view.markers.length > 0);
  view.close();
});

test("a view that is closed asks for nothing and tells nothing", async (t) => {
  const { host, view } = await opened(t);
  host.answer = (path) => (path.includes("/tiles/") ? reply("", 500) : undefined);
  view.move(world, 2);
  await next(view, "error");
  view.close();
  for (const type of ["change", "error", "settled"]) view.addEventListener(type, () => assert.fail(type));
  const { length } = host.requests;
  view.move(world, 3);
  await pause(60);
  assert.equal(host.requests.length, length);
});

test("a refreshed view shows what was built anew", async (t) => {
  const { host, view } = await opened(t);
  view.move(world, 0);
  await until(() => view.isSettled);
  const feature = { id: 1, geometry: { type: "Point", coordinates: [5, 6] }, properties: { name: "new" } };
  host.answer = (path) => (path.includes("/tiles/") ? reply({ features: [feature] }) : undefined);
  await view.refresh();
  await until(() => view.isSettled && view.markers.length === 1);
  assert.deepEqual(view.markers[0].feature, feature);
});

for (const name of ["plain", "bundled"])
  test(`what was under way when ${name} is refreshed is not taken for the new build`, async () => {
    const host = hosted(),
      tileset = await open(name, host),
      box = [160, -60, 200, 10];
    const feature = { id: 1, geometry: { type: "Point", coordinates: [175, -10] }, properties: { name: "new" }, minzoom: 0, maxzoom: 9 };
    const old = await (await open(name, hosted())).markers(box, 4),
      caches = [];
    let answerEarly;
    const gate = new Promise((resolve) => {
      answerEarly = resolve;
    });
    // The old build answers late: it is what the host had when it was asked.
    host.answer = () => gate.then(() => undefined);
    const early = tileset.markers(box, 4);
    await pause(20);
    host.answer = (path, { cache }) => {
      caches.push(cache);
      return /(tiles|bundles)\/\d/.test(path) ? reply({ features: [feature] }) : undefined;
    };
    const { generation } = tileset;
    await tileset.refresh();
    assert.ok(tileset.generation > generation);
    const late = tileset.markers(box, 4);
    answerEarly();
    assert.deepEqual(textsOf(await early), textsOf(old), "who asked before has what was there");
    const shown = await late;
    assert.ok(shown.length && shown.every(({ feature: { properties } }) => properties.name === "new"), "the new build has its own markers");
    assert.deepEqual(textsOf(await tileset.markers(box, 4)), textsOf(shown), "the old build is not kept");
    assert.ok(caches.length > 2 && caches.every((cache) => cache === "no-cache"), `the browser's cache is not trusted: ${caches}`);
  });

test("after a refresh the last zoom is the new build's", async () => {
  const host = hosted(),
    tileset = await open("bundled", host);
  await tileset.markers([160, -60, 200, 10], 3);
  // The index is of the old build; the new one ends at a lower zoom.
  host.answer = (path) => {
    if (path.endsWith("tilejson.json")) return reply({ tiles: ["../plain/tiles/{z}/{x}/{y}.json"], minzoom: 0, maxzoom: 1 });
    return path.startsWith("/bundled/") ? reply("gone", 404) : undefined;
  };
  const loading = tileset.load([160, -60, 200, 10], 6);
  assert.deepEqual(await loading.finished, []);
  assert.deepEqual([loading.zoom, loading.markers().length > 0], [1, true]);
});

test("of two refreshes the later one counts, whichever is answered first", async () => {
  const host = hosted(),
    tileset = await open("plain", host),
    described = (minzoom) => reply({ tiles: ["tiles/{z}/{x}/{y}.json"], minzoom, maxzoom: 5 });
  let answerFirst;
  host.answer = () =>
    new Promise((resolve) => {
      answerFirst = () => resolve(described(1));
    });
  const first = tileset.refresh();
  await until(() => answerFirst);
  host.answer = () => described(2);
  await tileset.refresh();
  answerFirst();
  await first;
  assert.equal(tileset.minzoom, 2);
});

// What can't get better

test("features without a point are left out, and the others are shown", async () => {
  const host = hosted(),
    good = (id) => ({ type: "Feature", id, geometry: { type: "Point", coordinates: [5, 6] }, properties: null });
  const geometries = [
    null,
    undefined,
    { type: "Point" },
    { type: "Point", coordinates: [] },
    { type: "Point", coordinates: [1] },
    { type: "Point", coordinates: ["1", "2"] },
    { type: "Point", coordinates: null },
    {
      type: "LineString",
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    { type: "MultiPoint", coordinates: [[1, 2]] },
  ];
  const features = [good(1), ...geometries.map((geometry, id) => ({ type: "Feature", id: 10 + id, geometry, properties: {} })), null, good(2)];
  host.answer = (path) =>
    reply(path.endsWith("tilejson.json") ? { tiles: ["tiles/{z}/{x}/{y}.json"], minzoom: 0, maxzoom: 3 } : { type: "FeatureCollection", features });
  const tileset = await open("x", host);
  assert.deepEqual(
    (await tileset.markers(world, 0)).map(({ feature: { id } }) => id),
    [1, 2],
  );
  assert.equal(host.requests.length, 2, "and it is asked for once");
});

for (const [what, answer, message] of [
  ["a page instead of a tile", () => reply("<!doctype html>"), /isn't JSON/],
  ["a broken vector tile", () => new Response(new Uint8Array([26, 200, 1])), /isn't a vector tile/],
  ["damaged gzip", () => new Response(new Uint8Array([0x1f, 0x8b, 8, 0, 0])), /gzip is damaged/],
  ["a refusal", () => reply("no", 401), /answers 401/],
])
  test(`a view tells of ${what} once, and doesn't ask again by itself`, async (t) => {
    const { host, view } = await opened(t),
      errors = [];
    view.addEventListener("error", ({ detail }) => errors.push(detail.error));
    host.answer = answer;
    view.move(world, 0);
    await next(view, "settled");
    const { length } = host.requests;
    await pause(60);
    assert.deepEqual([errors.length, errors[0].retryable, host.requests.length], [1, false, length]);
    assert.match(errors[0].message, message);
    assert.ok(!view.isSettled);
    host.answer = () => undefined;
    view.move(world, 1);
    await until(() => view.isSettled && view.markers.length > 0);
  });

test("a view of an area with too many tiles says so once", async (t) => {
  const { host, view } = await opened(t),
    errors = [];
  view.addEventListener("error", ({ detail }) => errors.push(detail.error));
  view.move([-180, -85, 180, 85], 9);
  await until(() => errors.length);
  await pause(60);
  assert.deepEqual(
    errors.map(({ name }) => name),
    ["RangeError"],
  );
});

test("where a lasting failure and a passing one meet, the passing one is got over", async (t) => {
  const { host, view } = await opened(t);
  let isBusy = true;
  host.answer = (path) => (path.endsWith("/1/0/0.json") ? reply("<html>") : isBusy && path.endsWith("/1/1/1.json") ? reply("", 503) : undefined);
  view.move([-180, -85, 180, 85], 1);
  const { errors } = await next(view, "settled");
  assert.deepEqual(errors.map(({ retryable }) => retryable).sort(), [false, true]);
  const { length } = view.markers;
  isBusy = false;
  await until(() => view.markers.length > length);
});

// What is closed, and what is thrown away

test("a view that is closed while its tileset opens gives up the request and never opens", async () => {
  const host = hosted();
  let signal;
  host.answer = (_, init) => {
    ({ signal } = init);
    return new Promise((resolve) => setTimeout(() => resolve(undefined), 20));
  };
  const view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick });
  for (const type of ["open", "change", "error", "settled"]) view.addEventListener(type, () => assert.fail(type));
  await until(() => signal);
  view.close();
  assert.ok(signal.aborted);
  await pause(60);
  assert.equal(view.tileset, null);
  assert.equal(host.requests.length, 1);
});

for (const name of ["plain", "vector.pmtiles"])
  test(`${name} stops opening when it is told to`, async () => {
    const host = hosted(),
      abort = new AbortController();
    let signal;
    host.answer = (_, init) => {
      ({ signal } = init);
      return new Promise(() => {});
    };
    const opening = open(name, host, { signal: abort.signal });
    await until(() => signal);
    abort.abort();
    await assert.rejects(opening, { name: "AbortError" });
    assert.ok(signal.aborted);
  });

test("a view that is closed by a listener tells nothing more", async (t) => {
  const { host, view } = await opened(t),
    told = [];
  host.answer = () => reply("", 503);
  view.addEventListener("error", () => {
    told.push("error");
    view.close();
  });
  for (const type of ["settled", "change"]) view.addEventListener(type, () => told.push(type));
  view.move(world, 2);
  await until(() => told.includes("error"));
  await pause(40);
  assert.deepEqual(told, ["change", "error"]);
});

test("a closed view doesn't refresh, and gives up a refresh", async (t) => {
  const { host, view } = await opened(t);
  host.answer = () => reply("", 503);
  const { length } = host.requests,
    refreshing = view.refresh();
  await pause(0);
  view.close();
  await refreshing;
  await view.refresh();
  await pause(30);
  assert.equal(host.requests.length, length + 1);
});

test("a tileset that is handed over is open, and the view says so", async () => {
  const host = hosted(),
    tileset = await open("plain", host),
    view = new MarkerView(tileset),
    closed = new MarkerView(tileset);
  assert.equal(view.tileset, tileset);
  closed.addEventListener("open", () => assert.fail("open after close"));
  closed.close();
  assert.equal((await next(view, "open")).tileset, tileset);
  view.move(world, 0);
  await until(() => view.isSettled);
  view.close();
});

test("a view that nobody holds any more is let go, though nobody closed it", async () => {
  const window = new EventTarget(),
    { addEventListener, removeEventListener } = globalThis;
  globalThis.addEventListener = window.addEventListener.bind(window);
  globalThis.removeEventListener = window.removeEventListener.bind(window);
  try {
    const host = hosted();
    const held = await (async () => {
      const view = new MarkerView(await open("plain", host), quick);
      view.move(world, 1);
      await until(() => view.isSettled);
      return new WeakRef(view);
    })();
    await pause(50);
    await until(() => {
      collectGarbage();
      return held.deref() === undefined;
    });
    window.dispatchEvent(new Event("online"));
    const online = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick, retryMilliseconds: Infinity });
    host.answer = () => reply("", 503);
    await next(online, "settled");
    host.answer = () => undefined;
    window.dispatchEvent(new Event("online"));
    await next(online, "open");
    online.close();
  } finally {
    Object.assign(globalThis, { addEventListener, removeEventListener });
  }
});

test("a view that nobody holds is let go though its tiles fail", async () => {
  const host = hosted();
  const held = await (async () => {
    const view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick, retryMilliseconds: 2 });
    await next(view, "open");
    host.answer = () => reply("", 503);
    view.move(world, 1);
    await next(view, "settled");
    return new WeakRef(view);
  })();
  await until(() => {
    collectGarbage();
    return held.deref() === undefined;
  });
});

test("a view that pauses gives up its requests and asks for nothing until it goes on", async (t) => {
  const { host, view } = await opened(t),
    signals = [];
  host.answer = (_, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  view.move(world, 1);
  await until(() => signals.length);
  view.pause();
  assert.ok(signals.length && signals.every(({ aborted }) => aborted));
  host.answer = () => reply("", 503);
  view.move(world, 2);
  view.retry();
  const { length } = host.requests;
  await pause(40);
  assert.equal(host.requests.length, length);
  host.answer = () => undefined;
  view.resume();
  await until(() => view.isSettled && view.zoom === 2);
});

test("a view that pauses while its tileset fails to open opens it when it goes on", async () => {
  const host = hosted(),
    view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick });
  host.answer = () => reply("", 503);
  await next(view, "error");
  view.pause();
  await pause(20);
  const { length } = host.requests;
  await pause(40);
  assert.equal(host.requests.length, length);
  host.answer = () => new Promise((resolve) => setTimeout(() => resolve(undefined), 5));
  view.resume();
  view.pause();
  view.resume();
  await next(view, "open");
  view.close();
});

test("a page may try again as soon as it is told that the tileset could not be opened", async () => {
  const host = hosted(),
    view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick });
  host.answer = () => reply("who are you?", 401);
  view.addEventListener(
    "settled",
    () => {
      host.answer = () => undefined;
      view.retry();
    },
    { once: true },
  );
  await next(view, "open");
  view.close();
});

test("a broken tile is asked for and told once, however often the map moves, until the page tries again", async (t) => {
  const { host, view } = await opened(t),
    errors = [];
  view.addEventListener("error", ({ detail }) => errors.push(detail.error));
  host.answer = (path) => (path.endsWith("/1/1/0.json") ? reply("<html>") : undefined);
  const asked = () => host.requests.filter((path) => path.endsWith("/1/1/0.json")).length;
  for (let step = 0; step < 5; step++) {
    view.move([10, -60, 100 + step, 60], 1);
    const { errors: all } = await next(view, "settled");
    assert.equal(all.length, 1, "what is missing is not forgotten");
  }
  assert.deepEqual([errors.length, asked()], [1, 1]);
  host.answer = () => undefined;
  view.retry();
  await until(() => view.isSettled);
  assert.equal(asked(), 2);
});

test("zooms of tiles of 512 pixels begin one zoom of the map later", async () => {
  const host = hosted();
  host.answer = () => reply({ tiles: ["a/{z}/{x}/{y}"], minzoom: 0, maxzoom: 3, tile_size: 512 });
  assert.equal((await open("x", host)).zoomOffset, 1);
  assert.equal((await open("plain", hosted())).zoomOffset, 0);
});
