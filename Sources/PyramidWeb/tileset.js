// A tileset on a web host.

import { BundleIndex } from "./bundle-index.js";
import { Facets, addTo } from "./facets.js";
import { Filter, indexOf } from "./filter.js";
import { clampedToPoles, contains, covering, toDegrees, toWorld } from "./geometry.js";
import { boxOf } from "./marker.js";
import { decodeTile, isVectorTile, stepsOfTile } from "./mvt.js";
import { Archive } from "./pmtiles.js";
import { Records, facetCounts, remaining } from "./records.js";
import { inflated, parsed, Requests, TilesetError } from "./requests.js";
import { SharedWork } from "./shared-work.js";
import { TileCache } from "./tile-cache.js";

export { TilesetError };

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./bundle-index.js").TileFile} TileFile */
/** @typedef {{ cacheBytes?: number }} CacheOptions `cacheBytes`: about the most memory for tiles (default: 64 MiB) */
/** @typedef {import("./requests.js").RequestOptions & CacheOptions} TilesetOptions */
/** @typedef {import("./filter.js").FilterInput} FilterInput */
/** @typedef {import("./facets.js").Value} Value */
/** @typedef {{ all: number, filtered?: number, inView?: number }} ValueCounts the points with a value: all of them; those that match the
 *   filters of the other columns; and those of the markers in sight that match all filters. The latter two are undefined if unknown */
/** @typedef {{ points: Feature[], page: number, pageCount: number, total: number }} Leaves a page of a cluster's points */

const pageLength = 100;
/** The pause after a reload that found nothing new, in milliseconds. */
const reloadPauseMilliseconds = 60000;

export class Tileset {
  /** @type {Requests} */ #requests;
  /** @type {TileCache<Records>} */ #cache;
  /** @type {SharedWork<Records>} */ #reading = new SharedWork();
  /**
   * The files for which repeated requests are pointless, with their errors.
   * @type {Map<string, TilesetError>}
   */
  #broken = new Map();
  /** @type {BundleIndex | null} */ #index = null;
  /** @type {Archive | null} */ #archive = null;
  /** @type {Facets | null} */ #facets = null;
  /** @type {Filter | null} */ #filter = null;
  /** @type {Promise<void> | null} */ #reloading = null;
  #noReloadBefore = 0;
  /** The numbers of tilejson.json requests made and in use: a slow answer must not replace a later one. */
  #asked = 0;
  #described = 0;
  /** Increases whenever tiles are read again: after `refresh`, and when a new build is noticed. */
  generation = 1;

  /**
   * Use `Tileset.open`.
   * @param {string} url @param {TilesetOptions} options
   */
  constructor(url, options) {
    this.url = url;
    this.#requests = new Requests(options);
    this.#cache = new TileCache(options.cacheBytes ?? 64 * 2 ** 20);
    /**
     * The content of tilejson.json, or the same from an archive's header and metadata.
     * @type {any}
     */
    this.tileJSON = {};
  }

  /**
   * Opens a tileset: reads the tilejson.json of a directory of tiles, or the header of an archive.
   * @param {string | URL} url of the tilejson.json, of its directory, or of a `.pmtiles` file, absolute or relative to the page
   * @param {TilesetOptions & { signal?: AbortSignal }} options
   * @returns {Promise<Tileset>} fails with a TilesetError, or with the signal's reason
   */
  static async open(url, { signal, ...options } = {}) {
    const absolute = new URL(url, globalThis.document?.baseURI);
    if (!/\.(json|pmtiles)$/.test(absolute.pathname)) absolute.pathname = absolute.pathname.replace(/\/?$/, "/tilejson.json");
    const tileset = new Tileset(absolute.href, options);
    await tileset.#describe({ signal });
    return tileset;
  }

  /**
   * The first and the last zoom with tiles.
   * @returns {number}
   */
  get minzoom() { return this.tileJSON.minzoom ?? 0; }
  /** @returns {number} */
  get maxzoom() { return this.tileJSON.maxzoom ?? 0; }
  /** About how much memory tiles take. */
  get cachedBytes() { return this.#cache.byteCount; }
  /** The zoom of a map with 256-pixel tiles, minus the tileset's zoom: 1 for 512-pixel tiles. */
  get zoomOffset() { return Math.log2((this.tileJSON.tile_size ?? 256) / 256); }

  /**
   * The markers of a zoom that lie in a box, each once, even if the map repeats the world.
   * @param {Box} box
   * @param {number} zoom of the tileset, see `shownZoom`; at a lower zoom than the first one there are no markers
   * @param {{ filter?: FilterInput, signal?: AbortSignal }} options
   * @returns {Promise<Marker[]>} fails with a TilesetError if a tile can't be read, with the signal's reason, or with a TypeError or
   *   RangeError if the tileset can't be filtered this way
   */
  async markers(box, zoom, { filter = null, signal } = {}) {
    this.checked(filter);
    const loading = this.load(box, zoom, { signal });
    const [error] = await loading.finished;
    if (error) throw error;
    return loading.markers(filter);
  }

  /**
   * Reads the markers in a box, tile by tile.
   * @param {Box} box @param {number} zoom
   * @param {{ signal?: AbortSignal, onTile?: () => void }} options `onTile` is called after each tile that was requested
   */
  load(box, zoom, options = {}) {
    const { signal, onTile } = options, wide = clampedToPoles(box);
    let z = this.shownZoom(zoom), files = this.files(box, z), { generation } = this;
    /** @type {(Records | null)[]} */
    let found = files.map((file) => this.#cache.get(nameOf(file)) ?? null);
    /** @type {TilesetError[]} */
    const errors = [];
    const readAll = () => Promise.all(files.map(async (file, index) => {
      if (found[index]) return;
      try {
        const records = await this.#records(file, signal);
        found[index] = records;
        onTile?.();
      } catch (error) {
        if (signal?.aborted || !(error instanceof TilesetError)) throw error;
        errors.push(error);
      }
    }));
    const run = async () => {
      if (found.every(Boolean)) return errors;
      await readAll();
      // A listed file is missing or unreadable, so the index may be of an earlier build.
      const isStale = (this.#index || this.#archive) && errors.some((error) => error.isStale);
      if (!isStale || !(await this.#reload(generation, signal))) return errors;
      ({ generation } = this);
      z = this.shownZoom(zoom);
      [files, errors.length] = [this.files(box, z), 0];
      found = files.map((file) => this.#cache.get(nameOf(file)) ?? null);
      await readAll();
      return errors;
    };
    return {
      /** The zoom of the markers, which may differ from `zoom` if the tileset was rebuilt. */
      get zoom() { return z; },
      /** Whether no requests were needed. */
      isWhole: found.every(Boolean),
      /** The errors, once all other tiles have been read. */
      finished: run(),
      /** The markers read so far. */
      markers: (/** @type {FilterInput} */ filter = null) => {
        const checked = this.checked(filter);
        // Files keep what the last filter has left of them.
        if (this.#filter?.key !== checked?.key || this.#filter?.facets !== checked?.facets) this.#filter = checked;
        return found.flatMap((records) => records?.shown(z, this.#filter, wide) ?? []);
      },
    };
  }

  /**
   * The zoom whose markers a map shows at a zoom: its whole part, at most the last zoom of the tileset.
   * @param {number} zoom
   */
  shownZoom(zoom) { return Math.min(Math.floor(zoom + 1e-6), this.maxzoom); }

  /**
   * The markers of a zoom in a file that is in memory; makes no requests.
   * @param {TileFile} file @param {number} z @returns {Marker[] | undefined} `undefined` if the file isn't in memory
   */
  cached(file, z) {
    return this.#cache.get(nameOf(file))?.shown(z);
  }

  /**
   * The columns to filter by, those of `--filter-by`.
   * @returns {import("./facets.js").Facet[]}
   */
  get facets() { return this.#facets?.columns ?? []; }

  /**
   * The filter for what is to be shown; throws a TypeError or RangeError if the tileset can't be filtered this way.
   * @param {FilterInput} input @returns {Filter | null}
   */
  checked(input) { return input === null ? null : new Filter(input, this.#facets); }

  /**
   * The number of points with each value of a column, in the order of its `values`.
   * @param {string} column
   * @param {{ filter?: FilterInput, markers?: Iterable<Marker> }} options `markers`: those in sight, read with the same filter
   * @returns {Map<Value, ValueCounts>}
   */
  counts(column, { filter = null, markers = [] } = {}) {
    const index = indexOf(column, this.#facets), facets = /** @type {Facets} */ (this.#facets), checked = this.checked(filter);
    const all = facets.counts(index), filtered = facets.counts(index, checked ? (values) => checked.share(values, index) : undefined);
    /** @type {Map<Value, number> | null} */
    let inView = new Map();
    for (const marker of [...markers].flatMap((marker) => marker.points ?? [marker])) {
      const counts = facetCounts(marker, column);
      if (!counts) {
        inView = null;
        break;
      }
      for (const [value, count] of counts) addTo(inView, [value], count);
    }
    const known = (/** @type {number} */ count) => (Number.isNaN(count) ? undefined : count);
    return new Map(facets.columns[index].values.map((value) => (
      [value, { all: all.get(value) ?? 0, filtered: known(filtered.get(value) ?? 0), inView: inView ? inView.get(value) ?? 0 : undefined }])));
  }

  /**
   * The number of points that match a filter, and of all points; undefined if unknown.
   * @param {FilterInput} filter @returns {{ count?: number, total?: number }}
   */
  matching(filter) {
    const checked = this.checked(filter), total = this.tileJSON.point_count;
    if (!checked) return { count: total, total };
    const count = this.#facets?.combinations.reduce((sum, { values, count }) => sum + count * checked.share(values), 0) ?? NaN;
    return { count: Number.isNaN(count) ? undefined : count, total };
  }

  /**
   * The files that hold the markers in a box.
   * @param {Box} box @param {number} z @returns {TileFile[]}
   */
  files(box, z) {
    if (z < this.minzoom || z > this.maxzoom) return [];
    const tiles = covering(clampedToPoles(box), z);
    if (!this.#index) return tiles.filter((tile) => this.#mayHavePoints(tile)).map((tile) => ({ isBundle: false, ...tile }));
    const files = new Map();
    for (const tile of tiles) {
      const file = this.#index.find(tile);
      if (file) files.set(nameOf(file), file);
    }
    return [...files.values()];
  }

  /**
   * The URL of a file; for an archive, the archive's own URL.
   * @param {TileFile} file
   */
  fileURL({ isBundle, z, x, y }) {
    if (this.#archive) return this.#archive.url;
    const template = isBundle ? this.tileJSON.bundles.template : this.#template;
    return this.#url(template.replace("{z}", z).replace("{x}", x).replace("{y}", y));
  }

  /**
   * The points of a cluster or a stack, in pages of up to 100. Known for stacks, for clusters at one place, and for
   * clusters with `leaf_pages` or `members`; other clusters have no pages. Of a marker that was read with a filter, the points
   * that match; then pages can have fewer points, and those without any are skipped.
   * @param {Marker} marker
   * @param {{ page?: number, signal?: AbortSignal }} options
   * @returns {Promise<Leaves>}
   */
  async leaves(marker, { page = 0, signal } = {}) {
    const left = remaining(marker);
    if (!left) return this.#leaves(marker, { page, signal });
    const { points, filter, cluster } = left;
    if (points) return pageOf(points.map(({ feature }) => feature), page);
    const { members, ...properties } = cluster.feature.properties;
    const source = members && !filter.canJudge(members) ? { ...cluster, feature: { ...cluster.feature, properties } } : cluster;
    for (; ; page++) {
      const leaves = await this.#leaves(source, { page, signal }), matching = leaves.points.filter((point) => filter.matches(point));
      if (!matching.length && page + 1 < leaves.pageCount) continue;
      return { ...leaves, page, points: matching, total: leaves.pageCount > 1 && marker.isExact ? marker.count : matching.length };
    }
  }

  /** @param {Marker} marker @param {{ page: number, signal?: AbortSignal }} options @returns {Promise<Leaves>} */
  async #leaves(marker, { page, signal }) {
    if (!marker.isCluster) return pageOf((marker.points ?? [marker]).map(({ feature }) => feature), page);
    const { cluster_id: id, leaf_pages: pageCount, members, coincident } = marker.feature.properties;
    if (pageCount) {
      // Pages are GeoJSON, even if the tiles aren't.
      const suffix = this.tileJSON.format === "pbf" ? ".json" : "$1";
      const url = this.#url(this.#template.replace(/tiles\/\{z\}\/\{x\}\/\{y\}(.*)$/, `leaves/${id}/${page}${suffix}`));
      const json = await this.#requests.json(url, { signal });
      if (!json) throw new TilesetError(url, "there is no such page", { status: 404, retryable: true, isStale: true });
      return { points: pointsOf(url, json), page, pageCount, total: marker.count };
    }
    const listed = pageOf((members ?? []).map((/** @type {any} */ member) => pointOf(member, marker.feature)), page);
    if (listed.total >= marker.count || !coincident) return listed;
    // The tile of the last zoom has the points one by one, unless they are a cluster there, too.
    const last = await this.#lastAt(marker, signal);
    const { group_by: group } = this.tileJSON, groupOf = (/** @type {Marker} */ { feature }) => feature.properties[group] ?? "";
    const points = last.filter((other) => !other.isCluster && groupOf(other) === groupOf(marker));
    if (points.length) return pageOf(points.map(({ feature }) => feature), page);
    const same = last.find((other) => other.key === marker.key && other.feature !== marker.feature && other.feature.properties.leaf_pages);
    return same ? this.#leaves(same, { page, signal }) : listed;
  }

  /**
   * Reads everything again from the host: the tilejson.json now, tiles when they are next needed.
   * @param {{ signal?: AbortSignal }} options
   */
  async refresh({ signal } = {}) {
    this.#startOver();
    await this.#describe({ isFresh: true, signal, isRefresh: true });
  }

  /** Allows new requests for files that couldn't be read, for pages that have removed the cause. */
  forgetFailures() { this.#broken.clear(); }

  // Files

  get #template() { return String(this.tileJSON.tiles?.[0] ?? this.tileJSON.data?.[0]); }

  /** @param {string} path */
  #url(path) { return new URL(path, this.url).href; }

  /** Forgets all tiles, also those being read, because the tileset was rebuilt. */
  #startOver() {
    this.generation += 1;
    this.#cache.clear();
    this.#broken.clear();
    this.#reading.forget();
    this.#requests.startOver();
  }

  /** @param {{ isFresh?: boolean, isRefresh?: boolean, signal?: AbortSignal }} options `isFresh`: whether to bypass the browser's cache */
  async #describe({ isFresh = false, isRefresh = false, signal }) {
    const turn = ++this.#asked, isArchive = new URL(this.url).pathname.endsWith(".pmtiles");
    const archive = isArchive ? await Archive.open(this.url, this.#requests, { isFresh, signal }) : null;
    const json = archive?.tileJSON ?? await this.#requests.json(this.url, { signal, ...(isFresh && { cache: "no-cache" }) });
    if (!json) throw new TilesetError(this.url, "there is no tilejson.json", { status: 404, retryable: true, isStale: true });
    if (!Array.isArray(json.tiles ?? json.data)) throw new TilesetError(this.url, "has no address of tiles");
    const index = json.bundles ? await BundleIndex.decode(json.bundles).catch((error) => { throw new TilesetError(this.url, error.message); }) : null;
    const facets = json.facets ? new Facets(json.facets) : null;
    if (turn < this.#described) return;
    const hasChanged = JSON.stringify(json) !== JSON.stringify(this.tileJSON) || archive?.identity !== this.#archive?.identity;
    // Tiles read since the refresh began may have come from the old archive or by the old index.
    if (this.#described && (isRefresh || hasChanged)) this.#startOver();
    // Records in use know the facets that they were read with.
    if (hasChanged) this.#facets = facets;
    [this.#described, this.tileJSON, this.#index, this.#archive] = [turn, json, index, archive];
  }

  /**
   * Reads the tilejson.json once for all callers that found it stale.
   * @param {number} generation @param {AbortSignal} [signal]
   */
  async #reload(generation, signal) {
    if (this.generation === generation && Date.now() >= this.#noReloadBefore) {
      this.#reloading ??= this.#describe({ isFresh: true }).finally(() => { this.#reloading = null; });
      const isRead = await this.#reloading.then(() => true, () => false);
      if (isRead && this.generation === generation) this.#noReloadBefore = Date.now() + reloadPauseMilliseconds;
    }
    signal?.throwIfAborted();
    return this.generation !== generation;
  }

  /** @param {TileFile} file @param {AbortSignal} [signal] @returns {Promise<Records>} */
  async #records(file, signal) {
    const name = nameOf(file), known = this.#broken.get(name), { generation } = this;
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
    const url = this.fileURL(file), archive = this.#archive, isListed = this.#index !== null;
    const { generation, maxzoom: lastZoom, tileJSON: { id_property: idProperty, group_by: groupBy } } = this, facets = this.#facets;
    const nested = facets?.columns.filter(({ hasSets }) => hasSets).map(({ name }) => name);
    const reading = archive ? archive.tile(file, { signal }) : this.#requests.read(url, { signal }).then((answer) => answer && inflated(url, answer.bytes));
    const bytes = await reading.catch((error) => {
      // Object stores without permission to list objects answer 403 for missing ones.
      if (error.status === 403 && !isListed && !archive) return null;
      throw error;
    });
    if (!bytes?.length && isListed) throw new TilesetError(url, "is missing, but tilejson.json lists it", { status: 404, retryable: true, isStale: true });
    const content = bytes?.length ? contentOf(url, bytes, file, { idProperty, nested }) : { features: [], unit: 0 };
    const records = new Records(content, file, { lastZoom, facets, groupBy });
    // Objects take about four times the memory of their JSON.
    if (generation === this.generation) this.#cache.set(nameOf(file), records, 4 * (bytes?.length ?? 0) + 200);
    return records;
  }

  /**
   * The markers of the last zoom at a cluster's place.
   * @param {Marker} marker @param {AbortSignal} [signal] @returns {Promise<Marker[]>}
   */
  async #lastAt(marker, signal) {
    const [west, south] = boxOf(marker), place = /** @type {Box} */ ([west, south, west, south]);
    if (!marker.unit) return (await this.markers(place, this.maxzoom, { signal })).filter((other) => contains(place, boxOf(other)));
    // The place is as precise as the grid of the cluster's tile. A step of it may span several places of the last zoom.
    const [[left, top], [right, bottom]] = [-1, 1].map((side) => toDegrees(marker.x + side * marker.unit, marker.y + side * marker.unit));
    const near = await this.markers([left, bottom, right, top], this.maxzoom, { signal });
    const distance = (/** @type {Marker} */ { x, y }) => Math.hypot(x - marker.x, y - marker.y);
    /** @type {Map<string, Marker[]>} */
    const placed = new Map();
    for (const other of near) {
      const name = `${other.x} ${other.y}`, others = placed.get(name);
      if (others) others.push(other); else placed.set(name, [other]);
    }
    const whole = [...placed.values()].filter((markers) => markers.reduce((sum, { count }) => sum + count, 0) >= marker.count);
    return whole.sort(([one], [other]) => distance(one) - distance(other))[0] ?? [];
  }

  /**
   * Whether points can lie in a tile.
   * @param {import("./geometry.js").Tile} tile
   */
  #mayHavePoints({ z, x, y }) {
    const [west, south, east, north] = this.tileJSON.bounds ?? [-180, -90, 180, 90], n = 2 ** z;
    const [left, top] = toWorld(west, north), [right, bottom] = toWorld(east, south), margin = 1e-9;
    return (x + 1) / n >= left - margin && x / n <= right + margin && (y + 1) / n >= top - margin && y / n <= bottom + margin;
  }
}

/**
 * The content of a file, GeoJSON or a vector tile.
 * @param {string} url @param {Uint8Array} bytes without gzip @param {TileFile} file
 * @param {{ idProperty?: string, nested?: string[] }} names of vector tiles, see `decodeTile`
 * @returns {import("./records.js").Content}
 */
function contentOf(url, bytes, file, names) {
  if (!isVectorTile(bytes)) {
    const json = parsed(url, bytes);
    return { features: pointsOf(url, json), table: json.facets, unit: 0 };
  }
  try {
    return { features: decodeTile(bytes, file, names), unit: 1 / (stepsOfTile * 2 ** file.z) };
  } catch (error) {
    throw new TilesetError(url, `isn't a vector tile: it ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * The points of a FeatureCollection; other features are left out.
 * @param {string} url @param {any} json @returns {Feature[]}
 */
function pointsOf(url, json) {
  if (!Array.isArray(json?.features)) throw new TilesetError(url, "isn't a FeatureCollection");
  return json.features.filter((/** @type {any} */ feature) => {
    const { type, coordinates } = feature?.geometry ?? {};
    return type === "Point" && Number.isFinite(coordinates?.[0]) && Number.isFinite(coordinates[1]);
  });
}

/** @param {TileFile} file */
const nameOf = ({ isBundle, z, x, y }) => `${isBundle ? "bundle" : "tile"} ${z}/${x}/${y}`;

/** @param {Feature[]} points @param {number} page @returns {Leaves} */
function pageOf(points, page) {
  const pageCount = Math.ceil(points.length / pageLength);
  return { points: points.slice(page * pageLength, (page + 1) * pageLength), page, pageCount, total: points.length };
}

/**
 * A member as a point: an id, or an object of properties.
 * @param {any} member @param {Feature} cluster @returns {Feature}
 */
function pointOf(member, { geometry }) {
  return typeof member === "object" ? { geometry, properties: member } : { id: member, geometry, properties: {} };
}
