// Vector tiles and archives, written from the specifications and independently of the library that reads them.

import { gzipSync } from "node:zlib";

/** A whole number as protobuf has it; negative ones as 64 bits. */
export function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

export const zigzag = (value) => varint(value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value));
export const field = (number, bytes) => [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
export const utf8 = (text) => [...Buffer.from(text)];

function fixed(type, value) {
  const bytes = Buffer.alloc(type === "float" ? 4 : 8);
  if (type === "float") bytes.writeFloatLE(value);
  else bytes.writeDoubleLE(value);
  return [...bytes];
}

/** A value of a vector tile; `kind` says how it is written. */
export function encodeValue(kind, value) {
  switch (kind) {
    case "string":
      return field(1, utf8(value));
    case "float":
      return [(2 << 3) | 5, ...fixed("float", value)];
    case "double":
      return [(3 << 3) | 1, ...fixed("double", value)];
    case "int64":
      return [4 << 3, ...varint(value)];
    case "uint64":
      return [5 << 3, ...varint(value)];
    case "sint64":
      return [6 << 3, ...zigzag(value)];
    case "bool":
      return [7 << 3, Number(value)];
  }
}

/** The plainest way to write a value. */
const kindOf = (value) =>
  typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : !Number.isInteger(value) ? "double" : value < 0 ? "sint64" : "uint64";

/**
 * A layer of points. Features are `{ id, at: [east, south], tags: [[key, kind, value] or [key, value]], geometry }`; the keys and
 * values come last if `isReversed`.
 */
export function encodeLayer(features, { extent = 8192, name = "points", isReversed = false } = {}) {
  const keys = [],
    values = [],
    bodies = [];
  for (const { id, at = [0, 0], tags = [], type = 1, geometry = [...varint(9), ...zigzag(at[0]), ...zigzag(at[1])] } of features) {
    const indices = tags.flatMap(([key, ...rest]) => {
      if (!keys.includes(key)) keys.push(key);
      const [kind, value] = rest.length === 2 ? rest : [kindOf(rest[0]), rest[0]];
      return [...varint(keys.indexOf(key)), ...varint(values.push(encodeValue(kind, value)) - 1)];
    });
    bodies.push([...(id === undefined ? [] : [1 << 3, ...varint(id)]), ...field(2, indices), 3 << 3, type, ...field(4, geometry)]);
  }
  const lists = [...keys.flatMap((key) => field(3, utf8(key))), ...values.flatMap((value) => field(4, value))];
  const found = bodies.flatMap((body) => field(2, body));
  return [15 << 3, 2, ...field(1, utf8(name)), ...(isReversed ? [...found, ...lists] : [...lists, ...found]), 5 << 3, ...varint(extent)];
}

export const encodeTile = (...layers) => Uint8Array.from(layers.flatMap((layer) => field(3, layer)));

/** The number of a tile, found by walking the curve rather than by calculation. O(4^z), for small zooms. */
export function walkedID(z, x, y) {
  let first = 0;
  for (let zoom = 0; zoom < z; zoom++) first += 4 ** zoom;
  return first + curve(z).findIndex(([cx, cy]) => cx === x && cy === y);
}

/** The cells of a Hilbert curve in its order: four copies of the smaller one, the first and the last of them turned. */
function curve(z) {
  if (z === 0) return [[0, 0]];
  const smaller = curve(z - 1),
    half = 2 ** (z - 1);
  return [
    ...smaller.map(([x, y]) => [y, x]),
    ...smaller.map(([x, y]) => [x, y + half]),
    ...smaller.map(([x, y]) => [x + half, y + half]),
    ...smaller.map(([x, y]) => [2 * half - 1 - y, half - 1 - x]),
  ];
}

/** Entries are `{ id, run, length, offset }`. */
export function encodeDirectory(entries) {
  let last = 0;
  const ids = entries.flatMap(({ id }) => {
    const step = id - last;
    last = id;
    return varint(step);
  });
  const offsets = entries.flatMap(({ offset }, index) => {
    const previous = entries[index - 1];
    return varint(previous && previous.offset + previous.length === offset ? 0 : offset + 1);
  });
  return Buffer.from([
    ...varint(entries.length),
    ...ids,
    ...entries.flatMap(({ run }) => varint(run)),
    ...entries.flatMap(({ length }) => varint(length)),
    ...offsets,
  ]);
}

/**
 * An archive of tiles, `[{ z, x, y, bytes }]`; `leafLength` entries in each leaf directory, 0 for none. `changed` may change the
 * header's fields, and the directories, before they are written.
 */
export function encodeArchive(tiles, { metadata = {}, tileType = 1, compression = 2, leafLength = 0, header: changed = {}, root: changedRoot } = {}) {
  const pack = (bytes) => (compression === 2 ? gzipSync(bytes) : Buffer.from(bytes));
  const sorted = tiles.map(({ z, x, y, bytes }) => ({ id: walkedID(z, x, y), bytes: pack(bytes) })).sort((one, other) => one.id - other.id);
  const data = [],
    entries = [],
    offsets = new Map();
  let length = 0;
  for (const { id, bytes } of sorted) {
    const before = entries.at(-1),
      content = bytes.toString("latin1"),
      known = offsets.get(content);
    if (before && before.id + before.run === id && before.offset === known) {
      before.run += 1;
      continue;
    }
    // Equal contents are stored once.
    entries.push({ id, run: 1, length: bytes.length, offset: known ?? length });
    if (known !== undefined) continue;
    offsets.set(content, length);
    data.push(bytes);
    length += bytes.length;
  }
  const leaves = [];
  let root = entries;
  if (leafLength) {
    root = [];
    for (let start = 0, offset = 0; start < entries.length; start += leafLength) {
      const leaf = pack(encodeDirectory(entries.slice(start, start + leafLength)));
      root.push({ id: entries[start].id, run: 0, length: leaf.length, offset });
      leaves.push(leaf);
      offset += leaf.length;
    }
  }
  const rootBytes = pack(encodeDirectory(changedRoot?.(root) ?? root)),
    metadataBytes = pack(Buffer.from(JSON.stringify(metadata))),
    leafBytes = Buffer.concat(leaves);
  const zooms = tiles.map(({ z }) => z),
    header = Buffer.alloc(127);
  header.write("PMTiles");
  const fields = {
    root: 127,
    rootLength: rootBytes.length,
    metadata: 127 + rootBytes.length,
    metadataLength: metadataBytes.length,
    leaves: 127 + rootBytes.length + metadataBytes.length,
    leavesLength: leafBytes.length,
    tiles: 127 + rootBytes.length + metadataBytes.length + leafBytes.length,
    tilesLength: length,
    addressed: sorted.length,
    entries: entries.length,
    contents: data.length,
    ...changed,
  };
  header[7] = changed.version ?? 3;
  Object.values({ ...fields, version: undefined })
    .filter((value) => value !== undefined)
    .forEach((value, index) => header.writeBigUInt64LE(BigInt(value), 8 + 8 * index));
  header.set([1, compression, compression, tileType, Math.min(...zooms), Math.max(...zooms)], 96);
  [-180, -85, 180, 85].forEach((degrees, index) => header.writeInt32LE(degrees * 1e7, 102 + 4 * index));
  return Buffer.concat([header, rootBytes, metadataBytes, leafBytes, ...data]);
}

/**
 * A `fetch` for one file that answers ranges as web servers do. `host.answer(range)` may come first, and `host.file`,
 * `host.tag` and `host.modified` may change.
 */
export function rangeHost(file) {
  const host = { file, tag: '"1"', modified: "Sun, 06 Nov 1994 08:49:37 GMT", requests: [], answer: () => undefined };
  host.fetch = async (url, { headers = {}, signal, cache } = {}) => {
    const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range)?.slice(1).map(Number) ?? [0, Infinity];
    host.requests.push({ first, last, cache, hasRange: Boolean(headers.range) });
    signal?.throwIfAborted();
    const own = await host.answer({ first, last });
    if (own) return own;
    if (first >= host.file.length) return new Response("", { status: 416, headers: { "content-range": `bytes */${host.file.length}` } });
    const body = host.file.subarray(first, last + 1),
      answered = { "content-length": String(body.length) };
    if (host.tag) answered.etag = host.tag;
    if (host.modified) answered["last-modified"] = host.modified;
    return new Response(body, { status: headers.range ? 206 : 200, headers: answered });
  };
  return host;
}
