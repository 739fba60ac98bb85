import { contains, eastward } from "../tileset/geometry.js";
import { boxOf, identified, isSame } from "../tileset/marker.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {{ key: string, marker: Marker, origin: Marker | null }} Addition a marker that wasn't shown before, and the
 *   previously shown cluster that contained it */
/** @typedef {{ key: string, marker: Marker, destination: Marker | null }} Removal a marker that isn't shown any more, and
 *   the shown cluster that contains it now */
/** @typedef {{ before: Marker, after: Marker }} Change the same marker before and after */

/** The changes between the markers of a map before and after a zoom or a pan: which to add, remove and move, and the
 * places to animate them from and to. The counterpart in Swift is `MarkerChanges` of PyramidClient.
 *
 * The cluster of a marker is exact between neighbouring zooms. Otherwise it is a guess, good enough for an animation:
 * the nearest cluster with more points whose box contains the marker. */
export class MarkerChanges {
  /** In the order of the new markers.
   * @type {Addition[]} */
  added = [];
  /** In the order of the old markers.
   * @type {Removal[]} */
  removed = [];
  /** Same key, other place.
   * @type {Change[]} */
  moved = [];
  /** Same key and place, other count or properties.
   * @type {Change[]} */
  updated = [];
  /** Shown before and after.
   * @type {Marker[]} */
  unchanged = [];

  /** O(n + m × c) for n markers, of which m are added or removed, and c clusters.
   * @param {Iterable<Marker>} old of one zoom @param {Iterable<Marker>} markers of one zoom
   * @param {{ isOneZoom?: boolean }} options whether both are of the same zoom, where no cluster contains another marker */
  constructor(old, markers, { isOneZoom = false } = {}) {
    const before = (this.before = identified(old)),
      after = (this.after = identified(markers));
    const oldClusters = isOneZoom ? [] : [...before.values()].filter(({ isCluster }) => isCluster);
    const newClusters = isOneZoom ? [] : [...after.values()].filter(({ isCluster }) => isCluster);
    const around = (/** @type {Marker} */ marker, /** @type {Map<string, Marker>} */ others, /** @type {Marker[]} */ clusters) =>
      isOneZoom ? null : clusterAround(marker, others, clusters);
    for (const [key, marker] of after) {
      const earlier = before.get(key);
      if (!earlier) this.added.push({ key, marker, origin: around(marker, before, oldClusters) });
      else if (isSame(earlier, marker)) this.unchanged.push(marker);
      else if (earlier.x === marker.x && earlier.y === marker.y) this.updated.push({ before: earlier, after: marker });
      else this.moved.push({ before: earlier, after: marker });
    }
    for (const [key, marker] of before) {
      if (!after.has(key)) this.removed.push({ key, marker, destination: around(marker, after, newClusters) });
    }
  }
}

/** How far around a cluster without a box its points may be, in steps of a vector tile's grid: a fifth of a tile. */
const reachSteps = 1600;

/** The cluster of another zoom that contains a marker; `null` if there is none.
 * @param {Marker} marker @param {Map<string, Marker>} byKey @param {Marker[]} clusters */
function clusterAround(marker, byKey, clusters) {
  const parent = marker.parent === null ? undefined : byKey.get(marker.parent);
  // Under a filter, a cluster and the one that contains it can have the same points.
  if (parent && parent.total > marker.total) return parent;
  const box = boxOf(marker);
  let nearest = null,
    least = Infinity;
  for (const cluster of clusters) {
    if (cluster.total <= marker.total) continue;
    const dx = eastward(cluster.x, marker.x),
      dy = cluster.y - marker.y,
      distance = dx * dx + dy * dy;
    const isAround = cluster.feature.bbox || !cluster.unit ? contains(boxOf(cluster), box) : distance < (reachSteps * cluster.unit) ** 2;
    if (distance < least && isAround) [nearest, least] = [cluster, distance];
  }
  return nearest;
}
