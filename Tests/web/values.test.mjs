// Places, changes, motions: what needs no host.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { decodeTile } from "../../Sources/PyramidWeb/tileset/mvt.js";
import { encodeLayer, encodeTile } from "./encoders.mjs";
import { MarkerChanges } from "../../Sources/PyramidWeb/markers/marker-changes.js";
import { MarkerScene } from "../../Sources/PyramidWeb/markers/marker-scene.js";
import { stacked } from "../../Sources/PyramidWeb/markers/stacks.js";
import { BundleIndex } from "../../Sources/PyramidWeb/tileset/bundle-index.js";
import { countsByValue } from "../../Sources/PyramidWeb/markers/appearance.js";
import { contains, covering, toDegrees, toWorld } from "../../Sources/PyramidWeb/tileset/geometry.js";
import { labelOf, markerOf } from "../../Sources/PyramidWeb/tileset/marker.js";
import { Records } from "../../Sources/PyramidWeb/tileset/records.js";
import { spiderOffsets } from "../../Sources/PyramidWeb/markers/spider.js";
import { TileCache } from "../../Sources/PyramidWeb/tileset/tile-cache.js";
import { buildPyramids, maxZoom, seededRandom, tilesOf } from "./pyramids.mjs";

const point = (id, longitude, latitude, properties = {}) =>
  markerOf({ ...(id == null ? {} : { id }), geometry: { type: "Point", coordinates: [longitude, latitude] }, properties });
const cluster = (id, longitude, latitude, count, bbox, properties = {}) =>
  markerOf({
    id,
    bbox,
    geometry: { type: "Point", coordinates: [longitude, latitude] },
    properties: { cluster: true, cluster_id: id, point_count: count, expansion_zoom: 5, ...properties },
  });

test("places go to the map and back, and the poles are on its edge", () => {
  assert.deepEqual(toWorld(-180, 0), [0, 0.5]);
  assert.ok(Math.abs(toWorld(0, 89)[1]) < 1e-12 && Math.abs(toWorld(0, -90)[1] - 1) < 1e-12);
  for (const [longitude, latitude] of [
    [13.406, 52.521],
    [-71.06, -42.36],
    [179.999999, 84.9],
  ]) {
    const [x, y] = toDegrees(...toWorld(longitude, latitude));
    assert.ok(Math.abs(x - longitude) < 1e-9 && Math.abs(y - latitude) < 1e-9);
  }
});

test("a box covers the tiles of the places in it, across the antimeridian and round the world", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 400; round++) {
    const z = Math.floor(random() * 6),
      n = 2 ** z,
      west = -540 + 900 * random(),
      width = 400 * random() ** 2;
    const south = -85 + 150 * random(),
      north = Math.min(south + 60 * random(), 85),
      east = west + width;
    const names = covering([west, south, east, north], z).map(({ x, y }) => `${x}/${y}`);
    assert.equal(new Set(names).size, names.length);
    const wanted = new Set();
    for (let step = 0; step <= 500; step++) {
      for (const latitude of [south, (south + north) / 2, north, south + random() * (north - south)]) {
        const [x, y] = toWorld(west + (width * step) / 500, latitude);
        wanted.add(`${((Math.floor(x * n) % n) + n) % n}/${Math.min(Math.floor(y * n), n - 1)}`);
      }
    }
    for (const name of wanted) assert.ok(names.includes(name), `${name} at ${z} of ${[west, south, east, north]}`);
    const columns = new Set(names.map((name) => name.split("/")[0])),
      seen = new Set([...wanted].map((name) => name.split("/")[0]));
    assert.equal(columns.size, seen.size);
  }
  assert.deepEqual(
    covering([170, -10, -170, 10], 3).map(({ x }) => x),
    [7, 7, 0, 0],
  );
  assert.throws(() => covering([-180, -85, 180, 85], 14), RangeError);
});

test("a box contains another only if all of it is inside", () => {
  assert.ok(contains([170, -20, -170, -10], [179, -15, -179, -12]));
  assert.ok(!contains([170, -20, -170, -10], [169, -15, -179, -12]));
  assert.ok(!contains([170, -20, -170, -10], [171, -15, -169, -12]));
  assert.ok(contains([-190, 0, 190, 9], [50, 1, 60, 2]), "round the world");
  assert.ok(contains([170, 0, 190, 9], [-175, 1, -171, 2]), "east beyond 180");
  assert.ok(!contains([9, 49, 12, 51], [10, 48, 11, 50]));
  assert.ok(contains([9, 49, 12, 51], [9, 49, 12, 51]));
});

test("the index of bundles says where every tile of a pyramid is", async (t) => {
  const pyramids = buildPyramids();
  t.after(pyramids.remove);
  const { bundles } = JSON.parse(readFileSync(join(pyramids.bundled, "tilejson.json")));
  const index = await BundleIndex.decode(bundles),
    nodes = inflateRawSync(Buffer.from(bundles.index, "base64"));
  // Walked whole in preorder, as the format says.
  const files = new Map();
  let next = 0;
  const walk = (state, z, x, y) => {
    if (state === 1 || state === 2) files.set(`${z}/${x}/${y}`, state === 1);
    if (state < 2) return;
    const byte = nodes[next++];
    for (let child = 0; child < 4; child++) walk((byte >> (2 * child)) & 3, z + 1, 2 * x + (child % 2), 2 * y + (child >> 1));
  };
  walk(bundles.root, 0, 0, 0);
  const onDisk = [...tilesOf(pyramids.bundled).map((tile) => [tile, false]), ...tilesOf(pyramids.bundled, "bundles").map((tile) => [tile, true])];
  assert.equal(onDisk.length, files.size);
  assert.ok([...files.values()].some(Boolean) && ![...files.values()].every(Boolean));
  for (const [{ z, x, y }, isBundle] of onDisk) assert.deepEqual(index.find({ z, x, y }), { isBundle, z, x, y });
  for (let z = 0; z <= maxZoom; z++) {
    for (let count = 0; count < 2000; count++) {
      const x = (count * 7919) % 2 ** z,
        y = (count * 104729) % 2 ** z;
      let expected = files.has(`${z}/${x}/${y}`) ? { isBundle: files.get(`${z}/${x}/${y}`), z, x, y } : null;
      for (let up = 1; up <= z; up++) {
        const name = `${z - up}/${x >> up}/${y >> up}`;
        if (files.get(name)) expected = { isBundle: true, z: z - up, x: x >> up, y: y >> up };
      }
      assert.deepEqual(index.find({ z, x, y }), expected, `${z}/${x}/${y}`);
    }
  }
  // Every feature of a plain tile lies below the file that is found for it.
  for (const { z, x, y } of tilesOf(pyramids.plain)) assert.ok(index.find({ z, x, y }), `${z}/${x}/${y}`);
  assert.throws(() => new BundleIndex(nodes.subarray(0, nodes.length - 1), bundles.root), /damaged/);
  assert.throws(() => new BundleIndex(Buffer.concat([nodes, Buffer.from([0])]), bundles.root), /damaged/);
});

test("the indexes of nothing and of one bundle have no bytes", async () => {
  const empty = await BundleIndex.decode({ index: "", root: 0 }),
    one = await BundleIndex.decode({ index: "", root: 1 });
  assert.equal(empty.find({ z: 3, x: 1, y: 2 }), null);
  assert.deepEqual(one.find({ z: 3, x: 1, y: 2 }), { isBundle: true, z: 0, x: 0, y: 0 });
});

test("the cache forgets what was not used the longest, and never takes more than its limit", () => {
  const cache = new TileCache(100),
    random = seededRandom(5),
    mirror = new Map();
  for (let round = 0; round < 3000; round++) {
    const name = `tile ${Math.floor(random() * 30)}`;
    if (random() < 0.5) {
      const bytes = Math.floor(random() * 120);
      cache.set(name, round, bytes);
      mirror.delete(name);
      if (bytes <= 100) mirror.set(name, { round, bytes });
      const sum = () => [...mirror.values()].reduce((total, { bytes }) => total + bytes, 0);
      while (sum() > 100) mirror.delete(mirror.keys().next().value);
      assert.equal(cache.byteCount, sum());
    } else {
      assert.equal(cache.get(name), mirror.get(name)?.round);
      const entry = mirror.get(name);
      if (entry) {
        mirror.delete(name);
        mirror.set(name, entry);
      }
    }
    assert.ok(cache.byteCount <= 100 && cache.count === mirror.size);
  }
});

// The same markers, and the same changes, as MarkerChangesTests.swift.
test("markers split out of the cluster whose box holds them, and merge into it", () => {
  const coarse = [cluster(7, 178, -17, 5, [176, -20, -176, -15]), cluster(8, 10, 50, 3, [9, 49, 12, 51]), point("a", -70, 40)];
  const fine = [
    cluster(7, 178, -17, 3, [177, -18, 179, -16]),
    point("b", -177, -19),
    point("c", 176.5, -15.5),
    point("d", 11, 50),
    point("a", -70, 40),
    point("e", 100, 0),
  ];
  const splitting = new MarkerChanges(coarse, fine);
  assert.deepEqual(
    splitting.added.map(({ marker }) => marker),
    [fine[1], fine[2], fine[3], fine[5]],
  );
  assert.deepEqual(
    splitting.added.map(({ origin }) => origin),
    [coarse[0], coarse[0], coarse[1], null],
  );
  assert.deepEqual(splitting.removed, [{ key: coarse[1].key, marker: coarse[1], destination: null }]);
  assert.deepEqual(splitting.updated, [{ before: coarse[0], after: fine[0] }]);
  assert.deepEqual(splitting.unchanged, [coarse[2]]);
  assert.equal(splitting.moved.length, 0);
  const merging = new MarkerChanges(fine, coarse);
  assert.deepEqual(
    merging.removed.map(({ marker }) => marker),
    [fine[1], fine[2], fine[3], fine[5]],
  );
  assert.deepEqual(
    merging.removed.map(({ destination }) => destination),
    [coarse[0], coarse[0], coarse[1], null],
  );
  assert.deepEqual(merging.added, [{ key: coarse[1].key, marker: coarse[1], origin: null }]);
  assert.deepEqual(merging.updated, [{ before: fine[0], after: coarse[0] }]);
});

test("the parent that the pyramid names counts more than what is near", () => {
  const near = cluster(1, 0, 0, 9, [-5, -5, 5, 5]),
    named = cluster(2, 4, 4, 9, [-5, -5, 5, 5]),
    child = { ...point("a", 0.5, 0.25), parent: "cluster 2" };
  assert.equal(new MarkerChanges([near, named], [child]).added[0].origin, named);
  assert.equal(new MarkerChanges([child], [near, named]).removed[0].destination, named);
  assert.equal(new MarkerChanges([named, near], [point("a", 0.5, 0.25)]).added[0].origin, near);
});

test("the nearest is found across the antimeridian, and never a smaller cluster", () => {
  const marker = cluster(3, 179.9, 0.5, 4, [179, 0, -179, 1]),
    across = cluster(4, -179.5, 0.25, 5, [170, -5, -170, 5]);
  const farther = cluster(5, 175, 0.25, 50, [170, -5, -170, 5]),
    small = cluster(6, 179.9, 0.5, 4, [170, -5, -170, 5]),
    narrow = cluster(9, 179.9, 0.5, 9, [179, 0, 180, 1]);
  assert.equal(new MarkerChanges([marker], [small, narrow, farther, across]).removed[0].destination, across);
});

test("the same id at another place has moved, and points without ids that are alike are counted", () => {
  const before = [point(12, 5, 6), cluster(1, 5, 6, 2, [5, 6, 6, 7])],
    after = [cluster(1, 5.5, 6, 2, [5, 6, 6, 7]), point(12, 5, 6.5)];
  const { moved, added, removed } = new MarkerChanges(before, after);
  assert.deepEqual(moved, [
    { before: before[1], after: after[0] },
    { before: before[0], after: after[1] },
  ]);
  assert.deepEqual([added, removed], [[], []]);
  assert.equal(new MarkerChanges([point(7, 1, 2)], [point("7", 1, 2)]).added.length, 1, "a number is no text");
  const twin = () => point(null, 3, 4, { a: 1 });
  const changes = new MarkerChanges([twin(), twin()], [twin(), twin(), twin()]);
  assert.deepEqual([changes.unchanged.length, changes.added.length, changes.removed.length], [2, 1, 0]);
});

test("between the zooms of a plain tileset, every change is the one that the tiles say", (t) => {
  const pyramids = buildPyramids();
  t.after(pyramids.remove);
  const byZoom = new Map(),
    markersOf = (z, features) => new Records({ features, unit: 0 }, { isBundle: false, z }, { lastZoom: maxZoom, facets: null }).shown(z);
  for (const { z, features } of tilesOf(pyramids.plain)) byZoom.set(z, (byZoom.get(z) ?? []).concat(markersOf(z, features)));
  let splits = 0;
  for (let z = 0; z < maxZoom; z++) {
    const coarse = byZoom.get(z),
      fine = byZoom.get(z + 1),
      clusters = new Map(coarse.filter(({ isCluster }) => isCluster).map((marker) => [marker.key, marker]));
    const known = new Set(coarse.map(({ key }) => key));
    const { added, removed } = new MarkerChanges(coarse, fine),
      back = new MarkerChanges(fine, coarse);
    const news = fine.filter(({ key }) => !known.has(key));
    assert.deepEqual(
      added.map(({ marker }) => marker.key),
      news.map(({ key }) => key),
    );
    assert.deepEqual(
      back.removed.map(({ marker }) => marker.key),
      news.map(({ key }) => key),
    );
    assert.deepEqual(
      removed.map(({ key }) => key),
      back.added.map(({ key }) => key),
    );
    // Every marker states the cluster that has it, unless it is shown there itself.
    for (const { marker, origin } of added) {
      const above = clusters.get(marker.parent);
      assert.ok(above, marker.key);
      if (above.count > marker.count) splits += Number(assert.equal(origin, above) === undefined);
    }
    for (const { key, parent } of fine) assert.equal(parent === null, known.has(key), key);
  }
  assert.ok(splits > 500, String(splits));
});

test("points at one place are one stack, and clusters stay", () => {
  const at = (name) => point(null, -71.06, 42.36, { name }),
    other = point(null, -71.06, 42.37, { name: "d" }),
    group = cluster(4, -71.06, 42.36, 9, [-72, 42, -71, 43]);
  const [a, b, c] = ["a", "b", "c"].map(at),
    shown = stacked([a, group, b, other, c]);
  assert.deepEqual(
    shown.map(({ count }) => count),
    [3, 9, 1],
  );
  assert.deepEqual(shown[0].points, [a, b, c]);
  assert.deepEqual(shown.slice(1), [group, other]);
});

test("ids that JavaScript can't tell apart don't make one marker of two", () => {
  const large = (id, longitude) => point(id, longitude, 2, { name: `at ${longitude}` }),
    lost = 2 ** 53;
  assert.equal(new MarkerChanges([large(lost, 1)], [large(lost, 3)]).added.length, 1);
  assert.equal(new MarkerChanges([large(lost - 1, 1)], [large(lost - 1, 3)]).moved.length, 1, "exact ids are the same marker");
  const group = (longitude, count) => cluster(2 ** 60, longitude, 2, count, [longitude, 2, longitude, 2]);
  assert.equal(new Set([group(1, 5), group(3, 5), group(1, 6)].map(({ key }) => key)).size, 3);
  const tile = encodeTile(
    encodeLayer([2n ** 53n, 2n ** 53n + 1n, 2n ** 63n].map((id, index) => ({ id, at: [100 * index, 7], tags: [["name", "x"]] }))),
  );
  assert.equal(new Set(decodeTile(tile, { z: 0, x: 0, y: 0 }).map((feature) => markerOf(feature).key)).size, 3);
});

test("points are counted by value, whatever stands for them", () => {
  const markers = [
    cluster(1, 2, 3, 5, [1, 2, 3, 4], { kind: { a: 3, 7: 2 } }),
    cluster(2, 2, 3, 4, [1, 2, 3, 4], { kind: 7 }),
    point(1, 2, 3, { kind: "a" }),
    point(2, 2, 3),
    point(3, 2, 3, { kind: [1] }),
    ...stacked([point(4, 9, 9, { kind: "a" }), point(5, 9, 9, { kind: true })]),
  ];
  assert.deepEqual(
    countsByValue(markers, "kind"),
    new Map([
      ["7", 6],
      ["a", 5],
      ["", 2],
      ["true", 1],
    ]),
  );
});

test("a filtered cluster's label has the format of the cluster's own", () => {
  const of = (count, total, label) => labelOf(count, cluster(1, 2, 3, total, [1, 2, 3, 4], { point_count_abbreviated: label }));
  assert.deepEqual(
    [of(900, 950, 950), of(1234, 5000, "5k"), of(12345, 99999, 99999), of(120, 5000, "99+"), of(99, 5000, "99+"), of(7, 5e6, "5M")],
    ["900", "1.2k", "12345", "99+", "99", "7"],
  );
});

test("at one zoom no marker comes out of another, also if it names that as its parent", () => {
  const near = cluster(1, 0, 0, 9, [-5, -5, 5, 5]),
    child = { ...point("a", 0.5, 0.25), parent: "cluster 1" };
  assert.equal(new MarkerChanges([near], [near, child], { isOneZoom: true }).added[0].origin, null);
  assert.equal(new MarkerChanges([near], [near, child]).added[0].origin, near);
  assert.equal(new MarkerChanges([near, child], [near], { isOneZoom: true }).removed[0].destination, null);
});

test("spread points don't touch each other, nor the place that they share", () => {
  for (let count = 2; count <= 40; count++) {
    const offsets = spiderOffsets(count);
    assert.equal(offsets.length, count);
    offsets.forEach(([x, y], index) => {
      assert.ok(Math.hypot(x, y) > 30);
      for (const [otherX, otherY] of offsets.slice(0, index)) assert.ok(Math.hypot(x - otherX, y - otherY) > 18, `${count}`);
    });
  }
});

// Motions

const change = (before, markers) => ({ markers, isZoom: true, changes: new MarkerChanges(before, markers) });

test("a marker comes out of its cluster, and goes back into it", () => {
  const scene = new MarkerScene({ milliseconds: 300 }),
    whole = cluster(1, 10, 20, 2, [10, 20, 14, 20]),
    east = point("e", 14, 20),
    west = point("w", 10, 20);
  scene.show(change([], [whole]), 0);
  scene.show(change([whole], [west, east]), 1000);
  const at = (now, key) => scene.frame(now).find((shown) => shown.key === key);
  assert.ok(Math.abs(at(1000, east.key).x - whole.x) < 1e-12 && at(1000, east.key).alpha === 1);
  assert.ok(at(1150, east.key).x > whole.x && at(1150, east.key).x < east.x);
  assert.deepEqual([at(1300, east.key).x, at(1300, whole.key)], [east.x, undefined]);
  assert.ok(!scene.isMoving(1300));
  scene.show(change([west, east], [whole]), 2000);
  const going = at(2200, east.key);
  assert.ok(going.isLeaving && going.alpha < 0.2 && going.x < east.x);
  assert.equal(at(2300, east.key), undefined);
});

test("across the antimeridian a marker goes the short way", () => {
  const scene = new MarkerScene(),
    whole = cluster(1, -179, 0, 2, [179, 0, -179, 0]),
    west = point("w", 179, 0);
  scene.show(change([], [whole]), 0);
  scene.show(change([whole], [west]), 1000);
  for (let now = 1000; now <= 1300; now += 10) {
    const { x } = scene.frame(now).find(({ key }) => key === west.key);
    assert.ok(Math.abs(x - west.x) <= 2 / 360 + 1e-12, String(x));
  }
});

test("however quickly the zooms follow each other, nothing stays that is not shown", () => {
  const random = seededRandom(11),
    levels = Array.from({ length: 6 }, (_, z) =>
      Array.from({ length: 3 * 2 ** z }, (_, index) =>
        (index + z) % 3 ? point(index, -170 + 300 * random(), 60 * random()) : cluster(index, 10 * index, 5, 50 - z, [-180, -80, 180, 80]),
      ),
    );
  for (let round = 0; round < 30; round++) {
    const scene = new MarkerScene();
    let shown = [],
      now = 0;
    for (let step = 0; step < 40; step++) {
      const next = levels[Math.floor(random() * levels.length)];
      scene.show(change(shown, next), now);
      const frame = scene.frame(now);
      assert.equal(new Set(frame.filter(({ isLeaving }) => !isLeaving).map(({ key }) => key)).size, new Set(next.map(({ key }) => key)).size);
      for (const { alpha, key, isLeaving } of frame)
        assert.ok(alpha >= 0 && alpha <= 1 && (!isLeaving || !next.some((marker) => marker.key === key)));
      [shown, now] = [next, now + 400 * random() ** 2];
    }
    const end = scene.frame(now + 300);
    assert.deepEqual(end.map(({ key }) => key).sort(), [...new MarkerChanges([], shown).after.keys()].sort());
    for (const { x, y, alpha, marker } of end) assert.deepEqual([x, y, alpha], [marker.x, marker.y, 1]);
  }
});

test("a marker that turns back goes on from where it is", () => {
  const scene = new MarkerScene(),
    whole = cluster(1, 10, 20, 2, [10, 20, 14, 20]),
    east = point("e", 14, 20);
  scene.show(change([], [east]), 0);
  scene.show(change([east], [whole]), 1000);
  const before = scene.frame(1100).find(({ key }) => key === east.key);
  scene.show(change([whole], [east]), 1100);
  const after = scene.frame(1100).find(({ key }) => key === east.key);
  assert.ok(Math.abs(before.x - after.x) < 1e-12 && Math.abs(before.alpha - after.alpha) < 1e-12 && !after.isLeaving);
});

test("without a motion, or with too many markers, all is there at once", () => {
  const many = Array.from({ length: 30 }, (_, index) => point(index, index, 3));
  for (const scene of [new MarkerScene({ milliseconds: 0 }), new MarkerScene({ limit: 29 })]) {
    scene.show(
      {
        markers: many,
        get changes() {
          throw new Error("not needed");
        },
      },
      5000,
    );
    assert.ok(!scene.isMoving(5000));
    assert.ok(scene.frame(5000).length === 30 && scene.frame(5000).every(({ alpha }) => alpha === 1));
  }
});

test("a box that is narrower than the world by a rounding error is as wide", () => {
  const box = [0, -56, 359.99999999999994, -47],
    columns = (box) =>
      covering(box, 3)
        .map(({ x }) => x)
        .sort();
  assert.deepEqual(columns(box), columns([-180, -56, 180, -47]));
  assert.ok(contains(box, [170, -50, -170, -49]) && !contains(box, [170, -46, -170, -45]));
});
