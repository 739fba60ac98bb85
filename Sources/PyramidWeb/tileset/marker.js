// Features of tiles with values that are often needed.

import { toWorld } from "./geometry.js";

/** @typedef {object} Feature a GeoJSON feature
 * @property {string} [type]
 * @property {string | number} [id]
 * @property {[number, number, number, number]} [bbox]
 * @property {{ type: string, coordinates: [longitude: number, latitude: number] }} geometry
 * @property {Record<string, any>} properties
 * @property {number} [minzoom] in bundles only
 * @property {number} [maxzoom] in bundles only
 * @property {number} [parent] in bundles only
 * @property {number} [parent_id] in bundles only */

/** @typedef {object} Marker a cluster or a point as it is shown at a zoom
 * @property {string} key identifies the marker across tiles, zooms and builds. Points without an id that are equal in
 *   everything share a key; see `identified`
 * @property {Feature} feature
 * @property {boolean} isCluster
 * @property {number} count the number of its points that match the filter, or of all its points if that is unknown
 * @property {number} total the number of its points, whatever the filter
 * @property {boolean} isExact whether `count` is known; else it is the `total`
 * @property {Marker} [whole] the cluster without the filter, if the filter hides some of its points or may do so. If one point is left,
 *   the marker is that point, at the cluster's place
 * @property {number} x the place on the map, 0 to 1 from the antimeridian to the east
 * @property {number} y 0 to 1 from the upper edge down
 * @property {number} unit the precision of the place: a step of the vector tile's grid, 0 if it is exact
 * @property {string | null} parent the key of the cluster that contains it at the next lower zoom, in bundles at the next lower
 *   one at which it isn't shown itself; null if it is shown there itself
 * @property {Marker[]} [points] the markers of a stack, points at one place that are shown as one; see `stacked`
 * @property {boolean} [isSample] whether it is no marker of the tileset, but a sample for a legend, without properties of its own */

/** @param {Feature} feature @returns {Marker} */
export function markerOf(feature) {
  const properties = (feature.properties ??= {}),
    [longitude, latitude] = feature.geometry.coordinates;
  const isCluster = properties.cluster === true;
  const [x, y] = toWorld(longitude, latitude),
    count = isCluster ? properties.point_count : 1;
  return {
    key: isCluster ? clusterKey(feature) : pointKey(feature),
    feature,
    isCluster,
    count,
    total: count,
    isExact: true,
    x,
    y,
    unit: 0,
    parent: null,
  };
}

/** Whether an id is reliable: JavaScript loses digits of numbers greater than 2^53, which other programs may write.
 * @param {unknown} id */
const isExact = (id) => id != null && (typeof id !== "number" || Math.abs(id) <= Number.MAX_SAFE_INTEGER);

/** @param {Feature} feature */
function clusterKey({ geometry, properties: { cluster_id: id, point_count: count } }) {
  return isExact(id) ? `cluster ${id}` : `cluster of ${count} at ${geometry.coordinates}`;
}

/** @param {Feature} feature */
function pointKey({ id, geometry, properties }) {
  return isExact(id) ? `point ${JSON.stringify(id)}` : `point at ${geometry.coordinates} ${JSON.stringify(properties)}`;
}

/** The box around the points that a marker stands for.
 * @param {Marker} marker @returns {import("./geometry.js").Box} */
export function boxOf({ feature }) {
  const [longitude, latitude] = feature.geometry.coordinates;
  return feature.bbox ?? [longitude, latitude, longitude, latitude];
}

/** The smallest box around others: it omits the widest gap between them. East is greater than 180 if it crosses the antimeridian.
 * @param {import("./geometry.js").Box[]} boxes at least one @returns {import("./geometry.js").Box} */
export function boxAround(boxes) {
  const sides = boxes.map(([west, , east]) => [west, east < west ? east + 360 : east]).sort((one, other) => one[0] - other[0]);
  let reach = sides[0][1],
    gap = { width: -1, from: 180, to: -180 };
  for (const [west, east] of [...sides.slice(1), [sides[0][0] + 360, 0]]) {
    if (west - reach > gap.width) gap = { width: west - reach, from: reach, to: west };
    reach = Math.max(reach, east);
  }
  const west = gap.to > 180 ? gap.to - 360 : gap.to,
    [souths, norths] = [boxes.map(([, south]) => south), boxes.map(([, , , north]) => north)];
  return [west, souths.reduce((a, b) => Math.min(a, b)), west + 360 - Math.max(gap.width, 0), norths.reduce((a, b) => Math.max(a, b))];
}

/** Markers of one zoom by their keys; equal points are numbered.
 * @param {Iterable<Marker>} markers @returns {Map<string, Marker>} in the order of the markers */
export function identified(markers) {
  const byKey = new Map(),
    repetitions = new Map();
  for (const marker of markers) {
    const repetition = repetitions.get(marker.key) ?? 0;
    repetitions.set(marker.key, repetition + 1);
    byKey.set(repetition ? `${marker.key} ${repetition}` : marker.key, marker);
  }
  return byKey;
}

/** Whether two markers are equal in all properties.
 * @param {Marker} one @param {Marker} other @returns {boolean} */
export const isSame = (one, other) =>
  one.count === other.count &&
  one.isExact === other.isExact &&
  (one.points ?? []).every((point, index) => point.key === other.points?.[index].key) &&
  (one.feature === other.feature || JSON.stringify(one.feature) === JSON.stringify(other.feature));

/** A number of points of a cluster, in the format of the cluster's own label.
 * @param {number} count @param {Marker} cluster */
export function labelOf(count, { total, feature }) {
  const label = String(feature.properties.point_count_abbreviated);
  return (label === "99+" && count < 100) || label === String(total) ? String(count) : label === "99+" ? label : abbreviated(count);
}

/** @param {number} count */
export function abbreviated(count) {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return (value < 10 ? String(Math.floor(value * 10) / 10) : String(Math.floor(value))) + unit;
}
