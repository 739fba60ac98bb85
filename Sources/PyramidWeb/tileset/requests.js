// Requests to a host that may be slow, busy, or temporarily unreachable.

import { SharedWork } from "./shared-work.js";

/** A file of a tileset that is missing, damaged or unreadable. */
export class TilesetError extends Error {
  /** @param {string} url @param {string} problem @param {{ status?: number, retryable?: boolean, isStale?: boolean, waitMilliseconds?: number }} more */
  constructor(url, problem, { status, retryable = false, isStale = !retryable, waitMilliseconds } = {}) {
    super(`${url}: ${problem}`);
    this.name = "TilesetError";
    this.url = url;
    /** The HTTP status, if the host answered. */
    this.status = status;
    /** Whether repeating the request later may help. */
    this.retryable = retryable;
    /** Whether the tileset may have been rebuilt since its description was read. */
    this.isStale = isStale;
    /** The wait that the host asks for. */
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** @typedef {{ bytes: Uint8Array, headers: Headers }} Answer shared by all waiting callers: don't change it */
/** @typedef {{ signal?: AbortSignal, cache?: RequestCache, range?: { offset: number, length: number } }} ReadOptions
 * `range`: the bytes to read; the file may end earlier */

/** @typedef {object} RequestOptions
 * @property {number} [concurrency] the number of simultaneous requests (default: 12)
 * @property {number} [retryMilliseconds] the wait before a failed request is made again (default: 500); it doubles each time. After four
 *   attempts there is an error, and a view tries again by itself. Infinity: nothing is made again by itself
 * @property {number} [timeoutMilliseconds] the time limit of an attempt (default: 30,000)
 * @property {(url: string, init: RequestInit) => Promise<Response>} [fetch] replaces the browser's fetch, for headers and credentials */

const longestWaitMilliseconds = 30000;
/** How often a request is made before it fails. */
const attempts = 4;
export const defaultRetryMilliseconds = 500;
const hasNothing = (/** @type {number} */ status) => status === 204 || status === 404 || status === 410;
const isRetryable = (/** @type {number} */ status) => status >= 500 || status === 408 || status === 429;

export class Requests {
  /** @type {SharedWork<Answer | null>} */ #shared = new SharedWork();
  /** @type {RequestCache | undefined} */ #cache;
  /** @type {(() => void)[]} */ #queue = [];
  #active = 0;

  /** @param {RequestOptions} options */
  constructor({ concurrency = 12, retryMilliseconds = defaultRetryMilliseconds, timeoutMilliseconds = 30000, fetch } = {}) {
    this.concurrency = concurrency;
    this.retryMilliseconds = retryMilliseconds;
    this.timeoutMilliseconds = timeoutMilliseconds;
    this.fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** The JSON at a URL, also if the host sends gzip without a Content-Encoding; null if there is no such file, or it is
   * empty.
   * @param {string} url @param {{ signal?: AbortSignal, cache?: RequestCache }} options
   * @returns {Promise<any>} fails with a TilesetError, or with the signal's reason */
  async json(url, options = {}) {
    const answer = await this.read(url, options);
    return answer && parsed(url, await inflated(url, answer.bytes));
  }

  /** The bytes at a URL; null if the host answers 204, 404 or 410. Callers that ask for the same range of a URL at the same
   * time share one request.
   * @param {string} url @param {ReadOptions} options @returns {Promise<Answer | null>} fails with a TilesetError, or with the signal's reason */
  read(url, { signal, cache = this.#cache, range } = {}) {
    const key = range ? `${url} ${range.offset} ${range.length}` : url;
    return this.#shared.run(key, (shared) => this.#persist(url, shared, { cache, range }), signal);
  }

  /** After the tileset was rebuilt: shares no running requests any more, and revalidates the browser's cache. */
  startOver() {
    this.#shared.forget();
    this.#cache = "no-cache";
  }

  /** Repeats a request until it succeeds or another attempt is pointless.
   * @param {string} url @param {AbortSignal} signal @param {ReadOptions} options */
  async #persist(url, signal, options) {
    for (let attempt = 1; ; attempt++) {
      while (this.#active >= this.concurrency) await new Promise((resolve) => this.#queue.push(() => resolve(undefined)));
      this.#active += 1;
      let problem;
      try {
        // Its callers may have left while it waited.
        signal.throwIfAborted();
        return await this.#attempt(url, signal, options);
      } catch (error) {
        problem = error;
      } finally {
        this.#active -= 1;
        this.#queue.shift()?.();
      }
      if (signal.aborted || !(problem instanceof TilesetError) || !problem.retryable || attempt >= attempts || this.retryMilliseconds === Infinity)
        throw problem;
      // A random wait, so that clients that failed together don't all return together.
      const backoff = this.retryMilliseconds * 2 ** (attempt - 1) * (0.5 + Math.random());
      await pause(Math.min(Math.max(backoff, problem.waitMilliseconds ?? 0), longestWaitMilliseconds), signal);
    }
  }

  /** @param {string} url @param {AbortSignal} outer @param {ReadOptions} options @returns {Promise<Answer | null>} */
  async #attempt(url, outer, { cache, range }) {
    const abort = new AbortController(),
      stop = () => abort.abort(outer.reason);
    const seconds = this.timeoutMilliseconds / 1000;
    const slow = new TilesetError(url, `no answer within ${seconds} s`, { retryable: true });
    const timer = setTimeout(() => abort.abort(slow), this.timeoutMilliseconds);
    outer.addEventListener("abort", stop);
    try {
      const headers = range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
      const response = await this.fetch(url, { signal: abort.signal, ...(cache && { cache }), ...(headers && { headers }) });
      if (hasNothing(response.status)) return null;
      if (!response.ok) {
        const { status } = response,
          seconds = Number(response.headers.get("retry-after"));
        throw new TilesetError(url, `the host answers ${status}`, {
          status,
          retryable: isRetryable(status),
          waitMilliseconds: seconds > 0 ? seconds * 1000 : undefined,
        });
      }
      if (range && response.status !== 206 && !(range.offset === 0 && Number(response.headers.get("content-length") ?? Infinity) <= range.length)) {
        // Not read on, as the rest may be gigabytes.
        abort.abort();
        throw new TilesetError(
          url,
          "the host ignores Range and sends the whole file: it must answer 206 for archives, or the tileset must be a directory",
          { status: response.status },
        );
      }
      return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
    } catch (error) {
      if (outer.aborted) throw outer.reason;
      if (error instanceof TilesetError) throw error;
      if (abort.signal.aborted) throw slow;
      // fetch gives no reason.
      throw new TilesetError(url, error instanceof Error ? error.message : String(error), { retryable: true });
    } finally {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    }
  }
}

/** The bytes, inflated if they are gzip.
 * @param {string} url @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function inflated(url, bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new TilesetError(url, "its gzip is damaged");
  }
}

/** @param {string} url @param {Uint8Array} bytes without gzip @returns {any} null if there are none */
export function parsed(url, bytes) {
  if (!bytes.length) return null;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new TilesetError(url, `isn't JSON, it begins with ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** A part of the library that is loaded when it is needed.
 * @template Module
 * @param {string} url of the tileset's file @param {() => Promise<Module>} load */
export async function loaded(url, load) {
  return load().catch((error) => {
    throw new TilesetError(url, `can't be read without a part of the library: ${error.message}`, { retryable: true });
  });
}

/** @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
  });
}
