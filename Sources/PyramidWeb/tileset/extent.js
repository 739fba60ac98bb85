// The box of all points, and one for a first view.

import { boxOf } from "./marker.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */

/** Latitudes of nearly all people. A first view of the world to the South Pole would be half as large. */
const inhabited = { south: -58, north: 75 };
/** The longest wait for the markers that tell how points lie around the antimeridian. */
const longestWaitMilliseconds = 1500;
/** How many of the points may be outside the first view. */
const leftOutShare = 0.01;

/** The box of `all` points of a tileset, and of the `first` view, in which few points may be missing. East is greater than 180 if they
 * cross the antimeridian.
 * @param {import("./tileset.js").Tileset} tileset @param {{ signal?: AbortSignal }} options @returns {Promise<{ all: Box, first: Box }>} */
export async function extentsOf(tileset, { signal } = {}) {
  /** @type {Box} */
  const bounds = tileset.tileJSON.bounds ?? [-180, -60, 180, 75],
    [west, south, east, north] = bounds;
  // TileJSON's bounds can't cross the antimeridian, but boxes of clusters can: the extent omits the widest gap between
  // them.
  if (east - west < 180 || tileset.minzoom > 1) return { all: bounds, first: bounds };
  // Clusters of the first zoom are too large to tell where their points are.
  const wait = new AbortController(),
    timer = setTimeout(() => wait.abort(), longestWaitMilliseconds);
  signal?.addEventListener("abort", () => wait.abort(), { once: true });
  const markers = await tileset
    .markers([-180, -90, 180, 90], Math.min(tileset.minzoom + 1, tileset.maxzoom), { signal: wait.signal })
    .catch(() => []);
  clearTimeout(timer);
  const { south: lowest, north: highest } = inhabited,
    sum = (/** @type {Marker[]} */ some) => some.reduce((sum, { count }) => sum + count, 0);
  const outside = markers.filter(
    ({
      feature: {
        geometry: {
          coordinates: [, latitude],
        },
      },
    }) => latitude < lowest || latitude > highest,
  );
  const isWhole = sum(outside) >= leftOutShare * sum(markers),
    [top, bottom] = isWhole ? [north, south] : [Math.min(north, highest), Math.max(south, lowest)];
  const [from, to] = sidesOf(markers, bounds);
  return { all: [from, south, to, north], first: [from, bottom, to, top] };
}

/** West and east of markers all around the world.
 * @param {Marker[]} markers @param {Box} bounds @returns {[west: number, east: number]} */
function sidesOf(markers, [west, , east]) {
  // A cluster without a box may reach into any gap.
  if (!markers.length || markers.some(({ isCluster, feature }) => isCluster && !feature.bbox)) return [west, east];
  const unwrapped = markers
    .map(boxOf)
    .map(([from, , to]) => [from, to < from ? to + 360 : to])
    .sort((a, b) => a[0] - b[0]);
  let reach = unwrapped[0][1],
    gap = { width: 0, from: 0, to: 0 };
  for (const [from, to] of [...unwrapped.slice(1), [unwrapped[0][0] + 360, 0]]) {
    if (from - reach > gap.width) gap = { width: from - reach, from: reach, to: from };
    reach = Math.max(reach, to);
  }
  // Points all around the world are shown on a map that begins at the antimeridian.
  if (gap.width <= 360 - (east - west) || gap.width < 90) return [west, east];
  const shift = gap.to > 180 ? 360 : 0;
  return [gap.to - shift, gap.from + 360 - shift];
}
