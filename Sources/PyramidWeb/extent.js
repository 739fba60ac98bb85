// The box of all points, for a first view.

import { boxOf } from "./marker.js";

/**
 * The box around all points of a tileset; east is greater than 180 if they cross the antimeridian.
 * @param {import("./tileset.js").Tileset} tileset @returns {Promise<import("./geometry.js").Box>}
 */
export async function extentOf(tileset) {
  /** @type {import("./geometry.js").Box} */
  const bounds = tileset.tileJSON.bounds ?? [-180, -60, 180, 75], [west, south, east, north] = bounds;
  // TileJSON's bounds can't cross the antimeridian, but boxes of clusters can: the extent omits the widest gap between
  // them.
  if (east - west < 180 || tileset.minzoom > 1) return bounds;
  const markers = await tileset.markers([-180, -90, 180, 90], tileset.minzoom).catch(() => []);
  // A cluster without a box may reach into any gap.
  if (!markers.length || markers.some(({ isCluster, feature }) => isCluster && !feature.bbox)) return bounds;
  const unwrapped = markers.map(boxOf).map(([from, , to]) => [from, to < from ? to + 360 : to]).sort((a, b) => a[0] - b[0]);
  let reach = unwrapped[0][1], gap = { width: 0, from: 0, to: 0 };
  for (const [from, to] of [...unwrapped.slice(1), [unwrapped[0][0] + 360, 0]]) {
    if (from - reach > gap.width) gap = { width: from - reach, from: reach, to: from };
    reach = Math.max(reach, to);
  }
  // Points all around the world are shown on a map that begins at the antimeridian.
  if (gap.width <= 360 - (east - west) || gap.width < 90) return bounds;
  const shift = gap.to > 180 ? 360 : 0;
  return [gap.to - shift, south, gap.from + 360 - shift, north];
}
