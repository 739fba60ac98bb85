// What a click does, points by their ids, and what is seen while tiles are missing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { MarkerView, Tileset, TilesetError } from "../../Sources/PyramidWeb/index.js";
import { MapAdapter } from "../../Sources/PyramidWeb/markers/map-adapter.js";
import { Neighbours } from "../../Sources/PyramidWeb/markers/neighbours.js";
import { fakePage, noSurface } from "./page.mjs";
import { hostOf, seededRandom } from "./pyramids.mjs";

const origin = "https://tiles.example.org",
  maxZoom = 9,
  world = [-180, -85, 180, 85];
const quick = { retryMilliseconds: 1, patienceMilliseconds: 20 };
const next = (target, type) => new Promise((resolve) => target.addEventListener(type, (event) => resolve(event.detail), { once: true }));
const until = async (isTrue) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
};

const places = [];
let folder, directories;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "pyramid-opening-"));
  const random = seededRandom(11),
    rows = ["id,name,lon,lat,kind"];
  const add = (longitude, latitude) => {
    const number = rows.length,
      wrapped = longitude >= 180 ? longitude - 360 : longitude;
    rows.push(`p${number},place ${number},${wrapped.toFixed(6)},${latitude.toFixed(6)},${["bar", "cafe"][number % 2]}`);
    places.push([wrapped, latitude]);
  };
  for (let index = 0; index < 1500; index++) add(165 + 30 * random() ** 2, -60 + 70 * random());
  for (let index = 0; index < 1500; index++) add(5 + 9 * random() ** 3, 45 + 8 * random() ** 2);
  for (let index = 0; index < 900; index++) add(10 + 0.3 * random() ** 2, 50 + 0.2 * random());
  for (let index = 0; index < 4; index++) add(-71.06, 42.36);
  for (let index = 0; index < 130; index++) add(-46.63, -23.55);
  const input = join(folder, "rows.csv");
  writeFileSync(input, rows.join("\n") + "\n");
  const build = (name, ...options) => {
    const output = join(folder, name);
    execFileSync(process.env.PYRAMID, ["build", input, output, "--id-column", "id", "--max-zoom", String(maxZoom), "--quiet", ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return [name, output];
  };
  directories = Object.fromEntries([
    build("plain"),
    build("bundled", "--bundle", "150", "--filter-by", "kind"),
    build("large-bundled", "--bundle", "150", "--tile-size", "512"),
  ]);
});
after(() => rmSync(folder, { recursive: true }));

const open = (name, host = hostOf(directories), options = {}) => Tileset.open(`${origin}/${name}`, { fetch: host.fetch, ...quick, ...options });

// Maps

const size = [800, 500],
  margin = 60,
  padding = 40;
/** The Web Mercator place of a coordinate in pixels. */
function pixelOf([longitude, latitude], zoom) {
  const radians = (latitude * Math.PI) / 180;
  return [(longitude / 360 + 0.5) * 256 * 2 ** zoom, (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 256 * 2 ** zoom];
}
const degreesOf = ([x, y], zoom) => [
  (x / 256 / 2 ** zoom - 0.5) * 360,
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 256 / 2 ** zoom))) * 180) / Math.PI,
];

/** A map that arrives some milliseconds after it has begun to fly. */
function mapOf(source, options = {}) {
  fakePage();
  const map = { center: [0, 0], zoom: 1, flights: [], popups: [], details: [] };
  const surface = {
    ...noSurface,
    viewport: () => {
      const [x, y] = pixelOf(map.center, map.zoom),
        [width, height] = size;
      const [west, north] = degreesOf([x - width / 2 - margin, y - height / 2 - margin], map.zoom);
      const [east, south] = degreesOf([x + width / 2 + margin, y + height / 2 + margin], map.zoom);
      return { box: [west, south, east, north], zoom: map.zoom };
    },
    fly: (center, zoom) => {
      map.flights.push({ center, zoom });
      if (!map.isFixed)
        setTimeout(() => {
          [map.center, map.zoom] = [center, zoom];
          adapter.moved(true);
        }, 15);
    },
    middle: () => map.center[0] / 360 + 0.5,
    pixelOf: (x, y) => {
      const center = pixelOf(map.center, map.zoom);
      return [x, y].map((place, axis) => place * 256 * 2 ** map.zoom - center[axis] + size[axis] / 2);
    },
    size: () => size,
    popup: (place) => map.popups.push(place),
    maxZoom: () => 22,
  };
  const adapter = new MapAdapter(source, { ...quick, ...options }, surface);
  adapter.markers.addEventListener("details", ({ detail }) => map.details.push(detail));
  return Object.assign(map, { adapter, markers: adapter.markers });
}
const click = (map, marker) => map.markers.click({ key: marker.key, marker, x: marker.x, y: marker.y, alpha: 1, isLeaving: false });

test("a map says that its markers move until the last of their frames is drawn, however late that is", async () => {
  const map = mapOf(await open("bundled")),
    { adapter, markers } = map,
    frames = [];
  await until(() => markers.view.isSettled && !markers.isMoving);
  adapter.scene.milliseconds = 30;
  globalThis.requestAnimationFrame = (body) => frames.push(body);
  map.zoom = 4;
  adapter.moved(true);
  await until(() => markers.view.zoom === 4 && markers.view.isSettled);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.ok(markers.isMoving, "their time is over, but nothing of it is on the screen");
  frames.splice(0).forEach((body) => body());
  assert.ok(!markers.isMoving);
  assert.deepEqual(new Set(markers.shown.map(({ key }) => key)), new Set(markers.view.markers.map(({ key }) => key)));
  adapter.requestFrame();
  markers.remove();
  assert.ok(!markers.isMoving);
});

test("the points in view are about so many where a cluster reaches across the edge, and else exactly", async () => {
  const map = mapOf(await open("bundled")),
    { adapter, markers } = map,
    seen = { exact: 0, about: 0, off: 0 },
    random = seededRandom(5);
  for (let round = 0; round < 60; round++) {
    [map.center, map.zoom] = round % 2 ? [[5 + 9 * random(), 45 + 8 * random()], 5 + Math.floor(5 * random())] : [[180 + 15 * random(), -25], 4];
    adapter.moved(true);
    await until(() => markers.view.zoom === map.zoom && markers.view.isSettled);
    const isSeen = ([longitude, latitude]) => {
        const pixels = adapter.pixelOf({ x: longitude / 360 + 0.5, y: pixelOf([0, latitude], 0)[1] / 256 });
        return pixels.every((pixel, axis) => pixel >= 0 && pixel <= size[axis]);
      },
      expected = places.filter(isSeen).length,
      counts = [...markers.counts("kind").values()],
      inView = counts.reduce((sum, count) => sum + count.inView, 0);
    if (counts[0].isAbout) {
      seen.about += 1;
      seen.off += Number(inView !== expected);
      continue;
    }
    seen.exact += 1;
    assert.equal(inView, expected, `${map.center} ${map.zoom}`);
  }
  assert.ok(Math.min(...Object.values(seen)) > 5, JSON.stringify(seen));
  markers.remove();
});

test("a click tells of the marker's place, in the copy of the world that was clicked, and of the browser's event", async () => {
  const map = mapOf(await open("bundled")),
    told = [];
  map.markers.addEventListener("click", (event) => {
    event.preventDefault();
    told.push(event.detail);
  });
  await until(() => map.markers.view.markers.length);
  const [marker] = map.markers.view.markers,
    {
      coordinates: [longitude, latitude],
    } = marker.feature.geometry,
    originalEvent = new Event("click");
  const shown = { key: marker.key, marker, x: marker.x, y: marker.y, alpha: 1, isLeaving: false };
  await map.markers.click(shown);
  await map.adapter.click(shown, longitude + 725, originalEvent);
  for (const [index, [copy, event]] of [
    [0, null],
    [720, originalEvent],
  ].entries()) {
    const {
      marker: found,
      lngLat: [east, north],
      originalEvent: own,
    } = told[index];
    assert.ok(found === marker && own === event && Math.abs(east - longitude - copy) < 1e-6 && Math.abs(north - latitude) < 1e-6, `${east}`);
  }
});

for (const name of ["bundled", "large-bundled"])
  test(`a click shows all points of a cluster as large as they fit, or the zoom where it comes apart: ${name}`, async () => {
    const tileset = await open(name),
      map = Object.assign(mapOf(tileset), { isFixed: true }),
      offset = name === "bundled" ? 0 : 1;
    let fitted = 0,
      capped = 0;
    for (const [center, zoom] of [
      [[9, 48], 3],
      [[179, -25], 3],
      [[179, -25], 5],
      [[10, 50], 6],
      [[10, 50], 8],
      [[8, 47], 7],
    ]) {
      [map.center, map.zoom] = [center, zoom + offset];
      map.adapter.moved(true);
      await until(() => map.markers.view.isSettled && map.markers.view.zoom === zoom);
      for (const marker of map.markers.view.markers.filter(({ isCluster, feature }) => isCluster && !feature.properties.coincident)) {
        map.flights.length = 0;
        await click(map, marker);
        const [flight] = map.flights,
          {
            bbox: [west, south, east, north],
            properties: { expansion_zoom: expansion },
          } = marker.feature;
        const extent = (zoom) => {
          const [left, top] = pixelOf([west, north], zoom),
            [right, bottom] = pixelOf([east < west ? east + 360 : east, south], zoom);
          return [right - left, bottom - top];
        };
        const fits = (zoom) => extent(zoom).every((length, axis) => length <= size[axis] - 2 * padding);
        const least = expansion + offset,
          most = Math.max(maxZoom + offset, least);
        assert.ok(flight.zoom >= least && flight.zoom <= most, `${flight.zoom} of ${least} to ${most}`);
        if (flight.zoom > least) {
          assert.ok(fits(flight.zoom), `${marker.key} at ${flight.zoom}`);
          const [x, y] = pixelOf([flight.center[0] + 360 * Math.round((west - flight.center[0]) / 360), flight.center[1]], flight.zoom);
          const [left, top] = pixelOf([west, north], flight.zoom),
            [width, height] = extent(flight.zoom);
          assert.ok(Math.abs(Math.abs(x - left) - width / 2) < 1 && Math.abs(y - top - height / 2) < 1, "its box is in the middle");
          fitted += 1;
        }
        if (flight.zoom < most) assert.ok(!fits(flight.zoom + 1));
        else capped += 1;
      }
    }
    assert.ok(fitted > 30 && capped > 5, `${fitted} ${capped}`);
    map.markers.remove();
  });

test("a point is flown to and told, from a world away, and from a stack or a long list", async () => {
  const host = hostOf(directories);
  for (const name of ["plain", "bundled"]) {
    const map = mapOf(`${origin}/${name}`, { fetch: host.fetch }),
      tileset = await open(name);
    const pointsAt = async (zoom) =>
      (await tileset.markers([165, -60, 180, 10], zoom)).filter(({ isCluster }) => !isCluster).map(({ feature }) => feature);
    const early = (await pointsAt(5)).map(({ id }) => id),
      lone = (await pointsAt(6)).find(({ id }) => !early.includes(id));
    const {
      id,
      properties,
      geometry: {
        coordinates: [longitude, latitude],
      },
    } = lone;
    // Before the tileset is open, and a little beside the point.
    assert.equal(await map.markers.open({ id, lngLat: [longitude + 0.001, latitude] }), true);
    assert.equal(map.details.at(-1).title, properties.name);
    assert.equal(map.zoom, name === "bundled" ? 6 : maxZoom, "in bundles no closer than needed");
    // Four at one place are spread: the popup is at the end of the point's leg.
    assert.equal(await map.markers.open({ id: "p3903", lngLat: [-71.06, 42.36] }), true);
    assert.deepEqual([map.details.at(-1).title, map.details.at(-1).marker.feature.id], ["place 3903", "p3903"]);
    await until(() => map.markers.shown.some(({ key }) => key.startsWith("spread")));
    const spread = map.markers.shown.filter(({ key }) => key.startsWith("spread")),
      leg = spread.find(({ marker }) => marker.feature.id === "p3903");
    assert.equal(spread.length, 4);
    const [x, y] = pixelOf(map.popups.at(-1), 0).map((pixels) => pixels / 256);
    assert.ok(Math.hypot(x - leg.x, y - leg.y) < 1e-12);
    // 130 are too many for that.
    assert.equal(await map.markers.open({ id: "p4020", lngLat: [-46.63, -23.55] }), true);
    assert.equal(map.details.at(-1).title, "place 4020");
    await until(() => !map.markers.shown.some(({ key }) => key.startsWith("spread")));
    const { length } = map.details;
    assert.deepEqual([await map.markers.open({ id: "nobody", lngLat: [-46.63, -23.55] }), map.details.length], [false, length]);
    assert.equal(await map.markers.open({ lngLat: [-71.06, 42.3601] }), true, "without an id, the nearest one");
    const first = map.markers.open({ id, lngLat: [longitude, latitude] });
    assert.equal(await map.markers.open({ id: "p4000", lngLat: [-46.63, -23.55] }), true);
    assert.equal(await first, false, "another one was opened");
    assert.equal(map.details.at(-1).title, "place 4000");
    host.answer = (path) => (path.endsWith(".json") ? new Response("", { status: 500 }) : undefined);
    await assert.rejects(
      map.markers.open({ id: "p1", lngLat: [120, 10] }).then((found) => {
        if (!found) throw new TilesetError("", "nothing there");
      }),
      TilesetError,
    );
    host.answer = () => undefined;
    map.markers.remove();
  }
});

test("spread points stay while other markers come, at zooms between two zooms of the tileset, too", async () => {
  const map = mapOf(await open("bundled"));
  assert.equal(await map.markers.open({ id: "p3903", lngLat: [-71.06, 42.36] }), true);
  map.zoom += 0.5;
  map.adapter.moved(true);
  await until(() => map.markers.view.isSettled);
  await click(
    map,
    map.markers.view.markers.find(({ points }) => points?.length === 4),
  );
  const spread = () => map.markers.shown.filter(({ key }) => key.startsWith("spread")).length;
  await until(() => spread() === 4);
  const change = next(map.markers, "change");
  map.markers.filter((point) => point.id !== "p7");
  await change;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(spread(), 4);
  map.markers.filter((point) => point.id !== "p3901");
  await until(() => spread() === 0);
  map.markers.remove();
});

test("the last selection counts, whatever is answered first; one that fails marks nothing; aborted calls wait for nothing", async () => {
  const host = hostOf(directories),
    map = mapOf(`${origin}/plain`, { fetch: host.fetch }),
    { markers } = map;
  await assert.rejects(markers.pointsInView({ signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(markers.view.tileset, null, "the call ended before the tileset was open");
  await until(() => markers.view.isSettled && markers.view.markers.length);
  const twins = { id: "p3903", lngLat: [-71.06, 42.36] },
    crowd = { id: "p4020", lngLat: [-46.63, -23.55] };
  const last = await open("plain"),
    found = {};
  for (const address of [twins, crowd]) found[address.id] = (await last.markerOf(address, markers.view.zoom)).marker.key;
  assert.notEqual(found.p3903, found.p4020);
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  host.answer = (path) => (path.endsWith("/9/154/189.json") ? held.then(() => undefined) : undefined);
  const first = markers.select(twins);
  assert.equal((await markers.select(crowd)).marker.key, found.p4020);
  assert.ok(
    host.requests.some((path) => path.endsWith("/9/154/189.json")),
    "the first answer is late",
  );
  release();
  assert.equal((await first).marker.key, found.p3903);
  assert.equal(markers.selected.key, found.p4020, "the late answer marks nothing");
  host.answer = (path) => (path.includes("/tiles/9/") ? new Response("", { status: 500 }) : undefined);
  await assert.rejects(markers.select({ id: "p1", lngLat: [120, 10] }), TilesetError);
  assert.equal(markers.selected, null);
  markers.remove();
});

test("a point opens though another tile fails, not if the filter hides it, and not on a map that is gone", async () => {
  const host = hostOf(directories),
    map = mapOf(`${origin}/plain`, { fetch: host.fetch, retryMilliseconds: Infinity });
  await next(map.markers, "open");
  host.answer = (path) => (path.includes("/tiles/9/") && !path.endsWith("/154/189.json") ? new Response("", { status: 503 }) : undefined);
  const failing = next(map.markers, "error");
  assert.equal(await map.markers.open({ id: "p3903", lngLat: [-71.06, 42.36] }), true);
  assert.equal((await failing).error.status, 503);
  host.answer = () => undefined;
  const { length } = map.popups;
  map.markers.filter((point) => point.id === "p1");
  assert.deepEqual([await map.markers.open({ id: "p3904", lngLat: [-71.06, 42.36] }), map.popups.length], [false, length]);
  for (const call of ["open", "select", "find"]) await assert.rejects(map.markers[call]({ id: 7 }), /found by its place/);
  map.markers.remove();
  assert.deepEqual([await map.markers.open({ id: "p3903", lngLat: [-71.06, 42.36] }), map.popups.length], [false, length]);
});

for (const [name, zoom] of [
  ["plain", 4],
  ["bundled", 5],
])
  test(`where a tile of ${name} is slow, the earlier markers stay, and only there`, async () => {
    const host = hostOf(directories),
      view = new MarkerView(`${origin}/${name}`, { fetch: host.fetch, ...quick, stacks: false }),
      box = [160, -60, 200, 10],
      told = [];
    const { tileset } = await next(view, "open"),
      other = await open(name);
    view.addEventListener("loading", ({ detail }) => told.push(detail));
    view.move(box, zoom - 1);
    await until(() => view.isSettled);
    const before = view.markers,
      files = tileset.files(box, zoom),
      after = await other.markers(box, zoom);
    let release;
    const [slow] = files.filter(({ isBundle, z, x, y }) => view.tileset.cached({ isBundle, z, x, y }, zoom) === undefined);
    const held = new Promise((resolve) => {
      release = resolve;
    });
    host.answer = (path) => (path.endsWith(`/${slow.z}/${slow.x}/${slow.y}.json`) ? held : undefined);
    told.length = 0;
    view.move(box, zoom);
    await until(() => view.pending === 1 && view.zoom === zoom && view.markers.some((marker) => !before.includes(marker)));
    await new Promise((resolve) => setTimeout(resolve, 80));
    const isSlow = ({ x, y }) => Math.floor(x * 2 ** slow.z) === slow.x && Math.floor(y * 2 ** slow.z) === slow.y;
    const isOthers = (marker) =>
      !tileset
        .files([...marker.feature.geometry.coordinates, ...marker.feature.geometry.coordinates], zoom)
        .some(({ isBundle, z, x, y }) => isBundle === slow.isBundle && `${z}/${x}/${y}` === `${slow.z}/${slow.x}/${slow.y}`);
    const keysOf = (markers) => markers.map(({ key }) => key).sort();
    const stale = before.filter((marker) => isSlow(marker) && !isOthers(marker)),
      fresh = after.filter((marker) => isOthers(marker));
    assert.ok(stale.length > 0 && fresh.length > 10, `${stale.length} ${fresh.length}`);
    assert.deepEqual(keysOf(view.markers), keysOf([...stale.filter(({ key }) => !fresh.some((marker) => marker.key === key)), ...fresh]));
    assert.ok(view.isLoading && !view.isSettled);
    release(undefined);
    await until(() => view.isSettled);
    assert.deepEqual(keysOf(view.markers), keysOf(after));
    const pending = told.map(({ pending }) => pending);
    assert.deepEqual(
      pending,
      [...pending].sort((one, other) => other - one),
      "files come one after the other",
    );
    assert.ok(pending[0] > 1 && pending.at(-1) === 0 && told.every(({ isLoading, pending }) => isLoading === pending > 0), `${pending}`);
    view.close();
  });

test("a failed file is not loading any more, and neither is what a paused view has given up", async () => {
  const host = hostOf(directories),
    view = new MarkerView(`${origin}/plain`, { fetch: host.fetch, ...quick, retryMilliseconds: Infinity });
  assert.equal(view.pending, 1, "tilejson.json");
  await next(view, "open");
  host.answer = (path) => (path.endsWith("/2/3/1.json") ? new Response("", { status: 503 }) : undefined);
  view.move(world, 2);
  await next(view, "settled");
  assert.deepEqual([view.isLoading, view.isSettled], [false, false]);
  host.answer = () => new Promise(() => {});
  view.move(world, 3);
  assert.ok(view.isLoading);
  view.pause();
  assert.ok(!view.isLoading);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(host.running, 0, "what was given up at once is asked for no longer");
  view.close();
});

test("of the tilesets on a map, one that has left gets no events any more", () => {
  const host = { container: {} },
    event = {},
    shown = {};
  const adapterOf = () => ({ options: { keyboard: false }, withElement: () => null, surface: { hitAt: () => shown } });
  const [lower, upper] = [adapterOf(), adapterOf()],
    neighbours = Neighbours.join(lower, host);
  assert.equal(Neighbours.join(upper, host), neighbours);
  assert.equal(neighbours.at(event, 2).adapter, upper);
  neighbours.leave(upper);
  assert.equal(neighbours.at(event, 2).adapter, lower);
});
