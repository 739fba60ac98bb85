// The markers of a part of the map that moves.

import { MarkerChanges } from "./marker-changes.js";
import { MarkerEvent } from "./marker-event.js";
import { stacked } from "./stacks.js";
import { Tileset } from "./tileset.js";

/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./marker.js").Marker} Marker */
/**
 * @typedef {object} ViewOptions
 * @property {boolean} [stacks] whether points at one place are one marker, `true` unless given
 * @property {number} [patienceMilliseconds] for how long the markers of the zoom before stay while tiles are missing, 800 unless given
 * @property {number} [recoveryMilliseconds] the wait before what has failed is asked for again, 2000 unless given; it
 *   doubles each time, up to a minute
 */

const longestRecoveryMilliseconds = 60000;

/**
 * Follows a map: gives up requests for what went out of sight, keeps the markers of the zoom before until the new ones
 * are there, shows what there is if some tiles can't be read, and asks for those again until they can.
 *
 * Sends `MarkerEvent`s: "change" with `{ markers, changes, zoom }`, "error" with `{ error }` for every request that has
 * failed in the end, and "settled" with `{ errors }` when all is there or has failed.
 */
export class MarkerView extends EventTarget {
  /** @type {Tileset | null} */ tileset = null;
  /**
   * What is shown.
   * @type {Marker[]}
   */
  markers = [];
  /**
   * The zoom of `markers`.
   * @type {number | null}
   */
  zoom = null;
  /** Whether all that is wanted is shown. */ isSettled = false;

  /** @type {{ box: Box, zoom: number } | null} */ #wanted = null;
  /** @type {AbortController | null} */ #abort = null;
  /** @type {{ timer: ReturnType<typeof setTimeout> | undefined, failures: number }} */ #recovery = { timer: undefined, failures: 0 };
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #patience;
  #isClosed = false;
  #isOpening = false;
  #recover = () => { this.#update(); };

  /**
   * @param {string | URL | Tileset} source a URL is opened, and tried again if that fails
   * @param {import("./tileset.js").TilesetOptions & ViewOptions} [options]
   */
  constructor(source, options = {}) {
    super();
    this.options = options;
    this.source = source;
    if (source instanceof Tileset) this.tileset = source;
    else this.#update();
    globalThis.addEventListener?.("online", this.#recover);
  }

  /**
   * Shows another part of the map, as soon as its markers are there.
   * @param {Box} box what is in sight, and a margin for markers that reach into it
   * @param {number} zoom of the tileset, see `Tileset.markers`
   */
  move(box, zoom) {
    const last = this.#wanted;
    if (this.#isClosed || (last && last.zoom === zoom && String(last.box) === String(box))) return;
    this.#wanted = { box, zoom };
    this.#recovery.failures = 0;
    this.#update();
  }

  /** Reads everything again, for tilesets that were built anew. */
  async refresh() {
    await this.tileset?.refresh();
    this.#update();
  }

  close() {
    this.#isClosed = true;
    this.#stop();
    globalThis.removeEventListener?.("online", this.#recover);
  }

  #stop() {
    this.#abort?.abort();
    clearTimeout(this.#patience);
    clearTimeout(this.#recovery.timer);
  }

  async #update() {
    if (this.#isClosed) return;
    clearTimeout(this.#patience);
    clearTimeout(this.#recovery.timer);
    if (!this.tileset) return this.#open();
    if (!this.#wanted) return;
    const { box, zoom } = this.#wanted, abort = new AbortController(), earlier = this.#abort;
    this.#abort = abort;
    this.isSettled = false;
    let loading;
    try {
      // What both want goes on: the earlier one is given up after this one has asked.
      loading = this.tileset.load(box, zoom, { signal: abort.signal, onTile: () => onTile() });
    } catch (error) {
      return this.#fail([error]);
    } finally {
      earlier?.abort();
    }
    const { markers, finished, zoom: z } = loading;
    let isPatient = this.zoom !== null && z !== this.zoom;
    let isDue = false;
    const onTile = () => {
      if (isPatient || isDue || this.#abort !== abort) return;
      isDue = true;
      this.#patience = setTimeout(() => { isDue = false; this.#show(markers(), z); }, 50);
    };
    if (loading.isWhole) this.#show(markers(), z);
    else if (isPatient) this.#patience = setTimeout(() => { isPatient = false; this.#show(markers(), z); }, this.options.patienceMilliseconds ?? 800);
    try {
      const errors = await finished;
      if (this.#abort !== abort || this.#isClosed) return;
      clearTimeout(this.#patience);
      this.#show(markers(), z);
      this.#fail(errors);
    } catch (error) {
      if (!abort.signal.aborted) this.#fail([error]);
    }
  }

  async #open() {
    if (this.#isOpening || this.source instanceof Tileset) return;
    this.#isOpening = true;
    try {
      this.tileset = await Tileset.open(this.source, this.options);
      this.#recovery.failures = 0;
    } catch (error) {
      return this.#fail([error]);
    } finally {
      this.#isOpening = false;
    }
    this.dispatchEvent(new MarkerEvent("open", { tileset: this.tileset }));
    this.#update();
  }

  /**
   * Tells what has failed, and asks for it again after a while.
   * @param {unknown[]} errors
   */
  #fail(errors) {
    if (this.#isClosed) return;
    this.isSettled = !errors.length;
    for (const error of errors) this.dispatchEvent(new MarkerEvent("error", { error }));
    this.dispatchEvent(new MarkerEvent("settled", { errors }));
    if (!errors.length) return void (this.#recovery.failures = 0);
    const wait = (this.options.recoveryMilliseconds ?? 2000) * 2 ** this.#recovery.failures++ * (0.75 + Math.random() / 2);
    clearTimeout(this.#recovery.timer);
    this.#recovery.timer = setTimeout(this.#recover, Math.min(wait, longestRecoveryMilliseconds));
  }

  /** @param {Marker[]} all @param {number} zoom */
  #show(all, zoom) {
    if (this.#isClosed) return;
    const before = this.markers, markers = this.options.stacks === false ? all : stacked(all);
    const isAsBefore = zoom === this.zoom && before.length === markers.length
      && markers.every(({ feature, key }, index) => feature === before[index].feature && key === before[index].key);
    if (isAsBefore) return;
    const isZoom = this.zoom !== null && zoom !== this.zoom;
    [this.markers, this.zoom] = [markers, zoom];
    let changes = /** @type {MarkerChanges | null} */ (null);
    this.dispatchEvent(new MarkerEvent("change", {
      markers, zoom, isZoom,
      /** Worked out when it is asked for. */
      get changes() { return (changes ??= new MarkerChanges(before, markers)); },
    }));
  }
}
