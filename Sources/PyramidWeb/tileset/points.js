// Finds the points in a box, the points of a cluster, and a point by its id. Loaded when a page first asks for them.

import { fileName } from "./bundle-index.js";
import { clampedToPoles, contains, eastward, toDegrees, toWorld } from "./geometry.js";
import { boxAround, identified, markerOf } from "./marker.js";
import { placeBox, pointsInFile, zoomsOf } from "./records.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./bundle-index.js").TileFile} TileFile */
/** @typedef {import("./filter.js").Filter} Filter */
/** @typedef {{ points: Feature[], count: number, isExact: boolean }} Points the nearest points to a place, in this order; those at one distance
 *   by their ids. `isExact`: all are known, and `count` is their number; else `count` is that of the shown markers, and points are missing */
/** @typedef {{ point: Feature, marker: Marker, zoom: number }} FoundPoint a point, the marker that shows it at the last zoom, and the
 *   first zoom with this marker */
/** @typedef {{ id?: string | number, lngLat: [longitude: number, latitude: number] }} PointAddress the id of a point, and its place, or one
 *   at most 16 pixels away from it at the last zoom; without an id, the nearest point is meant */
/** @typedef {object} Source the files of a tileset
 * @property {(file: TileFile) => boolean} isCached
 * @property {(file: TileFile, signal?: AbortSignal) => Promise<import("./records.js").Records>} records */
/** @typedef {{ file: TileFile, zoom: number, distance: number }} Node the markers of a zoom in a file, which are still to be read; `distance`
 *   from the middle of the box */
/** @typedef {object} Search the points in a box, as far as they are read
 * @property {Area} area
 * @property {[x: number, y: number]} middle
 * @property {(marker: Marker) => boolean} isInside
 * @property {Set<string>} names of all nodes
 * @property {Node[]} nodes
 * @property {Map<string, Marker>} points by key
 * @property {Map<string, Marker>} clusters of the last zoom
 * @property {number} zoom the first one that is read
 * @property {number} count of the points of its markers
 * @property {boolean} hasClusters
 * @property {boolean} isAll whether all nodes are of the last zoom, which has all points */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Area of the map: `left` 0 to 1, `right` at most 1 more */

/** The most files that are requested for a list. */
const mostFiles = 64;
/** The most of these at the same time: the nearest ones, and then those around their clusters, so that each call arrives at points. */
const mostAtOnce = 6;
/** The most files in which the next markers of a cluster are read, if a lower zoom isn't enough, and how many tiles are looked up for each. */
const fewFiles = 4,
  tilesPerFile = 16;
/** The most tiles that are looked up for a zoom. */
const mostTiles = 4096;
/** How far from the stated place a point may be, in pixels at the last zoom. */
const reachPixels = 16;
/** More than coordinates are rounded by, of the map's width. */
const margin = 2 ** -29;

/** Reads the points of one list. */
export class PointReader {
  #left = mostFiles;
  #isExact = true;
  /** The files of this call, which the cache may not keep as long.
   * @type {Map<string, Promise<import("./records.js").Records>>} */
  #asked = new Map();
  /** @type {Search | null} */ #search = null;
  /** @type {Promise<unknown>} the last call for a box, after which the next one reads on */ #last = Promise.resolve();

  /** @param {import("./tileset.js").Tileset} tileset @param {Source} source @param {{ filter?: Filter | null, signal?: AbortSignal }} options */
  constructor(tileset, source, { filter = null, signal }) {
    this.tileset = tileset;
    this.source = source;
    this.filter = filter;
    this.signal = signal;
    this.generation = tileset.generation;
  }

  /** The points in a box, as far as they are known. Reads files from the middle of the box outwards: those with its markers at the highest zoom
   * at which these are few, and those around each cluster of which points may be in the box. Points that stand alone do so at all higher zooms.
   * Another call reads on.
   * @param {Box} box the same one in all calls @param {AbortSignal} [signal] @param {number} [most] files of the first zoom
   * @returns {Promise<{ points: Marker[], count: number, isExact: boolean }>} */
  inBox(box, signal, most = mostFiles) {
    const found = this.#last.then(() => this.#readOn(box, most, signal));
    this.#last = found.catch(() => {});
    return found;
  }

  /** @param {Box} box @param {number} most @param {AbortSignal} [signal] */
  async #readOn(box, most, signal) {
    [this.signal, this.#left, this.#asked] = [signal, mostFiles, new Map()];
    const { minzoom, maxzoom } = this.tileset,
      search = (this.#search ??= newSearch(box)),
      { area } = search;
    if (!search.names.size) {
      const last = { zoom: maxzoom, files: this.#files([area], maxzoom) },
        isFew = last.files && last.files.length <= most,
        first = isFew ? last : this.#step((z) => [grown(area, z < maxzoom ? this.#reach(z) : 0)], minzoom, most);
      this.#add(first);
      [search.zoom, search.isAll] = [first.zoom, first.zoom === maxzoom];
    }
    for (;;) {
      if (!search.nodes.length && !search.hasClusters && !search.isAll && !(await this.#hasAll())) {
        // Without clusters, only the last zoom tells of the points that lower ones hide.
        search.isAll = true;
        this.#add({ zoom: maxzoom, files: this.#files([area], maxzoom) });
      }
      search.nodes.sort((one, other) => other.zoom - one.zoom || one.distance - other.distance);
      let left = Math.min(this.#left, mostAtOnce);
      const nodes = search.nodes.filter(({ file }) => !this.#isNew(file) || left-- > 0),
        results = await Promise.allSettled(nodes.map((node) => this.#expand(node, search)));
      for (const result of results) if (result.status === "rejected") throw result.reason;
      if (!nodes.length) break;
    }
    const kept = await this.#pointsOf([...search.clusters.values()]),
      points = [...search.points.values(), ...kept].filter((marker) => search.isInside(marker) && this.#matches(marker)),
      isExact = this.isExact && !search.nodes.length;
    return { points, count: isExact ? points.length : Math.max(search.count, points.length), isExact };
  }

  /** The box around all points that match the filter, and around the files that are still to be read.
   * @param {AbortSignal} [signal] @returns {Promise<Box | null>} null if there are none */
  async extent(signal) {
    // From the lowest zoom on, where few files tell which parts of the world have no such points.
    const { points } = await this.inBox([-180, -90, 180, 90], signal, 1),
      { nodes, clusters } = /** @type {Search} */ (this.#search);
    const tiles = nodes.map(({ file: { z, x, y } }) =>
        boxOf({ left: x / 2 ** z, top: y / 2 ** z, right: (x + 1) / 2 ** z, bottom: (y + 1) / 2 ** z }),
      ),
      boxes = [...[...points, ...clusters.values()].map(placeBox), ...tiles];
    return boxes.length ? boxAround(boxes) : null;
  }

  /** @param {Node} node @param {Search} search */
  async #expand(node, search) {
    const { file, zoom } = node,
      { maxzoom } = this.tileset,
      { area, points, clusters } = search,
      markers = (await this.#shown([file], zoom)).filter((marker) => common(this.#areaOf(marker, zoom), area).length);
    search.nodes = search.nodes.filter((other) => other !== node);
    for (const [key, marker] of identified(markers)) {
      // Its points are as near as at the last zoom before it splits.
      const { expansion_zoom: expansion = 0 } = (marker.whole ?? marker).feature.properties,
        higher = Math.min(Math.max(zoom + 1, expansion), maxzoom),
        own = this.#areaOf(marker, higher - 1);
      search.hasClusters ||= isCluster(marker);
      if (zoom === search.zoom && search.isInside(marker)) search.count += marker.count;
      if (zoom < maxzoom && isOpen(marker)) this.#add(this.#step((z) => (z < maxzoom ? [own] : common(own, area)), higher, fewFiles));
      else if (isCluster(marker)) clusters.set(key, marker.whole ?? marker);
      else points.set(key, marker);
    }
  }

  /** The points of a cluster or a stack.
   * @param {Marker} marker @returns {Promise<{ points: Marker[], count: number, isExact: boolean }>} */
  async of(marker) {
    const points = marker.points ?? (isCluster(marker) ? await this.#pointsOf([marker.whole ?? marker]) : [marker]);
    const found = points.filter((point) => this.#matches(point));
    return {
      points: found,
      count: this.isExact ? found.length : Math.max(this.filter ? marker.count : marker.total, found.length),
      isExact: this.isExact,
    };
  }

  /** A point by its id and place.
   * @param {PointAddress} address @returns {Promise<FoundPoint | null>} */
  async find({ id, lngLat }) {
    if (!lngLat) throw new TypeError("a point is found by its place: { id, lngLat: [longitude, latitude] }");
    const { tileset, signal } = this,
      { maxzoom } = tileset,
      [x, y] = toWorld(...lngLat),
      box = boxOf(grown({ left: x, top: y, right: x, bottom: y }, reachPixels / 256 / 2 ** maxzoom));
    this.#left -= tileset.files(box, maxzoom).filter((file) => this.#isNew(file)).length;
    const markers = await tileset.markers(box, maxzoom, { signal });
    for (const marker of nearest(markers, lngLat)) {
      const points = marker.isCluster ? await this.#pointsOf([marker]) : [marker];
      const found = points.find(({ feature }) => id === undefined || String(feature.id) === String(id));
      if (found) return { point: found.feature, marker, zoom: zoomsOf(marker)?.minzoom ?? maxzoom };
    }
    return null;
  }

  /** The marker of a zoom that is a point or holds it.
   * @param {PointAddress} address @param {number} zoom
   * @returns {Promise<{ marker: Marker, isExact: boolean } | null>} null if there is no such point, or the filter hides it */
  async holder(address, zoom) {
    const found = await this.find(address),
      { tileset } = this,
      { group_by: group } = tileset.tileJSON;
    if (!found || this.filter?.matches(found.point) === false) return null;
    let { marker } = found,
      isCertain = true;
    const { x, y, unit } = marker,
      place = { left: x, top: y, right: x, bottom: y },
      groupOf = (/** @type {Marker} */ { feature }) => feature.properties[group] ?? "";
    const around = async (/** @type {number} */ z, /** @type {Filter | null} */ filter) => {
      const all = this.#files([grown(place, this.#reach(z))], z),
        isWhole = all !== null && this.#fits(all);
      isCertain &&= isWhole && this.#reach(z) < 1;
      const files = isWhole ? all : (this.#files([place], z) ?? []).slice(0, this.#left);
      const near = (await this.#shown(files, z, filter)).filter((other) => common(this.#areaOf(other, z), grown(place, unit + margin)).length);
      return near.filter((other) => !group || groupOf(other.whole ?? other) === groupOf(marker));
    };
    const markers = await around(zoom, this.filter),
      whole = markers.map((other) => other.whole ?? other);
    const at = (/** @type {string} */ key) => whole.findIndex((other) => other.key === key);
    // Every point is in one marker.
    if (whole.length === 1 && whole[0].isCluster && isCertain) return { marker: markers[0], isExact: true };
    for (;;) {
      const first = zoomsOf(marker)?.minzoom ?? tileset.maxzoom;
      if (first <= zoom) return at(marker.key) < 0 ? null : { marker: markers[at(marker.key)], isExact: true };
      const lower = await around(first - 1, null),
        { key, parent } = marker,
        next = lower.find((other) => other.key === parent) ?? lower.find((other) => other.key === key);
      if (!next) break;
      marker = next;
    }
    const [near] = nearest(markers, address.lngLat);
    return near ? { marker: near, isExact: false } : null;
  }

  /** Whether all points are known. A tileset that was rebuilt in the meantime has others. */
  get isExact() {
    return this.#isExact && this.generation === this.tileset.generation;
  }

  /** @param {Marker} point */
  #matches({ feature }) {
    return this.filter?.matches(feature) ?? true;
  }

  // Files

  /** @param {TileFile[]} files */
  #fits(files) {
    return files.filter((file) => this.#isNew(file)).length <= this.#left;
  }

  /** @param {TileFile} file */
  #isNew(file) {
    return !this.#asked.has(fileName(file)) && !this.source.isCached(file);
  }

  /** The highest zoom, from one on, at which few files hold the markers in areas. A bundle holds those of all higher zooms in its tile.
   * @param {(zoom: number) => Area[]} areas @param {number} zoom @param {number} most
   * @returns {{ zoom: number, files: TileFile[] | null }} */
  #step(areas, zoom, most) {
    const { maxzoom } = this.tileset;
    let files = this.#files(areas(zoom), zoom);
    while (files && zoom < maxzoom) {
      const [{ isBundle = false, z = 0, x = 0, y = 0 } = {}] = files,
        isIn = (/** @type {Area} */ { left, top, right, bottom }) =>
          left * 2 ** z >= x && top * 2 ** z >= y && right * 2 ** z <= x + 1 && bottom * 2 ** z <= y + 1;
      if (isBundle && areas(zoom).every(isIn)) return { zoom: maxzoom, files };
      const next = this.#files(areas(zoom + 1), zoom + 1, tilesPerFile * most);
      if (!next || next.length > most) break;
      [files, zoom] = [next, zoom + 1];
    }
    return { zoom, files };
  }

  /** Reads files later.
   * @param {{ zoom: number, files: TileFile[] | null }} step `files`: null if they are too many */
  #add({ zoom, files }) {
    const { names, nodes, middle } = /** @type {Search} */ (this.#search);
    if (!files) this.#isExact = false;
    for (const file of files ?? []) {
      const name = `${zoom} ${fileName(file)}`,
        side = 2 ** -file.z,
        away = (/** @type {number} */ distance) => Math.max(Math.abs(distance) - side / 2, 0);
      if (names.has(name)) continue;
      names.add(name);
      nodes.push({ file, zoom, distance: Math.hypot(away(eastward(middle[0], (file.x + 0.5) * side)), away((file.y + 0.5) * side - middle[1])) });
    }
  }

  /** The files that hold the markers in areas.
   * @param {Area[]} areas @param {number} zoom @param {number} [most] @returns {TileFile[] | null} null if there are too many tiles */
  #files(areas, zoom, most = mostTiles) {
    const files = new Map();
    let tiles = 0;
    for (const area of areas) {
      tiles += (Math.ceil((area.right - area.left) * 2 ** zoom) + 1) * (Math.ceil((area.bottom - area.top) * 2 ** zoom) + 1);
      if (tiles > most) return null;
      for (const file of this.tileset.files(boxOf(grown(area, margin)), zoom)) files.set(fileName(file), file);
    }
    return [...files.values()];
  }

  /** The markers of files, also outside the areas for which these are read.
   * @param {TileFile[]} files @param {number} zoom @param {Filter | null} [filter] */
  async #shown(files, zoom, filter = this.filter) {
    const records = files.map((file) => {
      if (this.#isNew(file)) this.#left -= 1;
      const name = fileName(file),
        reading = this.#asked.get(name) ?? this.source.records(file, this.signal);
      this.#asked.set(name, reading);
      return reading;
    });
    return (await Promise.all(records)).flatMap((records) => records.shown(zoom, filter));
  }

  /** Whether the first zoom has all points, in clusters. With `--mode filter`, it hides some. */
  async #hasAll() {
    const { minzoom, tileJSON } = this.tileset,
      files = this.#files([areaOf([-180, -90, 180, 90])], minzoom);
    if (!files || !this.#fits(files)) return false;
    return (await this.#shown(files, minzoom, null)).reduce((sum, { total }) => sum + total, 0) === tileJSON.point_count;
  }

  /** How far from a cluster its points may be. A point joins a cluster by steps, one at each zoom at most.
   * @param {number} zoom */
  #reach(zoom) {
    const { minzoom, tileJSON } = this.tileset,
      { cluster_distances: distances, tile_size: size = 256 } = tileJSON;
    if (!distances) return 1;
    const steps = distances
      .slice(zoom - minzoom)
      .map((/** @type {number} */ pixels, /** @type {number} */ index) => pixels / size / 2 ** (zoom + index));
    // Its own place may be one step away from its anchor, and points at the last clustered zoom are cells.
    return [...steps.slice(0, 1), ...steps, ...steps.slice(-1)].reduce((sum, step) => sum + step, 0);
  }

  /** Where the points of a marker are, as far as its file tells.
   * @param {Marker} marker @param {number} zoom @returns {Area} */
  #areaOf({ isCluster, whole, x, y, unit, feature }, zoom) {
    const cluster = whole?.isCluster ?? isCluster,
      box = (whole?.feature ?? feature).bbox;
    if (cluster && box) return grown(areaOf(box), unit);
    const place = { left: x, top: y, right: x, bottom: y };
    if (!cluster) return grown(place, unit);
    return grown(place, this.#reach(zoom));
  }

  // Clusters

  /** The points of clusters, as far as they can be known; all of them, whatever the filter.
   * @param {Marker[]} clusters without a filter @returns {Promise<Marker[]>} */
  async #pointsOf(clusters) {
    /** @type {Marker[]} */
    const points = [];
    let open = clusters.map((cluster) => ({ cluster, attempts: attemptsFor(cluster) }));
    while (open.length) {
      const parts = await Promise.all(open.map(({ cluster, attempts: [attempt] }) => this.#partsOf(cluster, attempt)));
      open = open.flatMap(({ cluster, attempts: [, ...others] }, index) => {
        const found = parts[index];
        if (found) {
          points.push(...found.filter(({ isCluster }) => !isCluster));
          return found.filter(({ isCluster }) => isCluster).map((part) => ({ cluster: part, attempts: attemptsFor(part) }));
        }
        if (others.length) return [{ cluster, attempts: others }];
        this.#isExact = false;
        points.push(...this.#membersOf(cluster));
        return [];
      });
    }
    return points;
  }

  /** The markers that together have the points of a cluster.
   * @param {Marker} cluster @param {Attempt} attempt @returns {Promise<Marker[] | null>} null if unknown */
  async #partsOf(cluster, attempt) {
    const { maxzoom, tileJSON } = this.tileset,
      { group_by: group } = tileJSON,
      { coincident, expansion_zoom: expansion = 0 } = cluster.feature.properties;
    if (attempt === "file") return pointsInFile(cluster);
    if (attempt === "members") {
      const members = this.#membersOf(cluster);
      return members.length >= cluster.total ? members : null;
    }
    const last = zoomsOf(cluster)?.maxzoom ?? maxzoom - 1,
      zoom = attempt === "children" ? Math.max(last + 1, expansion) : maxzoom;
    const area =
      coincident && !cluster.feature.bbox
        ? grown({ left: cluster.x, top: cluster.y, right: cluster.x, bottom: cluster.y }, cluster.unit)
        : this.#areaOf(cluster, attempt === "children" ? zoom - 1 : last);
    const files = last < maxzoom && zoom <= maxzoom ? this.#files([area], zoom) : null;
    if (!files || !this.#fits(files)) return null;
    const isWhole = (/** @type {Marker[]} */ markers) => markers.reduce((sum, { total }) => sum + total, 0) === cluster.total;
    const near = (await this.#shown(files, zoom, null)).filter((marker) => this.#isWithin(marker, zoom, area));
    // Records of bundles state the parent at the zoom before their first one.
    const children = near.filter((marker) => marker.key === cluster.key || (marker.parent === cluster.key && zoomsOf(marker)?.minzoom === zoom));
    if (attempt === "children" && isWhole(children)) return children;
    // If its box holds no more points than the cluster has, they are the cluster's. Points at one place are in one cluster.
    /** @type {Map<string, Marker[]>} */
    const places = new Map();
    for (const marker of near) {
      const { x, y, feature } = marker,
        place = coincident ? `${x} ${y}` : "";
      if (!group || (feature.properties[group] ?? "") === (cluster.feature.properties[group] ?? ""))
        places.set(place, [...(places.get(place) ?? []), marker]);
    }
    const whole = [...places.values()].filter(isWhole);
    return whole.length === 1 ? whole[0] : null;
  }

  /** Whether all points of a marker may be in an area.
   * @param {Marker} marker @param {number} zoom @param {Area} area */
  #isWithin(marker, zoom, area) {
    const own = this.#areaOf(marker, zoom),
      inside = common(own, grown(area, 2 * marker.unit + margin));
    if (marker.isCluster && !marker.feature.bbox) return inside.length > 0;
    return inside.some(({ left, top, right, bottom }) => right - left >= own.right - own.left - 1e-12 && bottom - top >= own.bottom - own.top);
  }

  /** The listed members of a cluster, ids or objects of properties; none if the filter asks for other properties.
   * @param {Marker} cluster @returns {Marker[]} */
  #membersOf({ feature }) {
    const { geometry, properties } = feature,
      { members = [] } = properties;
    const { key, columns } = this.filter ?? { columns: [] },
      isTold = (/** @type {any} */ member) => columns.every(({ name }) => typeof member === "object" && name in member);
    if (typeof key === "function" || !members.every(isTold)) return [];
    return members.map((/** @type {any} */ member) =>
      markerOf(typeof member === "object" ? { geometry, properties: member } : { id: member, geometry, properties: {} }),
    );
  }
}

/** @typedef {"file" | "members" | "children" | "box"} Attempt how to find the points of a cluster */

/** @param {Marker} cluster @returns {Attempt[]} in their order */
function attemptsFor({ feature: { properties } }) {
  // Listed members have no places of their own.
  return properties.coincident ? ["file", "members", "box", "children"] : ["file", "children", "members"];
}

/** @param {Box} box @returns {Search} */
function newSearch(box) {
  const wide = clampedToPoles(box),
    isInside = (/** @type {Marker} */ marker) => contains(wide, placeBox(marker));
  return {
    area: areaOf(box),
    middle: middleOf(box),
    isInside,
    names: new Set(),
    nodes: [],
    points: new Map(),
    clusters: new Map(),
    zoom: 0,
    count: 0,
    hasClusters: false,
    isAll: false,
  };
}

/** Whether a marker stands for a cluster, of which a filter may leave one point.
 * @param {Marker} marker */
const isCluster = ({ isCluster, whole }) => isCluster || Boolean(whole);

/** Whether points of a marker may be elsewhere. In vector tiles they are, because each zoom rounds their places.
 * @param {Marker} marker */
const isOpen = (marker) => isCluster(marker) || marker.unit > 0;

/** The points of a list that callers get, in their order.
 * @param {{ points: Marker[], count: number, isExact: boolean }} list @param {Box | Marker} target the box or the marker that has them
 * @param {{ limit?: number, near?: [longitude: number, latitude: number] }} options see `Tileset.points` @returns {Points} */
export function ordered({ points, ...found }, target, { limit = 100, near }) {
  const place = near ?? (Array.isArray(target) ? toDegrees(...middleOf(target)) : target.feature.geometry.coordinates),
    shown = nearest(points, place).slice(0, limit);
  return { ...found, points: shown.map(({ feature }) => feature) };
}

/** Points from the nearest to a place to the farthest, on the globe; those at one distance by their ids: numbers, then texts, then those without
 * an id.
 * @param {Marker[]} points @param {[longitude: number, latitude: number]} place */
function nearest(points, place) {
  const ranked = points.map((point) => ({ point, id: point.feature.id, distance: chordOf(place, point.feature.geometry.coordinates) }));
  const kind = (/** @type {unknown} */ id) => (typeof id === "number" ? 0 : id === undefined ? 2 : 1);
  ranked.sort(
    (one, other) =>
      one.distance - other.distance ||
      kind(one.id) - kind(other.id) ||
      (one.id === other.id ? 0 : /** @type {any} */ (one.id) < /** @type {any} */ (other.id) ? -1 : 1),
  );
  return ranked.map(({ point }) => point);
}

/** A measure of the distance of two places on the globe: the square of half their chord.
 * @param {[longitude: number, latitude: number]} one @param {[longitude: number, latitude: number]} other */
function chordOf(one, other) {
  const sine = (/** @type {number} */ degrees) => Math.sin((degrees * Math.PI) / 360) ** 2,
    cosine = (/** @type {number} */ degrees) => Math.cos((degrees * Math.PI) / 180);
  return sine(other[1] - one[1]) + cosine(one[1]) * cosine(other[1]) * sine(other[0] - one[0]);
}

/** The middle of a box on the map.
 * @param {Box} box @returns {[x: number, y: number]} */
function middleOf(box) {
  const { left, top, right, bottom } = areaOf(box);
  return [(left + right) / 2, (top + bottom) / 2];
}

/** @param {Box} box @returns {Area} */
function areaOf([west, south, east, north]) {
  const [start, top] = toWorld(west, north),
    [end, bottom] = toWorld(east, south),
    left = start - Math.floor(start);
  return { left, top, right: left + (end - start >= 1 ? 1 : end - start - Math.floor(end - start)), bottom };
}

/** @param {Area} area @returns {Box} */
function boxOf({ left, top, right, bottom }) {
  const [west, north] = toDegrees(left, top),
    [east, south] = toDegrees(right, bottom);
  return clampedToPoles([west, south, east, north]);
}

/** @param {Area} area @param {number} reach @returns {Area} */
function grown({ left, top, right, bottom }, reach) {
  const isWorld = right - left + 2 * reach >= 1;
  return { left: isWorld ? 0 : left - reach, top: Math.max(top - reach, 0), right: isWorld ? 1 : right + reach, bottom: Math.min(bottom + reach, 1) };
}

/** What two areas have in common.
 * @param {Area} one @param {Area} other @returns {Area[]} */
function common(one, other) {
  return [-2, -1, 0, 1, 2].flatMap((copy) => {
    const left = Math.max(one.left, other.left + copy),
      right = Math.min(one.right, other.right + copy);
    const top = Math.max(one.top, other.top),
      bottom = Math.min(one.bottom, other.bottom);
    return left <= right && top <= bottom ? [{ left, top, right, bottom }] : [];
  });
}
