// The files that the host has sent, and the extent of the points.

import { boxOf } from "../../PyramidWeb/marker.js";

/** The sizes of files as sent, by URL; `null` for missing ones. */
export class SentFiles {
  sizes = new Map();

  /** The browser's fetch, which also notes the sizes. */
  fetch = async (url, init) => {
    const response = await fetch(url, init), isThere = response.ok && response.status !== 204;
    if (isThere) this.sizes.set(url, Number(response.headers.get("content-length")) || (await response.clone().arrayBuffer()).byteLength);
    else if (response.status < 500) this.sizes.set(url, null);
    return response;
  };
}

/** West, south, east and north of all points; east is greater than 180 if they cross the antimeridian. */
export async function extentOf(tileset) {
  const bounds = tileset.tileJSON.bounds ?? [-180, -60, 180, 75], [west, south, east, north] = bounds;
  // TileJSON's bounds can't cross the antimeridian, but boxes of clusters can: the extent omits the widest gap between
  // them.
  if (east - west < 180 || tileset.minzoom > 1) return bounds;
  const markers = await tileset.markers([-180, -90, 180, 90], tileset.minzoom).catch(() => []);
  const unwrapped = markers.map(boxOf).map(([from, , to]) => [from, to < from ? to + 360 : to]).sort((a, b) => a[0] - b[0]);
  if (!unwrapped.length) return bounds;
  let reach = unwrapped[0][1], gap = { width: 0 };
  for (const [from, to] of [...unwrapped.slice(1), [unwrapped[0][0] + 360, 0]]) {
    if (from - reach > gap.width) gap = { width: from - reach, from: reach, to: from };
    reach = Math.max(reach, to);
  }
  // Points all around the world are shown on a map that begins at the antimeridian.
  if (gap.width <= 360 - (east - west) || gap.width < 90) return bounds;
  const shift = gap.to > 180 ? 360 : 0;
  return [gap.to - shift, south, gap.from + 360 - shift, north];
}
