// Markers that appear, move and disappear.

import { eastward } from "../tileset/geometry.js";
import { identified } from "../tileset/marker.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {object} Shown a marker as drawn in a frame
 * @property {string} key
 * @property {Marker} marker
 * @property {number} x the place on the map; 0 to 1, or a little less or more next to the antimeridian
 * @property {number} y
 * @property {number} alpha 0 (invisible) to 1
 * @property {boolean} isLeaving whether it is disappearing */
/** @typedef {{ x: number, y: number, alpha: number }} State */
/** @typedef {{ marker: Marker, from: State, to: State }} Item */

/** Whether a drawn marker is one of the points spread around their place.
 * @param {string} key */
export const isSpread = (key) => key.startsWith("spread ");

/** Slows down towards the end.
 * @param {number} t 0 to 1 */
export const eased = (t) => 1 - (1 - t) ** 3;

/** A place near to another that may be on the other side of the antimeridian.
 * @param {State} state @param {number} x @returns {State} */
const near = (state, x) => ({ ...state, x: x + eastward(x, state.x) });

/** The places of all markers at any moment. Markers come out of the cluster that contained them, and move into the one
 * that contains them next. A leaving marker is gone when its motion ends, even if other motions have begun since. */
export class MarkerScene {
  /** @type {Map<string, Item>} */ #items = new Map();
  /** @type {Map<string, Item & { end: number }>} */ #leaving = new Map();
  #start = -Infinity;

  /** @param {{ milliseconds?: number, limit?: number }} options `limit`: with more markers than this, none move */
  constructor({ milliseconds = 300, limit = 2000 } = {}) {
    this.milliseconds = milliseconds;
    this.limit = limit;
  }

  /** Shows other markers.
   * @param {{ markers: Marker[], changes: import("./marker-changes.js").MarkerChanges }} change of a MarkerView; its
   *   `changes` are read only if markers move
   * @param {number} now in milliseconds */
  show(change, now) {
    if (!this.milliseconds || Math.max(change.markers.length, this.#items.size) > this.limit) {
      this.#leaving.clear();
      this.#start = -Infinity;
      const items = [...identified(change.markers)].map(
        ([key, marker]) => /** @type {[string, Item]} */ ([key, { marker, from: full(marker), to: full(marker) }]),
      );
      this.#items = new Map(items);
      return;
    }
    const { after, added, removed } = change.changes;
    const stateOf = (/** @type {string} */ key) => {
      const item = this.#items.get(key) ?? this.#leaving.get(key);
      return item && this.#state(item, now);
    };
    const gone = new Map(removed.map(({ key, marker }) => [`${marker.x} ${marker.y}`, key])),
      replaced = new Set();
    /** @type {Map<string, Item>} */
    const items = new Map();
    for (const [key, marker] of after) {
      const state = stateOf(key);
      items.set(key, { marker, from: near(state ?? { ...full(marker), alpha: 0 }, marker.x), to: full(marker) });
    }
    for (const { key, marker, origin } of added) {
      if (stateOf(key)) continue;
      const item = /** @type {Item} */ (items.get(key)),
        predecessor = gone.get(`${marker.x} ${marker.y}`);
      if (origin) item.from = near({ ...(stateOf(origin.key) ?? full(origin)), alpha: 1 }, marker.x);
      else if (predecessor !== undefined) {
        // Points at one place were a cluster before: markers that look the same must not blink.
        item.from = full(marker);
        replaced.add(predecessor);
      }
    }
    /** @type {Map<string, Item & { end: number }>} */
    const leaving = new Map();
    for (const [key, item] of this.#leaving) if (item.end > now && !items.has(key)) leaving.set(key, { ...item, from: this.#state(item, now) });
    for (const { key, marker, destination } of removed) {
      const from = stateOf(key);
      if (!from || replaced.has(key)) continue;
      const to = { ...near(full(destination ?? marker), from.x), alpha: 0 };
      leaving.set(key, { marker, from, to, end: now + this.milliseconds });
    }
    [this.#items, this.#leaving, this.#start] = [items, leaving, now];
  }

  /** Whether any marker moves.
   * @param {number} now */
  isMoving(now) {
    return now < this.#start + this.milliseconds;
  }

  /** The markers to draw, from bottom to top.
   * @param {number} now @returns {Shown[]} */
  frame(now) {
    for (const [key, item] of this.#leaving) if (item.end <= now) this.#leaving.delete(key);
    const shown = (/** @type {Map<string, Item>} */ items, /** @type {boolean} */ isLeaving) =>
      [...items].map(([key, item]) => ({ key, marker: item.marker, ...this.#state(item, now), isLeaving }));
    return [...shown(this.#leaving, true), ...shown(this.#items, false)];
  }

  /** @param {Item} item @param {number} now @returns {State} */
  #state({ from, to }, now) {
    if (!this.isMoving(now)) return to;
    const t = eased(Math.max((now - this.#start) / this.milliseconds, 0));
    return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t, alpha: from.alpha + (to.alpha - from.alpha) * t };
  }
}

/** @param {Marker} marker @returns {State} */
const full = ({ x, y }) => ({ x, y, alpha: 1 });
