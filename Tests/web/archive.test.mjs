// Vector tiles and archives: what is read from them, also from such as are damaged, change, or lie.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { MarkerView, Tileset } from "../../Sources/PyramidWeb/index.js";
import { toDegrees } from "../../Sources/PyramidWeb/tileset/geometry.js";
import { decodeTile } from "../../Sources/PyramidWeb/tileset/mvt.js";
import { Archive, tileID } from "../../Sources/PyramidWeb/tileset/pmtiles.js";
import { Requests } from "../../Sources/PyramidWeb/tileset/requests.js";
import { encodeArchive, encodeDirectory, encodeLayer, encodeTile, field, rangeHost, varint, walkedID, zigzag } from "./encoders.mjs";
import { buildPyramids, hostOf, maxZoom, seededRandom } from "./pyramids.mjs";

const url = "https://tiles.example.org/points.pmtiles",
  world = [-180, -85.06, 180, 85.06],
  quick = { retryMilliseconds: 1 };
const open = (host, options = {}) => Tileset.open(url, { fetch: host.fetch, ...quick, ...options });
const geoJSON = (...features) => Buffer.from(JSON.stringify({ type: "FeatureCollection", features }));
const point = (name, longitude = 5, latitude = 6) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [longitude, latitude] },
  properties: { name },
});
const namesOf = (markers) =>
  markers
    .map(
      ({
        feature: {
          properties: { name },
        },
      }) => name,
    )
    .sort();

// What pyramid writes

let pyramids;
before(() => {
  pyramids = buildPyramids();
});
after(() => pyramids.remove());

for (const shape of ["vector/", "vector.pmtiles", "geojson.pmtiles"])
  test(`the markers of ${shape} are those of the plain pyramid, up to the grid of vector tiles`, async () => {
    const host = hostOf(pyramids),
      plain = await Tileset.open("https://tiles.example.org/plain/", { fetch: host.fetch });
    const tileset = await Tileset.open(`https://tiles.example.org/${shape}`, { fetch: host.fetch });
    assert.deepEqual([tileset.minzoom, tileset.maxzoom, tileset.zoomOffset], [0, maxZoom, 0]);
    assert.ok(
      tileset.tileJSON.bounds.every((edge, index) => Math.abs(edge - plain.tileJSON.bounds[index]) < 1e-5),
      String(tileset.tileJSON.bounds),
    );
    const isVector = shape.startsWith("vector");
    const content = ({
      feature: {
        id,
        properties: { cluster_id: cluster, point_count_abbreviated: label, ...properties },
      },
    }) => JSON.stringify([id ?? null, cluster ?? null, String(label), properties]);
    let seen = 0;
    const views = [0, 1, 2, 3, 4, 5].map((z) => [z, world]);
    // Beyond, places that no point is near to the edge of: it may be on the other side of it.
    const places = [
      [164.9, -60.1, 195.1, 10.1],
      [4.9, 44.9, 14.1, 53.1],
      [-71.1, 42.3, -71, 42.4],
      [-46.7, -23.6, -46.6, -23.5],
      [-60.6, -12.3, -60.4, -12.2],
    ];
    for (let z = 6; z <= maxZoom; z++) views.push(...places.map((box) => [z, box]));
    for (const [z, box] of views) {
      const expected = await plain.markers(box, z),
        found = await tileset.markers(box, z),
        unit = 2 ** -z / 8192;
      assert.deepEqual(found.map(content).sort(), expected.map(content).sort(), `zoom ${z}`);
      if (!isVector)
        assert.deepEqual(
          found.map(({ feature }) => feature),
          expected.map(({ feature }) => feature),
        );
      // Features are in the same order in every format.
      found.forEach((marker, index) => {
        const { x, y } = expected[index];
        assert.ok(
          Math.abs(marker.x - x) <= unit * 1.001 && Math.abs(marker.y - y) <= unit * 1.001,
          `zoom ${z}: ${marker.x} ${marker.y}, expected ${x} ${y}`,
        );
        assert.ok(Math.abs(marker.x - x) + Math.abs(marker.y - y) <= (isVector ? unit * 2 : 0));
        assert.equal(marker.unit, isVector ? unit : 0);
      });
      seen += found.length;
    }
    assert.ok(seen > 5000, String(seen));
    const [cluster] = await tileset.markers([-46.7, -23.7, -46.5, -23.4], 6),
      { points } = await tileset.points(cluster, { limit: 200 });
    assert.equal(new Set(points.map(({ properties: { name } }) => name)).size, 130);
  });

// Vector tiles

test("a vector tile's values are those that were written, of whatever kind", () => {
  const written = [
    ["string", 'Zürich ☃ "x"'],
    ["string", ""],
    ["float", 1.5],
    ["double", -0.1],
    ["double", 1e300],
    ["int64", 7],
    ["int64", -7],
    ["int64", -(2 ** 53 - 1)],
    ["uint64", 0],
    ["uint64", 2 ** 53 - 1],
    ["sint64", -1],
    ["sint64", 1],
    ["sint64", -(2 ** 53 - 1)],
    ["sint64", 2 ** 53 - 1],
    ["bool", true],
    ["bool", false],
  ];
  for (const isReversed of [false, true]) {
    const tags = written.map(([kind, value], index) => [`k${index}`, kind, value]);
    const bytes = encodeTile(encodeLayer([{ id: 2 ** 53 - 1, tags }, { tags: [["k3", "string", "3"]] }], { isReversed }));
    const [first, second] = decodeTile(bytes, { z: 0, x: 0, y: 0 });
    assert.deepEqual(
      Object.values(first.properties),
      written.map(([, value]) => value),
    );
    assert.equal(first.id, 2 ** 53 - 1);
    assert.deepEqual([second.properties, "id" in second], [{ k3: "3" }, false]);
  }
});

test("a vector tile's points are where its grid says, also beyond its border", () => {
  const random = seededRandom(3);
  for (const extent of [512, 4096, 8192]) {
    for (let round = 0; round < 50; round++) {
      const z = Math.floor(random() * 15),
        x = Math.floor(random() * 2 ** z),
        y = Math.floor(random() * 2 ** z);
      const at = [Math.floor((random() * 1.2 - 0.1) * extent), Math.floor((random() * 1.2 - 0.1) * extent)];
      const [
        {
          geometry: {
            coordinates: [longitude, latitude],
          },
        },
      ] = decodeTile(encodeTile(encodeLayer([{ at }], { extent })), { z, x, y });
      const east = ((longitude + 180) / 360) * 2 ** z - x;
      const south = ((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z - y;
      assert.ok(Math.abs(east * extent - at[0]) < 1e-3 && Math.abs(south * extent - at[1]) < 1e-3, `${z}/${x}/${y} ${at} of ${extent}`);
    }
  }
});

test("clusters have what they have in GeoJSON tiles, and a point's texts stay texts", () => {
  const tags = [
    ["cluster", true],
    ["point_count", 3],
    ["point_count_abbreviated", "3"],
    ["kind", '{"bar":2,"":1}'],
    ["members", "[7,8,10]"],
    ["bbox", "[1,2,3,4]"],
    ["name", "[no JSON"],
  ];
  const features = [
    { id: 99, tags },
    {
      id: 4,
      tags: [
        ["name", "[1]"],
        ["bbox", "[1,2]"],
      ],
    },
    { tags: [["name", "{}"]] },
  ];
  const [cluster, one, other] = decodeTile(encodeTile(encodeLayer(features)), { z: 0, x: 0, y: 0 });
  assert.deepEqual(cluster.properties, {
    cluster: true,
    point_count: 3,
    point_count_abbreviated: "3",
    kind: { bar: 2, "": 1 },
    members: [7, 8, 10],
    name: "[no JSON",
    cluster_id: 99,
  });
  assert.deepEqual([cluster.id, cluster.bbox], [99, [1, 2, 3, 4]]);
  assert.deepEqual([one.properties, other.properties], [{ name: "[1]", bbox: "[1,2]" }, { name: "{}" }]);
});

test("ids that are no whole numbers are ids, and not properties", () => {
  const features = [
    {
      tags: [
        ["code", "A 7"],
        ["name", "a"],
      ],
    },
    { tags: [["name", "b"]] },
    { id: 3, tags: [["code", "c"]] },
    {
      id: 9,
      tags: [
        ["cluster", true],
        ["code", "d"],
      ],
    },
  ];
  const found = decodeTile(encodeTile(encodeLayer(features)), { z: 0, x: 0, y: 0 }, { idProperty: "code" });
  assert.deepEqual(
    found.map(({ id, properties: { cluster, cluster_id: _, ...properties } }) => [id ?? null, properties]),
    [
      ["A 7", { name: "a" }],
      [null, { name: "b" }],
      [3, { code: "c" }],
      [9, { code: "d" }],
    ],
  );
});

test("layers are read one after the other, and what is no point is left out", () => {
  const line = { type: 2, geometry: [...varint(9), ...zigzag(1), ...zigzag(1), ...varint(10), ...zigzag(5), ...zigzag(5)] };
  const several = { geometry: [...varint((2 << 3) | 1), ...zigzag(1), ...zigzag(1), ...zigzag(5), ...zigzag(5)] };
  const tile = encodeTile(encodeLayer([{ tags: [["name", "a"]] }, line, several]), encodeLayer([{ tags: [["name", "b"]] }], { name: "more" }));
  assert.deepEqual(
    decodeTile(tile, { z: 0, x: 0, y: 0 }).map(({ properties: { name } }) => name),
    ["a", "b"],
  );
  assert.deepEqual(decodeTile(new Uint8Array(), { z: 0, x: 0, y: 0 }), []);
});

test("a layer may have any number of points", () => {
  const one = field(2, [3 << 3, 1, ...field(4, [9, 2, 2])]),
    count = 300000,
    body = Buffer.concat([Buffer.from(field(1, [97])), ...Array(count).fill(Buffer.from(one))]);
  const tile = Buffer.concat([Buffer.from([(3 << 3) | 2, ...varint(body.length)]), body]);
  assert.equal(decodeTile(tile, { z: 0, x: 0, y: 0 }).length, count);
});

test("no bytes whatever bring the decoder to more than an error", () => {
  const whole = encodeTile(
    encodeLayer([
      {
        id: 1,
        at: [5, 6],
        tags: [
          ["name", "a"],
          ["size", -3],
          ["share", 0.5],
        ],
      },
      { id: 2, at: [7, 8], tags: [["name", "b"]] },
    ]),
  );
  const random = seededRandom(8);
  let errors = 0;
  const read = (bytes) => {
    try {
      assert.ok(decodeTile(bytes, { z: 0, x: 0, y: 0 }).length <= 64);
    } catch (error) {
      assert.ok(error instanceof RangeError, String(error));
      errors += 1;
    }
  };
  for (let length = 1; length < whole.length; length++) read(whole.subarray(0, length));
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from(whole);
    for (let change = 0; change < 1 + (round % 4); change++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    read(bytes);
  }
  assert.ok(errors > 1000);
});

// Archives

test("the numbers of tiles are those along the curve", () => {
  const seen = new Set();
  for (let z = 0; z <= 5; z++) {
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) {
        assert.equal(tileID({ z, x, y }), walkedID(z, x, y), `${z}/${x}/${y}`);
        seen.add(tileID({ z, x, y }));
      }
  }
  assert.deepEqual([seen.size, Math.max(...seen)], [1365, 1364]);
  // From the specification.
  assert.equal(tileID({ z: 12, x: 3423, y: 1763 }), 19078479);
});

test("every tile of an archive is found, with and without leaf directories and compression, and no other", async () => {
  const random = seededRandom(5),
    tiles = [];
  for (let z = 0; z <= 5; z++) {
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) {
        // Some tiles are alike: one entry is for several.
        if (z === 0 || random() < 0.6)
          tiles.push({ z, x, y, bytes: geoJSON(point(random() < 0.5 ? "same" : `${z}/${x}/${y}`, ((x + 0.5) / 2 ** z) * 360 - 180, 0)) });
      }
  }
  for (const options of [{}, { leafLength: 7 }, { leafLength: 40, compression: 1 }]) {
    const host = rangeHost(encodeArchive(tiles, { ...options, tileType: 0, metadata: { name: "all" } })),
      tileset = await open(host);
    const archive = await Archive.open(url, new Requests(host));
    assert.deepEqual([tileset.tileJSON.name, tileset.minzoom, tileset.maxzoom, tileset.zoomOffset], ["all", 0, 5, 0]);
    for (let z = 0; z <= 5; z++) {
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++) {
          const tile = tiles.find((tile) => tile.z === z && tile.x === x && tile.y === y);
          const found = await archive.tile({ z, x, y });
          assert.equal(found && Buffer.from(found).toString(), tile ? tile.bytes.toString() : null, `${z}/${x}/${y}`);
        }
    }
  }
});

for (const format of ["mvt", "geojson"])
  test(`where many ${format} tiles have the same bytes, each tile has its own markers, whatever is asked for at once`, async () => {
    const random = seededRandom(format.length),
      last = 4,
      stored = new Map();
    let archives = 0;
    for (let round = 0; round < 12; round++) {
      const tiles = [];
      for (let z = 0; z <= last; z++) {
        for (let x = 0; x < 2 ** z; x++)
          for (let y = 0; y < 2 ** z; y++) {
            if (z > 0 && random() < 0.2) continue;
            // A point in the middle of the tile, or in the middle of its north-western tile of the last zoom, which its own
            // north-western tiles share.
            const corner = 2 ** (last - z) / 2 ** last,
              place = toDegrees(x * corner + 0.5 / 2 ** last, y * corner + 0.5 / 2 ** last);
            const name = "abc"[Math.floor(random() * 3)];
            tiles.push({
              z,
              x,
              y,
              bytes: format === "mvt" ? encodeTile(encodeLayer([{ at: [4096, 4096], tags: [["name", name]] }])) : geoJSON(point("same", ...place)),
            });
          }
      }
      stored.clear();
      for (const { z, x, y, bytes } of tiles) stored.set(`/t/tiles/${z}/${x}/${y}.${format}`, bytes);
      const options = {
        tileType: Number(format === "mvt"),
        compression: 1 + (round % 2),
        leafLength: [0, 5][round % 2],
        metadata: { pad: "x".repeat(20000) },
      };
      const description = { tiles: [`tiles/{z}/{x}/{y}.${format}`], minzoom: 0, maxzoom: last };
      const directory = await Tileset.open("https://tiles.example.org/t/", {
        fetch: async (address) => {
          const path = new URL(address).pathname,
            body = path.endsWith("tilejson.json") ? JSON.stringify(description) : stored.get(path);
          return new Response(body ?? "", { status: body ? 200 : 404 });
        },
      });
      const placed = (markers) =>
        markers
          .map(
            ({
              x,
              y,
              feature: {
                properties: { name },
              },
            }) => `${name} ${x.toFixed(9)} ${y.toFixed(9)}`,
          )
          .sort();
      const expected = [];
      for (let z = 0; z <= last; z++) expected.push(placed(await directory.markers(world, z)));
      const host = rangeHost(encodeArchive(tiles, options)),
        archive = await open(host),
        order = [...expected.keys()].sort(() => random() - 0.5);
      host.answer = () => new Promise((resolve) => setTimeout(resolve, 10 * random()));
      const together = await Promise.all(order.map((z) => archive.markers(world, z)));
      order.forEach((z, index) => assert.deepEqual(placed(together[index]), expected[z], `zoom ${z} with the others, in the order ${order}`));
      for (const z of order) assert.deepEqual(placed(await archive.markers(world, z)), expected[z], `zoom ${z} afterwards`);
      const asked = host.requests.map(({ first, last }) => `${first}-${last}`);
      assert.equal(new Set(asked).size, asked.length, "no range is asked for twice");
      assert.ok(expected.flat().length > asked.length, "tiles share their bytes");
      archives += 1;
    }
    assert.equal(archives, 12);
  });

test("a view of an archive has its markers, with a request for each part that wasn't read yet", async () => {
  const tile = (z, x, y, ...names) => ({
    z,
    x,
    y,
    bytes: encodeTile(
      encodeLayer(
        names.map((name, index) => ({
          at: [4096, 4000 + 100 * index],
          tags: [
            ["name", name],
            ["long", name.repeat(6000) + Math.random()],
          ],
        })),
      ),
    ),
  });
  const tiles = [tile(0, 0, 0, "a"), tile(1, 0, 0, "b", "c"), tile(1, 1, 0, "d"), tile(1, 1, 1, "e"), tile(2, 3, 3, "f")];
  const host = rangeHost(encodeArchive(tiles, { metadata: { pyramid: { options: { tile_size: 256 } } }, compression: 1, leafLength: 2 })),
    tileset = await open(host);
  assert.deepEqual(
    host.requests.map(({ first, last }) => [first, last]),
    [[0, 16383]],
    "the header, the root directory and the metadata come at once",
  );
  assert.equal(tileset.zoomOffset, 0);
  assert.deepEqual(namesOf(await tileset.markers(world, 1)), ["b", "c", "d", "e"]);
  const { length } = host.requests;
  assert.ok(length <= 5, `${length} requests`);
  assert.deepEqual(namesOf(await tileset.markers([0, 10, 179, 80], 1.5)), ["d"]);
  assert.deepEqual(namesOf(await tileset.markers(world, 7)), ["f"]);
  assert.equal(host.requests.length, length + 1);
  assert.ok(host.requests.every(({ hasRange }) => hasRange));
});

test("vector tiles are for maps of 512 pixels, unless the archive says otherwise", async () => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: encodeTile(encodeLayer([{}])) }];
  assert.equal((await open(rangeHost(encodeArchive(tiles)))).zoomOffset, 1);
  assert.equal((await open(rangeHost(encodeArchive(tiles, { metadata: { pyramid: { options: {} } } })))).zoomOffset, 0);
});

for (const what of ["ETag", "Last-Modified", "content alone"])
  test(`an archive that is replaced is read anew, told by its ${what}`, async () => {
    const tilesOf = (name, length) =>
      Array.from({ length }, (_, index) => {
        const [x, y] = [index % 8, index >> 3],
          long = `${name} ${randomBytes(9000).toString("hex")}`;
        return { z: 3, x, y, bytes: geoJSON(point(long, ...toDegrees((x + 0.5) / 8, (y + 0.5) / 8))) };
      });
    const host = rangeHost(encodeArchive(tilesOf("old", 30), { tileType: 0, compression: 2, leafLength: 4 }));
    if (what !== "ETag") host.tag = "";
    if (what === "content alone") host.modified = "";
    const tileset = await open(host);
    const first = namesOf(await tileset.markers([-180, 0, -100, 85], 3));
    assert.ok(first.length && first.every((name) => name.startsWith("old")));
    host.file = encodeArchive(tilesOf("new", 40), { tileType: 0, compression: 2, leafLength: 4 });
    if (what === "ETag") host.tag = '"2"';
    if (what === "Last-Modified") host.modified = "Mon, 07 Nov 1994 08:49:37 GMT";
    const before = host.requests.length,
      found = namesOf(await tileset.markers([-100, 20, 170, 65], 3));
    assert.ok(found.length > 5 && found.every((name) => name.startsWith("new")), "no marker is of the old archive");
    assert.equal(tileset.generation, 2);
    const fresh = host.requests.slice(before).filter(({ cache }) => cache === "reload");
    assert.ok(fresh.length > 5, "what the browser has kept is passed by");
    assert.ok(namesOf(await tileset.markers([-180, 0, -100, 85], 3)).every((name) => name.startsWith("new")));
  });

test("a refresh of an archive brings the new one, though nothing but its content tells them apart and its old directories are at hand", async () => {
  const tilesOf = (name) =>
    [0, 1, 2, 3].map((x) => ({ z: 2, x, y: 1, bytes: geoJSON(point(`${name} ${String(x).repeat(20000)}`, 90 * x - 135, 40)) }));
  const host = rangeHost(encodeArchive(tilesOf("old"), { tileType: 0, compression: 1 }));
  Object.assign(host, { tag: "", modified: "" });
  const tileset = await open(host),
    kinds = (markers) => namesOf(markers).map((name) => name.slice(0, 3)),
    slowly = () => new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(kinds(await tileset.markers([-180, 0, -100, 60], 2)), ["old"]);
  // One request is under way, and one is made while the new header is read.
  host.answer = slowly;
  const early = tileset.markers([-90, 0, -10, 60], 2),
    replaced = encodeArchive(tilesOf("new"), { tileType: 0, compression: 1 });
  host.answer = ({ first }) => (first === 0 ? slowly() : undefined);
  host.file = replaced;
  const refreshing = tileset.refresh(),
    during = tileset.markers([0, 0, 80, 60], 2);
  await Promise.all([refreshing, early, during]);
  assert.deepEqual(kinds(await tileset.markers(world, 2)), ["new", "new", "new", "new"]);
});

test("an archive that is replaced while it opens is opened once more", async () => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: geoJSON(point("a")) }],
    metadata = { pad: randomBytes(20000).toString("hex") };
  const host = rangeHost(encodeArchive(tiles, { tileType: 0, metadata }));
  host.answer = ({ first }) => {
    if (host.requests.length === 2 && first > 0) host.tag = '"2"';
  };
  assert.deepEqual(namesOf(await (await open(host)).markers(world, 0)), ["a"]);
  assert.equal(host.requests[2].cache, "reload");
});

test("a view gets over an archive that is away for a moment and comes back as another one", async () => {
  const tilesOf = (name) =>
    [0, 1, 2, 3].map((x) => ({ z: 2, x, y: 1, bytes: geoJSON(point(`${name} ${randomBytes(20000).toString("hex")}`, 90 * x - 135, 40)) }));
  const host = rangeHost(encodeArchive(tilesOf("old"), { tileType: 0, compression: 1 }));
  for (const status of [404, 503]) {
    const view = new MarkerView(url, { fetch: host.fetch, retryMilliseconds: 1 });
    await new Promise((resolve) => view.addEventListener("open", resolve, { once: true }));
    host.answer = () => new Response("", { status });
    view.move([-180, 0, 0, 60], 2);
    await new Promise((resolve) => view.addEventListener("settled", resolve, { once: true }));
    Object.assign(host, {
      file: encodeArchive(tilesOf(`new ${status}`), { tileType: 0, compression: 1 }),
      tag: `"${status}"`,
      answer: () => undefined,
    });
    for (let round = 0; !view.isSettled; round++) {
      assert.ok(round < 1000, "the markers never came");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.deepEqual(
      namesOf(view.markers).map((name) => name.slice(0, 7)),
      [`new ${status}`, `new ${status}`],
    );
    view.close();
  }
});

test("an archive that is gone, or keeps changing, is an error, and is not asked for again and again", async () => {
  const tiles = [0, 1, 2, 3].map((x) => ({ z: 2, x, y: 1, bytes: geoJSON(point("x".repeat(20000) + Math.random(), 90 * x - 150, 40)) }));
  const host = rangeHost(encodeArchive(tiles, { tileType: 0, compression: 1 })),
    tileset = await open(host);
  host.answer = () => new Response("gone", { status: 404 });
  await assert.rejects(tileset.markers(world, 2), /there is no such archive any more/);
  host.answer = () => {
    host.tag = `"${Math.random()}"`;
  };
  await assert.rejects(tileset.markers(world, 2), /has changed since it was opened/);
  const { length } = host.requests;
  await assert.rejects(tileset.markers(world, 2));
  assert.ok(host.requests.length <= length + 9, "four tiles, the header once, and the tiles once more");
  await assert.rejects(
    open(Object.assign(rangeHost(Buffer.alloc(0)), { answer: () => new Response("", { status: 404 }) })),
    /there is no such archive/,
  );
});

test("hosts that can't serve archives are told with their cure", async () => {
  const host = rangeHost(Buffer.concat([encodeArchive([{ z: 0, x: 0, y: 0, bytes: geoJSON(point("a")) }], { tileType: 0 }), Buffer.alloc(100000)]));
  let isRead = false;
  host.answer = () =>
    new Response(
      new ReadableStream(
        {
          pull(controller) {
            isRead = true;
            controller.enqueue(new Uint8Array(1000));
          },
        },
        { highWaterMark: 0 },
      ),
      { status: 200, headers: { "content-length": "1000000" } },
    );
  await assert.rejects(open(host), /ignores Range and sends the whole file: it must answer 206/);
  assert.ok(!isRead, "the file is not downloaded");
  host.answer = () => new Response(new Uint8Array(300), { status: 206, headers: { "content-encoding": "gzip" } });
  await assert.rejects(open(host), /Content-Encoding: gzip.*must not compress archives/);
  host.answer = () => new Response("<!doctype html>", { status: 206 });
  await assert.rejects(open(host), /isn't a PMTiles archive/);
  // A small file may be sent whole.
  const small = rangeHost(encodeArchive([{ z: 0, x: 0, y: 0, bytes: geoJSON(point("a")) }], { tileType: 0 }));
  small.answer = () => new Response(small.file, { status: 200, headers: { "content-length": String(small.file.length) } });
  assert.deepEqual(namesOf(await (await open(small)).markers(world, 0)), ["a"]);
});

test("a request that fails for a moment is made again", async () => {
  const host = rangeHost(encodeArchive([{ z: 0, x: 0, y: 0, bytes: geoJSON(point("a".repeat(30000))) }], { tileType: 0, compression: 1 }));
  let failures = 0;
  host.answer = () => (failures++ % 3 < 2 ? new Response("", { status: 503 }) : undefined);
  const tileset = await open(host);
  assert.equal((await tileset.markers(world, 0)).length, 1);
  assert.equal(failures, 6);
});

test("archives that lie are errors, at once", async () => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: geoJSON(point("a")) }],
    archive = (options) => rangeHost(encodeArchive(tiles, { tileType: 0, compression: 1, ...options }));
  await assert.rejects(open(archive({ header: { version: 2 } })), /version 2; version 3 is read/);
  await assert.rejects(open(archive({ tileType: 2 })), /tiles of the type 2/);
  await assert.rejects(open(archive({ compression: 3 })), /has compression 3; only gzip \(2\) is read/);
  const lie = async (options) => (await open(archive(options))).markers(world, 0);
  await assert.rejects(lie({ root: ([entry]) => [{ ...entry, length: 2 ** 52 }] }), /its directories point outside the file/);
  await assert.rejects(lie({ root: ([entry]) => [{ ...entry, run: 0, offset: 0, length: 10 }] }), /its directories point outside the file/);
  await assert.rejects(lie({ header: { rootLength: 3 } }), /a directory of it has more entries than bytes/);
  // The root is its own leaf.
  const entries = [{ id: 0, run: 0, length: 1, offset: 0 }],
    { length } = encodeDirectory([{ ...entries[0], length: 5 }]);
  await assert.rejects(
    lie({ root: () => [{ id: 0, run: 0, length, offset: 0 }], header: { leaves: 127, leavesLength: 1000 } }),
    /its directories are nested too deep/,
  );
  const many = rangeHost(encodeArchive(tiles, { tileType: 0, compression: 1 }));
  many.file.set(varint(2 ** 40), 127);
  await assert.rejects((await open(many)).markers(world, 0), /more entries than bytes/);
  await assert.rejects(lie({ header: { tilesLength: 5 } }), /its directories point outside the file/);
});

test("a directory of vector tiles is read like one of GeoJSON", async () => {
  const tile = encodeTile(
    encodeLayer([
      {
        id: 7,
        at: [4096, 4096],
        tags: [
          ["cluster", true],
          ["point_count", 2],
        ],
      },
    ]),
  );
  const fetch = async (url) => {
    const path = new URL(url).pathname;
    if (path === "/t/tilejson.json")
      return new Response(JSON.stringify({ tiles: ["tiles/{z}/{x}/{y}.mvt"], format: "pbf", tile_size: 512, minzoom: 0, maxzoom: 2 }));
    return path === "/t/tiles/0/0/0.mvt" ? new Response(gzipSync(tile)) : new Response("", { status: 404 });
  };
  const tileset = await Tileset.open("https://tiles.example.org/t/", { fetch }),
    [cluster] = await tileset.markers(world, 0);
  assert.deepEqual([cluster.key, cluster.count, cluster.x, cluster.y, tileset.zoomOffset], ["cluster 7", 2, 0.5, 0.5, 1]);
  assert.deepEqual(await tileset.markers(world, 1), []);
  await assert.rejects(
    Tileset.open("https://tiles.example.org/t/", {
      fetch: async (url) => (/json$/.test(url) ? fetch(url) : new Response(tile.subarray(0, 20))),
    }).then((tileset) => tileset.markers(world, 0)),
    /isn't a vector tile: it ends in the middle/,
  );
});

test("points at the place of a cluster are found though each zoom's grid moves them", async () => {
  // One step of the grid of zoom 0 has room for many of zoom 3: two places, and the cluster is of the nearer one.
  const at = (fraction) => Math.floor(fraction * 8192 + 0.5),
    place = [0.3000012, 0.4000013],
    other = [0.30004, 0.40003];
  const tags = (name) => [["name", name]],
    own = ([x, y]) => [at(x * 8 - 2), at(y * 8 - 3)];
  const tiles = [
    {
      z: 0,
      x: 0,
      y: 0,
      bytes: encodeTile(
        encodeLayer([
          {
            id: 5,
            at: place.map(at),
            tags: [
              ["cluster", true],
              ["point_count", 3],
              ["coincident", true],
              ["expansion_zoom", 3],
            ],
          },
        ]),
      ),
    },
    {
      z: 3,
      x: 2,
      y: 3,
      bytes: encodeTile(encodeLayer([...["a", "b", "c"].map((name) => ({ at: own(place), tags: tags(name) })), { at: own(other), tags: tags("d") }])),
    },
  ];
  const tileset = await open(rangeHost(encodeArchive(tiles))),
    [cluster] = await tileset.markers(world, 0);
  const { points, isExact } = await tileset.points(cluster);
  assert.deepEqual([points.map(({ properties: { name } }) => name), isExact], [["a", "b", "c"], true]);
});
