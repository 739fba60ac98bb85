// The values of a column that clusters count or are grouped by, but that can't be filtered by.

import { countsByValue } from "../markers/appearance.js";

/** @typedef {{ name: string, values: Record<string, number>, is_complete: boolean }} Counted */
/** @typedef {{ value: string | null, count: number | undefined }} PlainValue `value`: `""` is no value, null all others;
 *   `count` of points, undefined if unknown */

/** Tilesets that begin at this zoom or a lower one have all points in a few tiles. */
const overviewZoom = 2;

/** The values, with the most frequent ones first: from the TileJSON if it has them, else from the markers of the whole world, or of the first
 * view. If tiles can't be read, waits until the view is settled, and tries again.
 * @param {import("../markers/marker-map.js").MarkerMap} markers of an open tileset @param {string} column @param {AbortSignal} signal
 * @returns {Promise<PlainValue[]>} fails with the signal's reason */
export async function plainValues(markers, column, signal) {
  const tileset = /** @type {import("../tileset/tileset.js").Tileset} */ (markers.view.tileset),
    { count_by: countBy = [], point_count: total } = tileset.tileJSON;
  const counted = /** @type {Counted[]} */ (countBy).find(({ name }) => name === column),
    isOfAll = tileset.minzoom <= overviewZoom;
  let counts = new Map(Object.entries(counted?.values ?? {}));
  while (!counted && !counts.size) {
    const found = isOfAll ? await tileset.markers([-180, -90, 180, 90], tileset.minzoom, { signal }).catch(() => []) : markers.view.markers;
    signal.throwIfAborted();
    counts = countsByValue(found, column);
    if (!counts.size) await new Promise((done) => markers.addEventListener("settled", done, { once: true, signal }));
  }
  const known = [...counts.values()].reduce((sum, count) => sum + count, 0);
  // Some points are missing at the first zooms of filtered tilesets.
  const isExact = counted !== undefined || known === total;
  const sorted = [...counts].sort((one, other) => other[1] - one[1]).map(([value, count]) => ({ value, count: isExact ? count : undefined }));
  return counted?.is_complete === false ? [...sorted, { value: null, count: total === undefined ? undefined : total - known }] : sorted;
}
