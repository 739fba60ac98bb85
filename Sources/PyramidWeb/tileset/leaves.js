// The points of clusters, and points by their ids.

import { contains, eastward, toDegrees, toWorld } from "./geometry.js";
import { boxOf } from "./marker.js";
import { firstZoom, pointsInFile, remaining } from "./records.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker.js").Feature} Feature */
/** @typedef {import("./tileset.js").Tileset} Tileset */
/** @typedef {{ points: Feature[], page: number, pageCount: number, total: number, isExact: boolean }} Leaves a page of a cluster's points;
 *   `total`: on all pages; `isExact`: whether these are all points of the cluster, else the others are unknown */
/** @typedef {{ point: Feature, marker: Marker, zoom: number }} FoundPoint a point, the marker that shows it at the last zoom, and the
 *   first zoom with this marker */
/** @typedef {{ id?: string | number, lngLat: [longitude: number, latitude: number] }} PointAddress the id of a point, and its place, or one
 *   at most 16 pixels away from it at the last zoom; without an id, the nearest point is meant */
/** @typedef {(id: number, page: number, signal?: AbortSignal) => Promise<Feature[]>} PageReader reads a page of a cluster's points */

const pageLength = 100;
/** How far from the stated place a point may be, in pixels at the last zoom. */
const reachPixels = 16;

/** Finds the points of a tileset's markers. */
export class LeafReader {
  /** @type {Tileset} */ #tileset;
  /** @type {PageReader} */ #readPage;

  /** @param {Tileset} tileset @param {PageReader} readPage */
  constructor(tileset, readPage) {
    this.#tileset = tileset;
    this.#readPage = readPage;
  }

  /**
   * See `Tileset.leaves`.
   * @param {Marker} marker
   * @param {{ page?: number, signal?: AbortSignal }} options
   * @returns {Promise<Leaves>}
   */
  async read(marker, { page = 0, signal } = {}) {
    const left = remaining(marker);
    if (!left) return this.#all(marker, { page, signal });
    const { points, filter, cluster } = left;
    if (points) return pageOf(points.map(({ feature }) => feature), page);
    const { members, ...properties } = cluster.feature.properties;
    const source = members && !filter.canJudge(members) ? { ...cluster, feature: { ...cluster.feature, properties } } : cluster;
    for (; ; page++) {
      const leaves = await this.#all(source, { page, signal }), matching = leaves.points.filter((point) => filter.matches(point));
      if (!matching.length && page + 1 < leaves.pageCount) continue;
      return { ...leaves, page, points: matching, total: leaves.pageCount > 1 && marker.isExact ? marker.count : matching.length };
    }
  }

  /**
   * The same, whatever the filter.
   * @param {Marker} marker @param {{ page: number, signal?: AbortSignal }} options @returns {Promise<Leaves>}
   */
  async #all(marker, { page, signal }) {
    const points = marker.isCluster ? pointsInFile(marker) : marker.points ?? [marker];
    if (points) return pageOf(points.map(({ feature }) => feature), page);
    const { cluster_id: id, leaf_pages: pageCount, members, coincident } = marker.feature.properties;
    if (pageCount) return { points: await this.#readPage(id, page, signal), page, pageCount, total: marker.count, isExact: true };
    const known = pageOf((members ?? []).map((/** @type {any} */ member) => pointOf(member, marker.feature)), page);
    const listed = { ...known, isExact: known.total >= marker.count };
    if (listed.isExact || !coincident) return listed;
    // The tile of the last zoom has the points one by one, unless they are a cluster there, too.
    const last = await this.#lastAt(marker, signal);
    const { group_by: group } = this.#tileset.tileJSON, groupOf = (/** @type {Marker} */ { feature }) => feature.properties[group] ?? "";
    const alone = last.filter((other) => !other.isCluster && groupOf(other) === groupOf(marker));
    if (alone.length) return { ...pageOf(alone.map(({ feature }) => feature), page), isExact: alone.length >= marker.count };
    const same = last.find((other) => other.key === marker.key && other.feature !== marker.feature && other.feature.properties.leaf_pages);
    return same ? this.#all(same, { page, signal }) : listed;
  }

  /**
   * See `Tileset.find`.
   * @param {PointAddress} address @param {{ signal?: AbortSignal }} options
   * @returns {Promise<FoundPoint | null>}
   */
  async find({ id, lngLat }, { signal } = {}) {
    const tileset = this.#tileset, [x, y] = toWorld(...lngLat), reach = reachPixels / 256 / 2 ** tileset.maxzoom;
    const [west, north] = toDegrees(x - reach, y - reach), [east, south] = toDegrees(x + reach, y + reach);
    const distance = (/** @type {Marker} */ marker) => Math.hypot(eastward(x, marker.x), marker.y - y);
    const markers = await tileset.markers([west, south, east, north], tileset.maxzoom, { signal });
    for (const marker of markers.sort((one, other) => distance(one) - distance(other))) {
      for (let page = 0, pageCount = 1; page < pageCount; page++) {
        const leaves = await this.read(marker, { page, signal }), point = leaves.points.find((point) => id === undefined || String(point.id) === String(id));
        if (point) return { point, marker, zoom: firstZoom(marker) ?? tileset.maxzoom };
        ({ pageCount } = leaves);
      }
    }
    return null;
  }

  /**
   * The markers of the last zoom at a cluster's place.
   * @param {Marker} marker @param {AbortSignal} [signal] @returns {Promise<Marker[]>}
   */
  async #lastAt(marker, signal) {
    const [west, south] = boxOf(marker), place = /** @type {Box} */ ([west, south, west, south]);
    if (!marker.unit) return (await this.#tileset.markers(place, this.#tileset.maxzoom, { signal })).filter((other) => contains(place, boxOf(other)));
    // The place is as precise as the grid of the cluster's tile. A step of it may span several places of the last zoom.
    const [[left, top], [right, bottom]] = [-1, 1].map((side) => toDegrees(marker.x + side * marker.unit, marker.y + side * marker.unit));
    const near = await this.#tileset.markers([left, bottom, right, top], this.#tileset.maxzoom, { signal });
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
}

/** @param {Feature[]} points @param {number} page @returns {Leaves} */
function pageOf(points, page) {
  const pageCount = Math.ceil(points.length / pageLength);
  return { points: points.slice(page * pageLength, (page + 1) * pageLength), page, pageCount, total: points.length, isExact: true };
}

/**
 * A member as a point: an id, or an object of properties.
 * @param {any} member @param {Feature} cluster @returns {Feature}
 */
function pointOf(member, { geometry }) {
  return typeof member === "object" ? { geometry, properties: member } : { id: member, geometry, properties: {} };
}
