// Which markers of a file are the members of which clusters.

import { clampedToPoles, contains, eastward, toDegrees } from "./geometry.js";
import { boxOf } from "./marker.js";

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./records.js").Record} Record */
/**
 * @typedef {object} Hierarchy the members of clusters, by index. The members of a cluster are shown from the zoom on at which it
 *   comes apart
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

/**
 * O(n²) for n records.
 * @param {Record[]} records @param {string | undefined} groupBy @param {Nesting} nesting
 */
function nearestClusters(records, groupBy, { lastClusteredZoom, depth, tile }) {
  const clusterOf = new Int32Array(records.length).fill(-1), doubtful = new Set(), groupOf = (/** @type {number} */ index) => (
    JSON.stringify(records[index].marker.feature.properties[groupBy ?? ""]));
  const merging = [...records.keys()].filter((index) => records[index].marker.feature.properties.unclustered !== true);
  for (let zoom = tile.z; zoom <= lastClusteredZoom; zoom++) {
    const shown = grouped(merging.filter((index) => records[index].minzoom <= zoom && records[index].maxzoom >= zoom), groupOf);
    const cellOf = (/** @type {number} */ index) => {
      const { x, y } = records[index].marker;
      return zoom < lastClusteredZoom ? index : `${Math.floor(x * 2 ** depth)} ${Math.floor(y * 2 ** depth)} ${groupOf(index)}`;
    };
    for (const members of grouped(merging.filter((index) => records[index].minzoom === zoom + 1), cellOf).values()) {
      const others = shown.get(groupOf(members[0])) ?? [];
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
 * @param {Marker} marker @param {number[]} others their indices @param {Record[]} records
 */
function nearest(marker, others, records) {
  const distances = others.map((index) => Math.hypot(eastward(marker.x, records[index].marker.x), marker.y - records[index].marker.y));
  const least = distances.reduce((least, distance) => Math.min(least, distance), Infinity);
  return others.filter((_, other) => distances[other] <= least + roundingError);
}

/** @param {import("./geometry.js").Tile} tile @returns {(marker: Marker) => boolean} whether all points of a marker are in the tile */
function insideOf({ z, x, y }) {
  const [west, north] = toDegrees(x / 2 ** z, y / 2 ** z), [east, south] = toDegrees((x + 1) / 2 ** z, (y + 1) / 2 ** z);
  const box = clampedToPoles([west, south, east, north]);
  return (marker) => contains(box, boxOf(marker));
}
