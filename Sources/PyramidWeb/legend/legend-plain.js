// The values of a column that clusters count or are grouped by, but that can't be filtered by.

import { countsByValue } from "../markers/appearance.js";

/** @typedef {import("../markers/marker-map.js").MarkerMap} MarkerMap */
/** @typedef {{ name: string, values: Record<string, number>, is_complete: boolean }} Counted */
/** @typedef {{ value: string | null, count: number | undefined }} PlainValue `value`: `""` is no value, null all others;
 *   `count` of points, undefined if unknown */

/** Tilesets that begin at this zoom or a lower one have all points in a few tiles. */
const overviewZoom = 2;

/** Finds the values, from the TileJSON if it has them, else from the markers of the whole world, or of the first view. */
export class PlainValues {
  #markers;
  #column;
  #found;
  #end = new AbortController();

  /**
   * @param {MarkerMap} markers of an open tileset @param {string} column
   * @param {(values: PlainValue[]) => void} found called once, with the most frequent values first
   */
  constructor(markers, column, found) {
    this.#markers = markers;
    this.#column = column;
    this.#found = found;
    const countBy = /** @type {Counted[]} */ (this.#tileset.tileJSON.count_by ?? []), counted = countBy.find(({ name }) => name === column);
    if (counted) this.#tell(new Map(Object.entries(counted.values)), counted.is_complete);
    else this.#read();
  }

  close() { this.#end.abort(); }

  get #tileset() { return /** @type {import("../tileset/tileset.js").Tileset} */ (this.#markers.view.tileset); }

  /**
   * If tiles can't be read, the next settled view tries again.
   * @returns {Promise<void>}
   */
  async #read() {
    const { signal } = this.#end, isOfAll = this.#tileset.minzoom <= overviewZoom;
    const markers = isOfAll ? await this.#tileset.markers([-180, -90, 180, 90], this.#tileset.minzoom, { signal }).catch(() => []) : this.#markers.view.markers;
    if (signal.aborted) return;
    if (!markers.length) {
      this.#markers.addEventListener("settled", () => { this.#read(); }, { once: true, signal });
      return;
    }
    const counts = countsByValue(markers, this.#column), count = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // Some points are missing at the first zooms of filtered tilesets.
    this.#tell(counts, true, count === this.#tileset.tileJSON.point_count);
  }

  /**
   * @param {Map<string, number>} counts @param {boolean} isComplete whether there are no other values
   * @param {boolean} [isExact] whether the counts are those of all points
   */
  #tell(counts, isComplete, isExact = true) {
    const sorted = [...counts].sort((one, other) => other[1] - one[1]).map(([value, count]) => ({ value, count: isExact ? count : undefined }));
    const total = this.#tileset.tileJSON.point_count, known = [...counts.values()].reduce((sum, count) => sum + count, 0);
    this.#found([...sorted, ...(isComplete ? [] : [{ value: null, count: total === undefined ? undefined : total - known }])]);
  }
}
