// A tileset on a web host.

import { BundleIndex, fileName } from "./bundle-index.js";
import { Facets, addTo } from "./facets.js";
import { Filter, indexOf } from "./filter.js";
import { clampedToPoles, contains, covering, toWorld } from "./geometry.js";
import { boxAround, boxOf } from "./marker.js";
import { Records, facetCounts, filterOf, placeBox, pointsInFile } from "./records.js";
import { inflated, loaded, parsed, Requests, TilesetError } from "./requests.js";
import { SharedWork } from "./shared-work.js";
import { TileCache } from "./tile-cache.js";

export { TilesetError };

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./bundle-index.js").TileFile} TileFile */
/** @typedef {{ cacheBytes?: number }} CacheOptions `cacheBytes`: the approximate memory limit for tiles, in bytes (default: 64 MiB) */
/** @typedef {import("./requests.js").RequestOptions & CacheOptions} TilesetOptions */
/** @typedef {import("./filter.js").FilterInput} FilterInput */
/** @typedef {import("./facets.js").Facet} Facet */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {{ all: number, filtered?: number, inView?: number, isAbout?: boolean }} ValueCounts the number of points with a value: of all points; of those
 *   that match the filters of the other columns; and of the visible points that match all filters. The last two are undefined if unknown. `isAbout`:
 *   on a map, whether clusters reach across the window's edge, which count `inView` by their places */
/** @typedef {import("./points.js").Points} Points */

/** The pause after a reload that found nothing new, in milliseconds. */
const reloadPauseMilliseconds = 60000;
/** The most tiles of the first zoom that are asked for to learn what 403 means. */
const mostAsked = 64;

/** The last zoom that a tileset can have. */
const deepest = 30;

/** Subclasses may override `decoded` and `fileURL`. */
export class Tileset {
  /** @type {Requests} */ #requests;
  /** @type {TileCache<Records>} */ #cache;
  /** @type {SharedWork<Records>} */ #reading = new SharedWork();
  /** The files for which repeated requests are pointless, with their errors.
   * @type {Map<string, TilesetError>} */
  #broken = new Map();
  /** @type {BundleIndex | null} */ #index = null;
  /** @type {import("./pmtiles.js").Archive | null} */ #archive = null;
  /** @type {Facets | null} */ #facets = null;
  /** @type {Filter | null} */ #filter = null;
  /** @type {{ name: string, reader: import("./points.js").PointReader } | null} the last box of which points were read */ #list = null;
  /** @type {Promise<void> | null} */ #reloading = null;
  #noReloadBefore = 0;
  /** Whether the host refuses all tiles; null before it is known.
   * @type {Promise<boolean> | null} */
  #isForbidden = null;
  /** The numbers of tilejson.json requests made and in use: a slow answer must not replace a later one. */
  #asked = 0;
  #described = 0;
  /** Increases whenever tiles are read again: after `refresh`, and when a new build is noticed. */
  generation = 1;

  /** Use `open`.
   * @param {string} url @param {TilesetOptions} [options] */
  constructor(url, options = {}) {
    this.url = url;
    this.#requests = new Requests(options);
    this.#cache = new TileCache(options.cacheBytes ?? 64 * 2 ** 20);
    /** The content of tilejson.json, or the same from an archive's header and metadata.
     * @type {any} */
    this.tileJSON = {};
  }

  /** Opens a tileset: reads the tilejson.json of a directory of tiles, or the header of an archive.
   * @param {string | URL} url of the tilejson.json, of its directory, or of a `.pmtiles` file, absolute or relative to the page
   * @template {Tileset} Self
   * @this {new (url: string, options?: TilesetOptions) => Self}
   * @param {TilesetOptions & { signal?: AbortSignal }} options @returns {Promise<Self>} fails with a TilesetError, or with the signal's reason */
  static async open(url, { signal, ...options } = {}) {
    const absolute = new URL(url, globalThis.document?.baseURI);
    if (!/\.(json|pmtiles)$/.test(absolute.pathname)) absolute.pathname = absolute.pathname.replace(/\/?$/, "/tilejson.json");
    const tileset = new this(absolute.href, options);
    await tileset.#describe({ signal });
    return tileset;
  }

  /** The first and the last zoom with tiles.
   * @returns {number} */
  get minzoom() {
    return this.tileJSON.minzoom ?? 0;
  }
  /** @returns {number} */
  get maxzoom() {
    return this.tileJSON.maxzoom ?? 0;
  }
  /** The approximate memory that cached tiles take, in bytes. */
  get cachedBytes() {
    return this.#cache.byteCount;
  }
  /** The zoom of a map with 256-pixel tiles, minus the tileset's zoom: 1 for 512-pixel tiles. */
  get zoomOffset() {
    return Math.log2((this.tileJSON.tile_size ?? 256) / 256);
  }

  /** The markers of a zoom that lie in a box, each once, even if the map repeats the world.
   * @param {Box} box @param {number} zoom of the tileset, see `shownZoom`; at a lower zoom than the first one there are no markers
   * @param {{ filter?: FilterInput, signal?: AbortSignal }} options
   * @returns {Promise<Marker[]>} fails with a TilesetError if a tile can't be read, with the signal's reason, or with a TypeError or
   *   RangeError if the tileset can't be filtered this way */
  async markers(box, zoom, { filter = null, signal } = {}) {
    this.checked(filter);
    const loading = this.load(box, zoom, { signal });
    const [error] = await loading.finished;
    if (error) throw error;
    return loading.markers(filter);
  }

  /** Reads the markers in a box, tile by tile.
   * @param {Box} box @param {number} zoom
   * @param {{ signal?: AbortSignal, onTile?: () => void }} options `onTile` is called after each tile that was requested, also
   *   if it couldn't be read */
  load(box, zoom, options = {}) {
    const { signal, onTile } = options,
      wide = clampedToPoles(box);
    let z = this.shownZoom(zoom),
      files = this.files(box, z),
      { generation } = this;
    /** @type {(Records | null)[]} */
    let found = files.map((file) => this.#cache.get(fileName(file)) ?? null);
    /** @type {TilesetError[]} */
    const errors = [];
    let pending = 0;
    /** The files that are not there yet.
     * @type {Set<string>} */
    let missing;
    const begin = () => {
      const names = files.flatMap((file, index) => (found[index] ? [] : [fileName(file)]));
      [pending, missing] = [names.length, new Set(names)];
    };
    begin();
    const readAll = () =>
      Promise.all(
        files.map(async (file, index) => {
          if (found[index]) return;
          try {
            found[index] = await this.#records(file, signal);
            missing.delete(fileName(file));
          } catch (error) {
            if (signal?.aborted || !(error instanceof TilesetError)) throw error;
            errors.push(error);
            if (!error.retryable) missing.delete(fileName(file));
          }
          pending -= 1;
          onTile?.();
        }),
      );
    const run = async () => {
      if (found.every(Boolean)) return errors;
      await readAll();
      // A listed file is missing or unreadable, so the index may be of an earlier build.
      const isStale = (this.#index || this.#archive) && errors.some((error) => error.isStale);
      if (!isStale || !(await this.#reload(generation, signal))) return errors;
      ({ generation } = this);
      z = this.shownZoom(zoom);
      [files, errors.length] = [this.files(box, z), 0];
      found = files.map((file) => this.#cache.get(fileName(file)) ?? null);
      begin();
      await readAll();
      return errors;
    };
    return {
      /** The zoom of the markers, which may differ from `zoom` if the tileset was rebuilt. */
      get zoom() {
        return z;
      },
      /** Whether no requests were needed. */
      isWhole: found.every(Boolean),
      /** The errors, once all other tiles have been read. */
      finished: run(),
      /** The number of files that have been requested and are neither there nor failed. */
      get pending() {
        return pending;
      },
      /** Whether a place in the box belongs to a file that isn't there yet, or that is requested again later.
       * @param {Marker} marker at the place */
      awaits: (marker) => {
        if (!missing.size || !contains(wide, placeBox(marker))) return false;
        const file = this.#fileAt(marker, z);
        return file !== null && missing.has(fileName(file));
      },
      /** The markers read so far. */
      markers: (/** @type {FilterInput} */ filter = null) => {
        const checked = this.#current(filter);
        return found.flatMap((records) => records?.shown(z, checked, wide) ?? []);
      },
    };
  }

  /** The zoom whose markers to show at a zoom: rounded down, and at most the tileset's last zoom.
   * @param {number} zoom */
  shownZoom(zoom) {
    return Math.min(Math.floor(zoom + 1e-6), this.maxzoom);
  }

  /** The markers of a zoom in a file that is in memory; makes no requests.
   * @param {TileFile} file @param {number} z @returns {Marker[] | undefined} `undefined` if the file isn't in memory */
  cached(file, z) {
    return this.#cache.get(fileName(file))?.shown(z);
  }

  /** The columns to filter by (`--filter-by`).
   * @returns {Facet[]} */
  get facets() {
    return this.#facets?.columns ?? [];
  }

  /** The filter for an input; throws a TypeError or RangeError if the tileset can't be filtered this way.
   * @param {FilterInput} input @returns {Filter | null} */
  checked(input) {
    return input === null ? null : new Filter(input, this.#facets);
  }

  /** The same, and the same object for a filter like the last one: files keep what this has left of them.
   * @param {FilterInput} input */
  #current(input) {
    const checked = this.checked(input);
    if (this.#filter?.key !== checked?.key || this.#filter?.facets !== checked?.facets) this.#filter = checked;
    return this.#filter;
  }

  /** The number of points with each value of a column, in the order of its `values`.
   * @param {string} column
   * @param {{ filter?: FilterInput, markers?: Iterable<Marker> }} options `markers`: the visible ones, read with the same filter
   * @returns {Map<Value, ValueCounts>} */
  counts(column, { filter = null, markers = [] } = {}) {
    const index = indexOf(column, this.#facets),
      facets = /** @type {Facets} */ (this.#facets),
      checked = this.checked(filter);
    const all = facets.counts(index),
      filtered = facets.counts(index, checked ? (values) => checked.share(values, index) : undefined);
    const visible = [...markers].flatMap((marker) => marker.points ?? [marker]).map((marker) => facetCounts(marker, column)),
      isKnown = visible.every(Boolean),
      inView = new Map(),
      known = (/** @type {number} */ count) => (Number.isNaN(count) ? undefined : count);
    for (const counts of visible) for (const [value, count] of counts ?? []) addTo(inView, [value], count);
    return new Map(
      facets.columns[index].values.map((value) => [
        value,
        { all: all.get(value) ?? 0, filtered: known(filtered.get(value) ?? 0), inView: isKnown ? (inView.get(value) ?? 0) : undefined },
      ]),
    );
  }

  /** The number of points that match a filter, and of all points; undefined if unknown.
   * @param {FilterInput} filter @returns {{ count?: number, total?: number }} */
  matching(filter) {
    const checked = this.checked(filter),
      total = this.tileJSON.point_count;
    if (!checked) return { count: total, total };
    const count = this.#facets?.combinations.reduce((sum, { values, count }) => sum + count * checked.share(values), 0) ?? NaN;
    return { count: Number.isNaN(count) ? undefined : count, total };
  }

  /** The files that hold the markers in a box.
   * @param {Box} box @param {number} z @returns {TileFile[]} */
  files(box, z) {
    if (z < this.minzoom || z > this.maxzoom) return [];
    const files = new Map();
    for (const tile of covering(clampedToPoles(box), z)) {
      const file = this.#fileOf(tile);
      if (file) files.set(fileName(file), file);
    }
    return [...files.values()];
  }

  /** The file that holds the markers of a tile; null if there are none.
   * @param {import("./geometry.js").Tile} tile @returns {TileFile | null} */
  #fileOf(tile) {
    if (this.#index) return this.#index.find(tile);
    return this.#mayHavePoints(tile) ? { isBundle: false, ...tile } : null;
  }

  /** @param {Marker} marker @param {number} z @returns {TileFile | null} */
  #fileAt(marker, z) {
    const [x, y] = [marker.x, marker.y].map((place) => Math.min(Math.max(Math.floor(place * 2 ** z), 0), 2 ** z - 1));
    return z < this.minzoom ? null : this.#fileOf({ z, x, y });
  }

  /** The URL of a file, without the query of the tileset's URL; for an archive, the archive's own URL.
   * @param {TileFile} file @returns {string} */
  fileURL({ isBundle, z, x, y }) {
    if (this.#archive) return this.#archive.url;
    const template = isBundle ? this.tileJSON.bundles.template : this.#template;
    return this.#absolute(template.replace("{z}", z).replace("{x}", x).replace("{y}", y));
  }

  /** The points in a box, or of a cluster or a stack. Reads at most 64 files that aren't in memory; another call for the same box reads
   * on. A cluster that never splits (`--coincident-limit`) has no other
   * points than its `--members`, and those that are only ids have no properties.
   * @param {Box | Marker} target
   * @param {{ limit?: number, near?: [longitude: number, latitude: number], filter?: FilterInput, signal?: AbortSignal }} options `limit`: the most
   *   points (default: 100); `near`: the nearest to this place come first (default: the middle of the box, or the marker's place);
   *   `filter`: default for a marker: the one with which it was read
   * @returns {Promise<Points>} fails with a TilesetError if a file can't be read, or with the signal's reason */
  async points(target, { filter, signal, ...order } = {}) {
    const isBox = Array.isArray(target),
      wanted = filter !== undefined ? this.#current(filter) : isBox ? null : filterOf(target),
      name = String(target);
    const { reader, ordered } = await this.#pointReader({ filter: wanted, signal }),
      before = this.#list?.reader;
    if (isBox && (this.#list?.name !== name || before?.filter !== wanted || before?.generation !== this.generation)) this.#list = { name, reader };
    const list = isBox ? /** @type {{ reader: typeof reader }} */ (this.#list).reader.inBox(target, signal) : reader.of(target);
    return ordered(await list, target, order);
  }

  /** A point by its id and place.
   * @param {import("./points.js").PointAddress} address @param {{ signal?: AbortSignal }} options
   * @returns {Promise<import("./points.js").FoundPoint | null>} null if there is none */
  async find(address, options = {}) {
    return (await this.#pointReader(options)).reader.find(address);
  }

  /** The marker of a zoom that is a point or holds it. `isExact`: whether it is certain, as where files state parents, or where only one marker
   * can hold it; else it is the nearest one.
   * @param {import("./points.js").PointAddress} address @param {number} zoom @param {{ filter?: FilterInput, signal?: AbortSignal }} options
   * @returns {Promise<{ marker: Marker, isExact: boolean } | null>} null if there is no such point, or the filter hides it */
  async markerOf(address, zoom, { filter = null, signal } = {}) {
    return (await this.#pointReader({ filter: this.#current(filter), signal })).reader.holder(address, this.shownZoom(zoom));
  }

  /** @param {{ filter?: Filter | null, signal?: AbortSignal }} options */
  async #pointReader(options) {
    const { PointReader, ...others } = await loaded(this.url, () => import("./points.js"));
    options.signal?.throwIfAborted();
    /** @type {import("./points.js").Source} */
    const source = {
      isCached: (file) => this.#cache.get(fileName(file)) !== undefined,
      records: async (file, signal) => this.#cache.get(fileName(file)) ?? this.#records(file, signal),
    };
    return { ...others, reader: new PointReader(this, source, options) };
  }

  /** The box around the points that match a filter, or around those files that may have such points, if they are too many to read.
   * @param {{ filter?: FilterInput, signal?: AbortSignal }} options @returns {Promise<Box | null>} null if there are none */
  async extent({ filter = null, signal } = {}) {
    return (await this.#pointReader({ filter: this.#current(filter), signal })).reader.extent(signal);
  }

  /** The box around the points of a marker, or those that match the filter with which it was read, if they are known.
   * @param {Marker} marker @returns {Box | null} null if unknown, as in vector tiles without boxes */
  box(marker) {
    const points = marker.points ?? (marker.whole ? pointsInFile(marker) : null);
    if (points) return boxAround(points.map(boxOf));
    return marker.feature.bbox ?? (marker.isCluster ? null : placeBox(marker));
  }

  /** Called with the features of each file that was read. Returns them unchanged; a subclass can change their properties.
   * @param {Feature[]} features clusters and points @param {TileFile} _file @returns {Feature[]} */
  decoded(features, _file) {
    return features;
  }

  /** Reads everything again from the host: the tilejson.json now, tiles when they are next needed.
   * @param {{ signal?: AbortSignal }} options */
  async refresh({ signal } = {}) {
    this.#startOver();
    await this.#describe({ isFresh: true, signal, isRefresh: true });
  }

  /** Allows new requests for files that couldn't be read, once their cause is fixed. */
  forgetFailures() {
    this.#broken.clear();
    this.#isForbidden = null;
  }

  // Files

  get #template() {
    return String(this.tileJSON.tiles?.[0] ?? this.tileJSON.data?.[0]);
  }

  /** @param {string} path */
  #absolute(path) {
    return new URL(path, this.url).href;
  }

  /** The URL to ask for. Tokens in the query of the tileset's URL are for all files of its host.
   * @param {string} path of `fileURL`, which subclasses change */
  #url(path) {
    const own = new URL(this.url),
      url = new URL(path, own),
      given = new Set(url.searchParams.keys());
    if (url.origin !== own.origin || url.protocol !== own.protocol || url.host !== own.host) return url.href;
    // Unchanged, because it may be signed.
    if (!url.search) url.search = own.search;
    else for (const [name, value] of own.searchParams) if (!given.has(name)) url.searchParams.append(name, value);
    return url.href;
  }

  /** Forgets all tiles, also those being read, because the tileset was rebuilt. */
  #startOver() {
    this.generation += 1;
    this.#cache.clear();
    this.forgetFailures();
    this.#reading.forget();
    this.#requests.startOver();
  }

  /** @param {{ isFresh?: boolean, isRefresh?: boolean, signal?: AbortSignal }} options `isFresh`: whether to bypass the browser's cache */
  async #describe({ isFresh = false, isRefresh = false, signal }) {
    const turn = ++this.#asked,
      isArchive = new URL(this.url).pathname.endsWith(".pmtiles");
    const { Archive } = isArchive ? await loaded(this.url, () => import("./pmtiles.js")) : { Archive: null };
    const archive = (await Archive?.open(this.url, this.#requests, { isFresh, signal })) ?? null;
    const json = archive?.tileJSON ?? (await this.#requests.json(this.url, { signal, ...(isFresh && { cache: "no-cache" }) }));
    if (!json) throw new TilesetError(this.url, "there is no tilejson.json", { status: 404, retryable: true, isStale: true });
    const { index, facets } = await described(json).catch((error) => {
      throw new TilesetError(this.url, error.message, error);
    });
    if (turn < this.#described) return;
    const hasChanged = JSON.stringify(json) !== JSON.stringify(this.tileJSON) || archive?.identity !== this.#archive?.identity;
    // Tiles read since the refresh began may have come from the old archive or by the old index.
    if (this.#described && (isRefresh || hasChanged)) this.#startOver();
    // Records in use know the facets that they were read with.
    if (hasChanged) this.#facets = facets;
    [this.#described, this.tileJSON, this.#index, this.#archive] = [turn, json, index, archive];
  }

  /** Reads the tilejson.json once for all callers that found it stale.
   * @param {number} generation @param {AbortSignal} [signal] */
  async #reload(generation, signal) {
    if (this.generation === generation && Date.now() >= this.#noReloadBefore) {
      this.#reloading ??= this.#describe({ isFresh: true }).finally(() => (this.#reloading = null));
      const isRead = await this.#reloading.then(() => true).catch(() => false);
      if (isRead && this.generation === generation) this.#noReloadBefore = Date.now() + reloadPauseMilliseconds;
    }
    signal?.throwIfAborted();
    return this.generation !== generation;
  }

  /** @param {TileFile} file @param {AbortSignal} [signal] @returns {Promise<Records>} */
  async #records(file, signal) {
    const name = fileName(file),
      known = this.#broken.get(name),
      { generation } = this;
    if (known) throw known;
    try {
      return await this.#reading.run(name, (shared) => this.#read(file, shared), signal);
    } catch (error) {
      if (error instanceof TilesetError && !error.retryable && generation === this.generation) this.#broken.set(name, error);
      throw error;
    }
  }

  /** @param {TileFile} file @param {AbortSignal} signal @returns {Promise<Records>} */
  async #read(file, signal) {
    const url = this.#url(this.fileURL(file)),
      archive = this.#archive,
      isListed = this.#index !== null;
    const { generation, maxzoom: lastZoom } = this,
      facets = this.#facets;
    const { id_property: idProperty, group_by: groupBy } = this.tileJSON;
    const nested = facets?.columns.filter(({ hasSets }) => hasSets).map(({ name }) => name);
    const reading = archive
      ? archive.tile(file, { signal })
      : this.#requests.read(url, { signal }).then((answer) => answer && inflated(url, answer.bytes));
    const bytes = await reading.catch(async (error) => {
      if (error.status !== 403 || isListed || archive) throw error;
      this.#isForbidden ??= this.#refusesAll();
      if (await this.#isForbidden) throw new TilesetError(url, `the host answers 403 to all tiles of zoom ${this.minzoom}`, { status: 403 });
      return null;
    });
    if (bytes) this.#isForbidden = Promise.resolve(false);
    if (!bytes?.length && isListed)
      throw new TilesetError(url, "is missing, but tilejson.json lists it", { status: 404, retryable: true, isStale: true });
    const content = bytes?.length ? await contentOf(url, bytes, file, { idProperty, nested }) : { features: [], unit: 0 };
    content.features = this.decoded(content.features, file);
    const records = new Records(content, file, { lastZoom, facets, groupBy });
    // Objects take about four times the memory of their JSON.
    if (generation === this.generation) this.#cache.set(fileName(file), records, 4 * (bytes?.length ?? 0) + 200);
    return records;
  }

  /** Whether a host answers 403 to all tiles of the first zoom. Object stores without permission to list objects do so to missing ones.
   * @returns {Promise<boolean>} false if it can't be told */
  async #refusesAll() {
    const files = this.tileJSON.point_count === 0 ? [] : this.files(this.tileJSON.bounds ?? [-180, -90, 180, 90], this.minzoom);
    if (files.length > mostAsked) return false;
    for (const file of files) {
      const status = await this.#requests.read(this.#url(this.fileURL(file))).then(
        () => 200,
        (error) => error.status,
      );
      if (status === 403) continue;
      // Other failures prove nothing. The next tile that answers 403 asks again.
      if (status !== 200 && status !== 404) this.#isForbidden = null;
      return false;
    }
    return files.length > 0;
  }

  /** Whether points can lie in a tile.
   * @param {import("./geometry.js").Tile} tile */
  #mayHavePoints({ z, x, y }) {
    const [west, south, east, north] = this.tileJSON.bounds ?? [-180, -90, 180, 90],
      n = 2 ** z;
    const [left, top] = toWorld(west, north),
      [right, bottom] = toWorld(east, south),
      margin = 1e-9;
    return (x + 1) / n >= left - margin && x / n <= right + margin && (y + 1) / n >= top - margin && y / n <= bottom + margin;
  }
}

/** The content of a file, GeoJSON or a vector tile.
 * @param {string} url @param {Uint8Array} bytes without gzip @param {TileFile} file
 * @param {{ idProperty?: string, nested?: string[] }} names of vector tiles, see `decodeTile` @returns {Promise<import("./records.js").Content>} */
async function contentOf(url, bytes, file, names) {
  // Vector tiles begin with a layer.
  if (bytes[0] !== ((3 << 3) | 2)) {
    const json = parsed(url, bytes);
    return { features: pointsOf(url, json), table: json.facets, unit: 0 };
  }
  const { decodeTile, stepsOfTile, tableOf } = await loaded(url, () => import("./mvt.js"));
  try {
    const features = decodeTile(bytes, file, names);
    return { features, table: names.nested && tableOf(features), unit: 1 / (stepsOfTile * 2 ** file.z) };
  } catch (error) {
    throw new TilesetError(url, `isn't a vector tile: it ${error instanceof Error ? error.message : error}`);
  }
}

/** The points of a FeatureCollection; other features are left out.
 * @param {string} url @param {any} json @returns {Feature[]} */
function pointsOf(url, json) {
  if (!Array.isArray(json?.features)) throw new TilesetError(url, "isn't a FeatureCollection");
  return json.features.filter((/** @type {any} */ feature) => {
    const { type, coordinates } = feature?.geometry ?? {};
    return type === "Point" && Number.isFinite(coordinates?.[0]) && Number.isFinite(coordinates[1]);
  });
}

/** The files and the columns to filter by that a tilejson.json describes, if its numbers are usable.
 * @param {any} json */
async function described(json) {
  const { facets: stated = null, minzoom = 0, maxzoom = 0, tile_size: size = 256, cluster_distances: distances = [] } = json;
  if (!Array.isArray(json.tiles ?? json.data)) throw new Error("has no URL of tiles");
  if (![minzoom, maxzoom].every(Number.isInteger) || minzoom < 0 || minzoom > maxzoom || maxzoom > deepest) {
    throw new Error(`has zooms ${minzoom} to ${maxzoom}, expected whole numbers from 0 to ${deepest}`);
  }
  if (!(size > 0)) throw new Error(`has tile_size ${size}, expected pixels`);
  if (!Array.isArray(distances) || !distances.every((distance) => distance >= 0 && distance <= 512)) {
    throw new Error(`has cluster_distances ${distances}, expected 0 to 512 pixels`);
  }
  const hasDates = stated?.columns.some((/** @type {Facet} */ { dates }) => dates),
    dates = hasDates ? await loaded("dates", () => import("./dates.js")) : undefined;
  return { index: json.bundles ? await BundleIndex.decode(json.bundles) : null, facets: stated && new Facets(stated, dates?.DateColumn) };
}
