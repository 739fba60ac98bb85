// The markers of a moving map view.

import { MarkerChanges } from "./marker-changes.js";
import { defaultRetryMilliseconds } from "../tileset/requests.js";
import { stacked } from "./stacks.js";
import { Tileset } from "../tileset/tileset.js";

/** @typedef {import("../tileset/geometry.js").Box} Box */
/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("../tileset/filter.js").FilterInput} FilterInput */
/** @typedef {object} ViewOptions
 * @property {boolean} [stacks] whether points at one place are one marker (default: true)
 * @property {number} [patienceMilliseconds] how long all markers of the previous zoom stay while tiles are missing (default: 800);
 *   then they stay where tiles are missing */
/** @typedef {Error & { url?: string, status?: number, retryable?: boolean }} Failure mostly a `TilesetError` */
/** @typedef {object} Change
 * @property {Marker[]} markers the markers to show now
 * @property {number} zoom of the markers
 * @property {boolean} isZoom whether the zoom has changed
 * @property {MarkerChanges} changes from the previous markers; computed when first read */
/** @typedef {object} ViewEvents the details of a view's events
 * @property {{ tileset: Tileset }} open the tileset is open
 * @property {Change} change other markers are shown
 * @property {{ filter: FilterInput }} filter another filter is set
 * @property {{ isLoading: boolean, pending: number }} loading requests have started or ended; `pending` is how many are running
 * @property {{ error: Failure }} error all attempts to read a file have failed; `preventDefault()` to keep it off the console
 * @property {{ errors: Failure[] }} settled all requests are done or have failed; on a map, what they brought is drawn */
/** An EventTarget with typed listeners; `Details` has the `detail` of each type of event.
 * @template Details
 * @typedef {{
 *   addEventListener<Type extends keyof Details>(type: Type, listener: Listener<Details[Type]> | null, options?: boolean | AddEventListenerOptions): void,
 *   removeEventListener<Type extends keyof Details>(type: Type, listener: Listener<Details[Type]> | null, options?: boolean | EventListenerOptions): void,
 *   dispatchEvent(event: Event): boolean,
 * }} TypedTarget */
/** @template Detail
 * @typedef {((event: CustomEvent<Detail>) => void) | { handleEvent(event: CustomEvent<Detail>): void }} Listener */

const longestRecoveryMilliseconds = 60000;
/** The wait of a view before it makes failed requests again, in waits for a second attempt; it doubles each time. */
const recoveryWaits = 4;
/** Hosts that fail are left alone for a while, also with `retryMilliseconds: 0`. */
const leastRetryMilliseconds = 25;
/** The margin in pixels that maps show around the visible box: its markers reach into the box, and short pans need no requests. */
export const marginPixels = 60;

/** A filter's lists and ranges as plain values, which the page may change later. Proxies, as Vue makes them, can't be cloned.
 * @param {any} value @returns {any} */
const copied = (value) =>
  Array.isArray(value)
    ? value.map(copied)
    : value && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]))
      : value;

/** The markers of a moving map: aborts off-screen requests, keeps earlier markers until new ones are loaded, shows
 * the remaining markers if some tiles can't be read, and repeats failed requests if that can help.
 *
 * Sends `ViewEvents`. */
export class MarkerView extends /** @type {new () => TypedTarget<ViewEvents>} */ (EventTarget) {
  /** @type {Tileset | null} */ tileset = null;
  /** The shown markers.
   * @type {Marker[]} */
  markers = [];
  /** The zoom of `markers`.
   * @type {number | null} */
  zoom = null;
  /** Whether all markers of the view are shown. */ isSettled = false;
  /** The number of requested files that are still loading. */ pending = 0;

  /** @type {{ box: Box, zoom: number } | null} */ #wanted = null;
  /** @type {FilterInput} */ #filter = null;
  /** @type {ReturnType<Tileset["load"]> | null} what is shown, of which another filter needs no requests */ #loaded = null;
  /** How many of the markers are of the view's zoom. The others come last. */ #freshCount = 0;
  /** Whether there are others, of an earlier zoom. */ #isMixed = false;
  /** @type {AbortController | null} */ #abort = null;
  /** @type {{ timer: ReturnType<typeof setTimeout> | undefined, failures: number }} */ #recovery = { timer: undefined, failures: 0 };
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #patience;
  /** Aborted when the view is closed. */ #life = new AbortController();
  #isPaused = false;
  /** @type {AbortController | null} */ #opening = null;
  /** The errors reported so far, so that each file's error is reported once. */ #told = new WeakSet();
  /** The URLs of files on the console. */ #logged = new Set();
  /** @type {() => void} */ #online;

  /** @param {string | URL | Tileset} source a URL is opened, again and again if that fails
   * @param {import("../tileset/tileset.js").TilesetOptions & ViewOptions} [options] */
  constructor(source, options = {}) {
    super();
    this.options = options;
    this.source = source;
    this.#online = retryingListener(new WeakRef(this));
    globalThis.addEventListener?.("online", this.#online);
    if (source instanceof Tileset) {
      this.tileset = source;
      queueMicrotask(() => this.#opened(source));
    } else {
      this.#update();
    }
  }

  /** Shows another part of the map, as soon as its markers are loaded.
   * @param {Box} box the visible box, with a margin for markers that reach into it @param {number} zoom of the tileset, see `Tileset.markers` */
  move(box, zoom) {
    const last = this.#wanted;
    if (this.#isClosed || (last && last.zoom === zoom && String(last.box) === String(box))) return;
    this.#wanted = { box, zoom };
    this.#recovery.failures = 0;
    this.#update();
  }

  /** Shows the points that match a filter. Makes no requests.
   * @param {FilterInput} filter null for all. Throws a TypeError or RangeError if the tileset can't be filtered this way; before it is
   *   open, it sends an `error` event instead */
  filter(filter) {
    // The same function may choose other points than before.
    const copy = typeof filter === "function" ? (/** @type {import("../tileset/marker.js").Feature} */ point) => filter(point) : copied(filter);
    this.tileset?.checked(copy);
    this.#filter = copy;
    if (this.#loaded) this.#show(this.#loaded, { isFiltered: true });
    this.#send("filter", { filter: copy });
  }

  /** The filter that is set; null if there is none. */
  get currentFilter() {
    return this.#filter;
  }
  /** The columns to filter by. Empty until the tileset is open. */
  get facets() {
    return this.tileset?.facets ?? [];
  }

  /** The number of points with each value of a column to filter by, also among the markers of the view.
   * @param {string} column @param {Marker[]} [markers] of the view that are in the window (default: all of the box, with its margin)
   * @returns {ReturnType<Tileset["counts"]>} empty until the tileset is open */
  counts(column, markers = this.current) {
    return this.tileset?.counts(column, { filter: this.#filter, markers }) ?? new Map();
  }

  /** The markers without those that stay from an earlier zoom or build while files are missing. */
  get current() {
    return this.markers.slice(0, this.#freshCount);
  }

  /** The number of points that match the filter, and of all points in the tileset; undefined if unknown. */
  get matching() {
    return this.tileset?.matching(this.#filter) ?? {};
  }

  /** The tileset, as soon as it is open.
   * @param {{ signal?: AbortSignal }} options @returns {Promise<Tileset>} fails with the signal's reason */
  async opened({ signal } = {}) {
    for (const end of [signal, this.#life.signal]) end?.throwIfAborted();
    if (this.tileset) return this.tileset;
    return new Promise((resolve, reject) => {
      this.addEventListener("open", ({ detail }) => resolve(detail.tileset), { once: true, signal });
      for (const end of [signal, this.#life.signal]) end?.addEventListener("abort", () => reject(end.reason), { once: true });
    });
  }

  /** Repeats all failed requests now. This also happens when the browser is online again. */
  retry() {
    this.tileset?.forgetFailures();
    this.#told = new WeakSet();
    this.#update();
  }

  /** Reads everything again, after the tileset was rebuilt. */
  async refresh() {
    if (this.#isClosed) return;
    try {
      await this.tileset?.refresh({ signal: this.#life.signal });
    } catch (error) {
      if (!this.#isClosed) throw error;
    } finally {
      this.#update();
    }
  }

  /** Makes no requests until `resume`, for a map that isn't shown. */
  pause() {
    this.#isPaused = true;
    this.#stop();
    this.#opening?.abort();
  }

  resume() {
    this.#isPaused = false;
    this.#update();
  }

  /** Ends the view: it makes no more requests and sends no more events. */
  close() {
    this.#stop();
    this.#opening?.abort();
    this.#life.abort();
    globalThis.removeEventListener?.("online", this.#online);
  }

  /** Whether requested files are still loading. */
  get isLoading() {
    return this.pending > 0;
  }

  get #isClosed() {
    return this.#life.signal.aborted;
  }

  /** @template {keyof ViewEvents} Type
   * @param {Type} type @param {ViewEvents[Type]} detail @param {EventInit} [init]
   * @returns {boolean} false if a listener has called `preventDefault()`, or the view is closed */
  #send(type, detail, init) {
    return !this.#isClosed && this.dispatchEvent(new CustomEvent(type, { ...init, detail }));
  }

  /** Sends `error` events. What no listener handles by `preventDefault()` is on the console, each file once.
   * @param {any[]} errors */
  report(errors) {
    const fresh = errors.filter((error) => !this.#told.has(error));
    for (const error of fresh) this.#told.add(error);
    const unhandled = fresh.filter((error) => this.#send("error", { error }, { cancelable: true })),
      sourceOf = ({ url = "", message = "" }) => url || message;
    const [first, ...others] = unhandled.filter((error) => !this.#logged.has(sourceOf(error)));
    for (const error of unhandled) this.#logged.add(sourceOf(error));
    if (first) console.error(first, ...(others.length ? [`and ${others.length} more`] : []));
  }

  /** @param {number} pending */
  #setPending(pending) {
    if (pending === this.pending) return;
    this.pending = pending;
    this.#send("loading", { isLoading: pending > 0, pending });
  }

  #stop() {
    this.#abort?.abort();
    this.#setPending(0);
    clearTimeout(this.#patience);
    clearTimeout(this.#recovery.timer);
  }

  async #update() {
    if (this.#isClosed || this.#isPaused) return;
    clearTimeout(this.#patience);
    clearTimeout(this.#recovery.timer);
    if (!this.tileset) return this.#open();
    if (!this.#wanted) return;
    const { box, zoom } = this.#wanted,
      abort = new AbortController(),
      earlier = this.#abort;
    this.#abort = abort;
    this.isSettled = false;
    /** @type {ReturnType<Tileset["load"]>} */
    let loading;
    try {
      this.tileset.checked(this.#filter);
      // Requests that both loads need continue: the earlier load is aborted after this one has joined them.
      loading = this.tileset.load(box, zoom, { signal: abort.signal, onTile: () => onTile() });
    } catch (error) {
      return this.#fail([error]);
    } finally {
      earlier?.abort();
    }
    const { finished } = loading,
      show = () => this.#show(loading);
    let isPatient = this.zoom !== null && loading.zoom !== this.zoom;
    let isDue = false;
    const onTile = () => {
      if (this.#abort === abort) this.#setPending(loading.pending);
      if (isPatient || isDue || this.#abort !== abort) return;
      isDue = true;
      this.#patience = setTimeout(() => {
        isDue = false;
        show();
      }, 50);
    };
    this.#setPending(loading.pending);
    if (loading.isWhole) show();
    else if (isPatient)
      this.#patience = setTimeout(() => {
        isPatient = false;
        show();
      }, this.options.patienceMilliseconds ?? 800);
    try {
      const errors = await finished;
      if (this.#abort !== abort || this.#isClosed) return;
      clearTimeout(this.#patience);
      show();
      this.#fail(errors);
    } catch (error) {
      if (!abort.signal.aborted) this.#fail([error]);
    }
  }

  async #open() {
    if (this.#opening || this.source instanceof Tileset) return;
    const { signal } = (this.#opening = new AbortController());
    const done = () => {
      this.#opening = null;
      this.#setPending(0);
    };
    this.#setPending(1);
    return Tileset.open(this.source, { ...this.options, signal })
      .finally(done)
      .then(
        (tileset) => this.#opened(tileset),
        (error) => {
          if (!signal.aborted) this.#fail([error]);
          else if (!this.#isPaused) this.#update();
        },
      );
  }

  /** @param {Tileset} tileset */
  #opened(tileset) {
    if (this.#isClosed) return;
    this.tileset = tileset;
    this.#recovery.failures = 0;
    this.#send("open", { tileset });
    this.#update();
  }

  /** Reports errors, and repeats the requests later that may succeed then.
   * @param {any[]} errors */
  #fail(errors) {
    this.isSettled = !errors.length;
    this.#setPending(0);
    this.report(errors);
    this.#send("settled", { errors });
    if (!errors.length) this.#recovery.failures = 0;
    if (this.#isClosed || this.#isPaused || !errors.some((error) => error.retryable)) return;
    const { retryMilliseconds = defaultRetryMilliseconds } = this.options;
    if (retryMilliseconds === Infinity) return;
    const wait = recoveryWaits * Math.max(retryMilliseconds, leastRetryMilliseconds) * 2 ** this.#recovery.failures++ * (0.75 + Math.random() / 2);
    clearTimeout(this.#recovery.timer);
    // The timer must not keep the view alive, see `retryingListener`.
    const reference = new WeakRef(this);
    this.#recovery.timer = setTimeout(
      () => {
        const view = reference.deref();
        if (view) view.#update();
      },
      Math.min(wait, longestRecoveryMilliseconds),
    );
  }

  /** @param {ReturnType<Tileset["load"]>} loading @param {{ isFiltered?: boolean }} options */
  #show(loading, { isFiltered = false } = {}) {
    if (this.#isClosed) return;
    this.#loaded = loading;
    const { zoom } = loading,
      all = loading.markers(this.#filter),
      before = this.markers;
    const markers = this.options.stacks === false ? all : stacked(all),
      keys = new Set(markers.map(({ key }) => key));
    // They were read with the earlier filter.
    const stale = isFiltered ? [] : before.filter((marker) => loading.awaits(marker) && !keys.has(marker.key));
    this.#freshCount = markers.length;
    markers.push(...stale);
    const isAsBefore =
      !isFiltered &&
      zoom === this.zoom &&
      before.length === markers.length &&
      markers.every(({ feature, key }, index) => feature === before[index].feature && key === before[index].key);
    if (isAsBefore) return;
    const isZoom = this.zoom !== null && zoom !== this.zoom,
      isOneZoom = zoom === this.zoom && !this.#isMixed;
    [this.markers, this.zoom, this.#isMixed] = [markers, zoom, stale.length > 0 && !isOneZoom];
    let changes = /** @type {MarkerChanges | null} */ (null);
    this.#send("change", {
      markers,
      zoom,
      isZoom,
      /** Computed when first read. */
      get changes() {
        return (changes ??= new MarkerChanges(before, markers, { isOneZoom }));
      },
    });
  }
}

/** A listener that doesn't keep the view and its tiles alive after the map is gone. It is outside the class, because a
 * closure in the class would hold the view.
 * @param {WeakRef<MarkerView>} reference */
function retryingListener(reference) {
  const listener = () => {
    const view = reference.deref();
    if (view) view.retry();
    else globalThis.removeEventListener?.("online", listener);
  };
  return listener;
}
