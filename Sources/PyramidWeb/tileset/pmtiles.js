// PMTiles archives: many tiles in one file, read in ranges as needed.
// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

import { ByteReader } from "./byte-reader.js";
import { inflated, parsed, TilesetError } from "./requests.js";
import { SharedWork } from "./shared-work.js";
import { TileCache } from "./tile-cache.js";

/** @typedef {object} Directory the byte ranges of tiles, in the order of their ids
 * @property {Float64Array} ids of the first tile of each entry
 * @property {Float64Array} runs how many tiles an entry is for; 0 if it is for a leaf directory
 * @property {Float64Array} lengths in bytes
 * @property {Float64Array} offsets from the start of the tile data, or of the leaf directories */
/** @typedef {{ offset: number, length: number }} Range of bytes */

/** The number of first bytes that contain the header and the root directory. */
const firstLength = 16384;
const headerLength = 127;
/** The most levels of directories that an archive needs. */
const deepest = 4;
const directoryCacheBytes = 8 * 2 ** 20;
const noCompression = 1,
  gzip = 2;
const vectorTiles = 1,
  otherTiles = 0;

export class Archive {
  /** @type {import("./requests.js").Requests} */ #requests;
  /** @type {TileCache<Directory>} */ #directories = new TileCache(directoryCacheBytes);
  /** @type {SharedWork<Directory>} */ #reading = new SharedWork();
  /** @type {RequestCache | undefined} */ #cache;
  /** @type {Uint8Array} */ #first;

  /** Use `Archive.open`.
   * @param {string} url @param {import("./requests.js").Requests} requests @param {RequestCache | undefined} cache
   * @param {{ bytes: Uint8Array, version: string }} first the beginning of the file @param {ReturnType<typeof parsedHeader>} header */
  constructor(url, requests, cache, { bytes, version }, header) {
    this.url = url;
    this.header = header;
    /** Identifies the version of the file, from the host's headers; empty if the host sends none. */
    this.version = version;
    [this.#requests, this.#cache, this.#first] = [requests, cache, bytes];
    /** @type {any} */
    this.metadata = {};
  }

  /** Reads the header, the root directory and the metadata.
   * @param {string} url @param {import("./requests.js").Requests} requests
   * @param {{ isFresh?: boolean, signal?: AbortSignal }} options `isFresh`: whether to bypass the browser's cache @returns {Promise<Archive>} */
  static async open(url, requests, { isFresh, signal } = {}) {
    // Cached ranges of an earlier version would be mixed up with this one, so later requests must bypass the cache,
    // too.
    const cache = isFresh ? "reload" : undefined,
      range = { offset: 0, length: firstLength };
    const first = await requests.read(url, { range, cache, signal });
    if (!first) throw new TilesetError(url, "there is no such archive", { status: 404, retryable: true, isStale: true });
    const { bytes, headers } = first,
      header = parsedHeader(url, bytes, headers);
    const archive = new Archive(url, requests, cache, { bytes, version: versionOf(headers) }, header);
    try {
      archive.metadata = parsed(url, await archive.#section(header.metadata, signal));
    } catch (error) {
      // The browser's cache may hold the beginning of an earlier version, or the file was just replaced.
      if (isFresh || !(error instanceof TilesetError && error.isStale)) throw error;
      return Archive.open(url, requests, { isFresh: true, signal });
    }
    return archive;
  }

  /** A text that differs between versions of the file. */
  get identity() {
    return JSON.stringify([this.version, this.header, this.metadata]);
  }

  /** The archive's metadata in the form of a TileJSON; `tiles` is empty. */
  get tileJSON() {
    const { minzoom, maxzoom, bounds, center, tileType } = this.header,
      { name, description, attribution, vector_layers, id_property, pyramid } = this.metadata;
    const tile_size = pyramid ? (pyramid.options?.tile_size ?? 256) : tileType === vectorTiles ? 512 : 256;
    const { point_count, cluster_distances, count_by, group_by, facets } = this.metadata;
    const ofPyramid = { point_count, cluster_distances, count_by, group_by, facets };
    return {
      ...ofPyramid,
      tilejson: "3.0.0",
      name,
      description,
      attribution,
      vector_layers,
      id_property,
      minzoom,
      maxzoom,
      bounds,
      center,
      tile_size,
      tiles: [],
    };
  }

  /** The bytes of a tile, without gzip; `null` if the archive has no such tile.
   * @param {import("./geometry.js").Tile} tile @param {{ signal?: AbortSignal }} options @returns {Promise<Uint8Array | null>} */
  async tile(tile, { signal } = {}) {
    const id = tileID(tile);
    let range = this.header.root;
    for (let depth = 0; depth < deepest; depth++) {
      const { ids, runs, lengths, offsets } = await this.#directory(range, signal),
        index = lastNotAfter(ids, id);
      if (index < 0) return null;
      const [section, isLeaf] = runs[index] ? [this.header.tiles, false] : [this.header.leaves, true];
      if (!isLeaf && id - ids[index] >= runs[index]) return null;
      if (offsets[index] + lengths[index] > section.length) throw new TilesetError(this.url, "its directories point outside the file");
      range = { offset: section.offset + offsets[index], length: lengths[index] };
      if (!isLeaf) return this.#inflated(await this.#read(range, signal), this.header.tileCompression);
    }
    throw new TilesetError(this.url, "its directories are nested too deep");
  }

  /** @param {Range} range @param {AbortSignal} [signal] @returns {Promise<Directory>} */
  async #directory(range, signal) {
    const name = String(range.offset);
    return (
      this.#directories.get(name) ??
      this.#reading.run(
        name,
        async (shared) => {
          const bytes = await this.#section(range, shared);
          try {
            const directory = parsedDirectory(bytes);
            this.#directories.set(name, directory, 32 * directory.ids.length + 200);
            return directory;
          } catch (error) {
            throw new TilesetError(this.url, `a directory of it ${error instanceof Error ? error.message : error}`);
          }
        },
        signal,
      )
    );
  }

  /** The decompressed bytes of a directory or the metadata.
   * @param {Range} range @param {AbortSignal} [signal] */
  async #section(range, signal) {
    return this.#inflated(await this.#read(range, signal), this.header.internalCompression);
  }

  /** @param {Uint8Array} bytes @param {number} compression as the header numbers them */
  async #inflated(bytes, compression) {
    if (compression === noCompression) return bytes;
    if (compression !== gzip) throw new TilesetError(this.url, `has compression ${compression}; only gzip (2) is read`);
    // If this isn't gzip, it is damaged or of another version of the file.
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new TilesetError(this.url, "a part of it isn't gzip");
    return inflated(this.url, bytes);
  }

  /** @param {Range} range @param {AbortSignal} [signal] @returns {Promise<Uint8Array>} */
  async #read({ offset, length }, signal) {
    if (offset + length <= this.#first.length) return this.#first.subarray(offset, offset + length);
    const answer = await this.#requests.read(this.url, { range: { offset, length }, signal, cache: this.#cache });
    if (!answer) throw new TilesetError(this.url, "there is no such archive any more", { status: 404, retryable: true, isStale: true });
    if (versionOf(answer.headers) !== this.version)
      throw new TilesetError(this.url, "has changed since it was opened", { retryable: true, isStale: true });
    if (answer.bytes.length < length)
      throw new TilesetError(this.url, "ends before data that its directories list", { retryable: true, isStale: true });
    return answer.bytes;
  }
}

/** Identifies the version of a file. Pages of other origins see an ETag only if the host allows it; they always see the
 * time of the last change.
 * @param {Headers} headers */
function versionOf(headers) {
  const tag = headers.get("etag");
  return tag && !tag.startsWith("W/") ? tag : (headers.get("last-modified") ?? "");
}

/** @param {string} url @param {Uint8Array} bytes the beginning of the file @param {Headers} headers of the answer */
function parsedHeader(url, bytes, headers) {
  if (bytes.length < headerLength || new TextDecoder().decode(bytes.subarray(0, 7)) !== "PMTiles") {
    const coding = headers.get("content-encoding");
    throw new TilesetError(
      url,
      coding
        ? `is sent with Content-Encoding: ${coding}, so ranges of it can't be read: the host must not compress archives`
        : "isn't a PMTiles archive",
    );
  }
  if (bytes[7] !== 3) throw new TilesetError(url, `is a PMTiles archive of version ${bytes[7]}; version 3 is read`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (/** @type {number} */ at) => Number(view.getBigUint64(at, true));
  const degrees = (/** @type {number} */ at) => view.getInt32(at, true) / 1e7;
  const range = (/** @type {number} */ at) => ({ offset: long(at), length: long(at + 8) });
  const header = {
    root: range(8),
    metadata: range(24),
    leaves: range(40),
    tiles: range(56),
    internalCompression: bytes[97],
    tileCompression: bytes[98],
    tileType: bytes[99],
    minzoom: bytes[100],
    maxzoom: bytes[101],
    bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
    center: [degrees(119), degrees(123), bytes[118]],
  };
  if (header.tileType !== vectorTiles && header.tileType !== otherTiles) {
    throw new TilesetError(url, `has tiles of the type ${header.tileType}: only vector tiles (1) and GeoJSON (0) are read`);
  }
  return header;
}

/** @param {Uint8Array} bytes @returns {Directory} Throws a RangeError if the bytes aren't a directory. */
function parsedDirectory(bytes) {
  const reader = new ByteReader(bytes),
    count = reader.varint();
  // An entry has at least four bytes.
  if (count > bytes.length / 4) throw new RangeError("has more entries than bytes");
  const numbers = () => {
    const list = new Float64Array(count);
    for (let index = 0; index < count; index++) list[index] = reader.varint();
    return list;
  };
  const ids = numbers(),
    runs = numbers(),
    lengths = numbers(),
    offsets = numbers();
  for (let index = 1; index < count; index++) ids[index] += ids[index - 1];
  // 0 means: directly after the previous entry.
  for (let index = 0; index < count; index++) {
    if (offsets[index]) offsets[index] -= 1;
    else if (index) offsets[index] = offsets[index - 1] + lengths[index - 1];
    else throw new RangeError("begins with no offset");
  }
  return { ids, runs, lengths, offsets };
}

/** The id of a tile: zoom by zoom, and along a Hilbert curve within a zoom. Exact up to zoom 26.
 * @param {import("./geometry.js").Tile} tile */
export function tileID({ z, x, y }) {
  let id = (4 ** z - 1) / 3;
  for (let half = 2 ** (z - 1); half >= 1; half /= 2) {
    const isEast = (x & half) !== 0,
      isSouth = (y & half) !== 0;
    id += half * half * (isEast ? (isSouth ? 2 : 3) : isSouth ? 1 : 0);
    [x, y] = [x & (half - 1), y & (half - 1)];
    if (!isSouth) {
      if (isEast) [x, y] = [half - 1 - x, half - 1 - y];
      [x, y] = [y, x];
    }
  }
  return id;
}

/** The index of the last id that isn't greater than `id`; -1 if there is none.
 * @param {Float64Array} ids ascending @param {number} id */
function lastNotAfter(ids, id) {
  let low = 0,
    high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle] <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
