// The box of all points.

import { boxAround, boxOf } from "./marker.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */

/** The longest wait for the markers that tell how points lie around the antimeridian. */
const longestWaitMilliseconds = 1500;

/** The box of all points of a tileset. East is greater than 180 if they cross the antimeridian.
 * @param {import("./tileset.js").Tileset} tileset @param {{ signal?: AbortSignal }} options @returns {Promise<Box>} */
export async function extentOf(tileset, { signal } = {}) {
  /** @type {Box} */
  const bounds = tileset.tileJSON.bounds ?? [-180, -60, 180, 75],
    [west, south, east, north] = bounds;
  // TileJSON's bounds can't cross the antimeridian, but boxes of clusters can: the extent omits the widest gap between
  // them.
  if (east - west < 180 || tileset.minzoom > 1) return bounds;
  // Clusters of the first zoom are too large to tell where their points are.
  const wait = new AbortController(),
    timer = setTimeout(() => wait.abort(), longestWaitMilliseconds);
  signal?.addEventListener("abort", () => wait.abort(), { once: true });
  const markers = await tileset
    .markers([-180, -90, 180, 90], Math.min(tileset.minzoom + 1, tileset.maxzoom), { signal: wait.signal })
    .catch(() => []);
  clearTimeout(timer);
  const [from, to] = sidesOf(markers, bounds);
  return [from, south, to, north];
}

/** West and east of markers all around the world.
 * @param {Marker[]} markers @param {Box} bounds @returns {[west: number, east: number]} */
function sidesOf(markers, [west, , east]) {
  // A cluster without a box may reach into any gap.
  if (!markers.length || markers.some(({ isCluster, feature }) => isCluster && !feature.bbox)) return [west, east];
  // Points all around the world are shown on a map that begins at the antimeridian.
  const [from, , to] = boxAround(markers.map(boxOf)),
    gap = 360 - (to - from);
  return gap <= 360 - (east - west) || gap < 90 ? [west, east] : [from, to];
}
