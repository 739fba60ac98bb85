// Which markers of a file are the members of which clusters.

import { clampedToPoles, contains, eastward, toDegrees } from "./geometry.js";
import { boxOf } from "./marker.js";

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./records.js").Record} Record */
/**
 * @typedef {object} Hierarchy the members of clusters, by index. The members of a cluster are shown from the zoom on at which it
 *   splits
 * @property {number[]} order members come before their clusters
 * @property {Int32Array} firstMember -1 if there are none
 * @property {Int32Array} nextMember of the same cluster; -1 after the last one
 * @property {Uint8Array} isComplete whether all points of a cluster are in the file
 */
/**
 * @typedef {object} Nesting how members are found if records don't state them: they are the markers of the next higher zoom
 *   that are nearer to a cluster than to other markers of its zoom
 * @property {number} lastClusteredZoom
 * @property {number} depth the depth of the cells whose points are members of the same cluster at the last clustered zoom
 * @property {import("./geometry.js").Tile} tile of the file
 */

/** Places are rounded to microdegrees: of two markers whose distances differ by less, either may be nearer. */
const roundingError = 4e-6 / 360;

/**
 * @param {Record[]} records of a file @param {string} [groupBy] the column whose values never merge
 * @param {Nesting | null} [nesting] null if the records state the clusters that they are part of, or if nothing is known
 * @returns {Hierarchy}
 */
export function hierarchyOf(records, groupBy, nesting = null) {
  const { clusterOf, doubtful } = nesting ? nearestClusters(records, groupBy, nesting) : { clusterOf: statedClusters(records), doubtful: new Set() };
  const totals = new Float64Array(records.length);
  const firstMember = new Int32Array(records.length).fill(-1), nextMember = new Int32Array(records.length).fill(-1);
  for (const [index, { marker }] of records.entries()) {
    const cluster = clusterOf[index];
    if (cluster < 0) continue;
    [nextMember[index], firstMember[cluster]] = [firstMember[cluster], index];
    totals[cluster] += marker.total;
  }
  // A cluster inside the tile has all its members in the file, so their number tells whether there are others among them.
  const isInside = nesting ? insideOf(nesting.tile) : () => true;
  const isComplete = Uint8Array.from(records, ({ marker }, index) => (
    Number(marker.isCluster && totals[index] === marker.total && !doubtful.has(index) && isInside(marker))));
  const order = [...records.keys()].sort((one, other) => records[other].minzoom - records[one].minzoom);
  return { order, firstMember, nextMember, isComplete };
}

/** @param {Record[]} records @returns {Int32Array} by record: the cluster that it is part of; -1 if that isn't in the file */
function statedClusters(records) {
  const clusters = new Map();
  for (const [index, { marker: { isCluster, feature }, maxzoom }] of records.entries()) {
    if (isCluster) clusters.set(`${feature.properties.cluster_id} ${maxzoom + 1}`, index);
  }
  return Int32Array.from(records, ({ marker, minzoom }) => clusters.get(`${marker.feature.properties.parent} ${minzoom}`) ?? -1);
}

/** @param {Record[]} records @param {string | undefined} groupBy @param {Nesting} nesting */
function nearestClusters(records, groupBy, { lastClusteredZoom, depth, tile }) {
  const clusterOf = new Int32Array(records.length).fill(-1), doubtful = new Set();
  const groups = records.map(({ marker }) => (groupBy ? JSON.stringify(marker.feature.properties[groupBy]) : ""));
  const merging = [...records.keys()].filter((index) => records[index].marker.feature.properties.unclustered !== true)
    .sort((one, other) => records[one].marker.x - records[other].marker.x);
  for (let zoom = tile.z; zoom <= lastClusteredZoom; zoom++) {
    const shown = grouped(merging.filter((index) => records[index].minzoom <= zoom && records[index].maxzoom >= zoom), (index) => groups[index]);
    const cellOf = (/** @type {number} */ index) => {
      const { x, y } = records[index].marker;
      return zoom < lastClusteredZoom ? index : `${Math.floor(x * 2 ** depth)} ${Math.floor(y * 2 ** depth)} ${groups[index]}`;
    };
    for (const members of grouped(merging.filter((index) => records[index].minzoom === zoom + 1), cellOf).values()) {
      const others = shown.get(groups[members[0]]) ?? [];
      const near = new Set(members.flatMap((index) => nearest(records[index].marker, others, records)));
      if (near.size === 1) for (const index of members) [clusterOf[index]] = near;
      else for (const cluster of near) doubtful.add(cluster);
    }
  }
  return { clusterOf, doubtful };
}

/**
 * @template Key
 * @param {number[]} indices @param {(index: number) => Key} keyOf @returns {Map<Key, number[]>}
 */
function grouped(indices, keyOf) {
  const groups = new Map();
  for (const index of indices) {
    const key = keyOf(index), group = groups.get(key);
    if (group) group.push(index); else groups.set(key, [index]);
  }
  return groups;
}

/**
 * The records that may be the nearest ones to a marker.
 * @param {Marker} marker @param {number[]} others their indices, ascending by x @param {Record[]} records
 */
function nearest({ x, y }, others, records) {
  const count = others.length;
  let start = 0, end = count;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (records[others[middle]].marker.x < x) start = middle + 1; else end = middle;
  }
  /** @type {{ index: number, distance: number }[]} */
  let found = [];
  let least = Infinity;
  // Away from the place to both sides, also over the antimeridian, until all others are farther away than the nearest.
  for (const way of [1, -1]) {
    for (let step = 0; step < count; step++) {
      const index = others[(way > 0 ? start + step : start - 1 - step + 2 * count) % count], { marker } = records[index];
      const dx = eastward(x, marker.x);
      if (Math.abs(dx) > least + roundingError || dx * way < 0) break;
      const distance = Math.hypot(dx, marker.y - y);
      if (distance > least + roundingError) continue;
      found.push({ index, distance });
      least = Math.min(least, distance);
    }
  }
  return found.filter(({ distance }) => distance <= least + roundingError).map(({ index }) => index);
}

/** @param {import("./geometry.js").Tile} tile @returns {(marker: Marker) => boolean} whether all points of a marker are in the tile */
function insideOf({ z, x, y }) {
  const [west, north] = toDegrees(x / 2 ** z, y / 2 ** z), [east, south] = toDegrees((x + 1) / 2 ** z, (y + 1) / 2 ** z);
  const box = clampedToPoles([west, south, east, north]);
  return (marker) => contains(box, boxOf(marker));
}
