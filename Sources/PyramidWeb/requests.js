// JSON from a host that may be slow, busy, or gone for a while.

/** What is wrong with a file of a tileset. */
export class TilesetError extends Error {
  /** @param {string} url @param {string} problem @param {{ status?: number, isPassing?: boolean, waitMilliseconds?: number }} more */
  constructor(url, problem, { status, isPassing = false, waitMilliseconds } = {}) {
    super(`${url}: ${problem}`);
    this.name = "TilesetError";
    this.url = url;
    /** Of HTTP, if the host answered. */
    this.status = status;
    /** Whether the next attempt may go well. */
    this.isPassing = isPassing;
    /** For how long the host asks to be left alone. */
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** @typedef {{ json: any, byteCount: number }} Answer the JSON, null where there is none, and its length */
/** @typedef {{ signal?: AbortSignal, cache?: RequestCache, range?: { offset: number, length: number } }} ReadOptions
 * `range`: the bytes that are wanted; the file may end before */

/**
 * @typedef {object} RequestOptions
 * @property {number} [concurrency] requests at a time, 12 unless given
 * @property {number} [attempts] how often a request is made before it has failed, 4 unless given
 * @property {number} [retryMilliseconds] the wait before the second attempt, 500 unless given; it doubles from one to the next
 * @property {number} [timeoutMilliseconds] of one attempt, 30,000 unless given
 * @property {(url: string, init: RequestInit) => Promise<Response>} [fetch] instead of the browser's, for headers and credentials
 */

const longestWaitMilliseconds = 30000;
const hasNothing = (/** @type {number} */ status) => status === 204 || status === 404 || status === 410;
const isPassing = (/** @type {number} */ status) => status >= 500 || status === 408 || status === 429;

export class Requests {
  /** @type {Map<string, { answer: Promise<any>, abort: AbortController, waiting: number }>} */ #shared = new Map();
  /** @type {(() => void)[]} */ #queue = [];
  #active = 0;

  /** @param {RequestOptions} options */
  constructor({ concurrency = 12, attempts = 4, retryMilliseconds = 500, timeoutMilliseconds = 30000, fetch } = {}) {
    this.concurrency = concurrency;
    this.attempts = attempts;
    this.retryMilliseconds = retryMilliseconds;
    this.timeoutMilliseconds = timeoutMilliseconds;
    this.fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /**
   * The JSON at a URL, also if the host sends it as gzip without saying so; null if the host answers 204, 404, 410 or
   * nothing.
   * @param {string} url
   * @param {{ signal?: AbortSignal, cache?: RequestCache }} options
   * @returns {Promise<Answer>} fails with a TilesetError, or with the signal's reason
   */
  async json(url, options = {}) {
    const decode = async (/** @type {Uint8Array} */ bytes) => parsed(url, await inflated(url, bytes));
    return (await this.read(url, decode, options)) ?? { json: null, byteCount: 0 };
  }

  /**
   * What `decode` makes of the bytes at a URL; null if the host answers 204, 404 or 410. Requests of one URL and range at a
   * time are made once, and given up when nobody waits for them any more.
   * @template Value
   * @param {string} url
   * @param {(bytes: Uint8Array, response: Response) => Promise<Value>} decode
   * @param {ReadOptions} options
   * @returns {Promise<Value | null>} fails with a TilesetError, or with the signal's reason
   */
  async read(url, decode, { signal, cache, range } = {}) {
    signal?.throwIfAborted();
    const name = range ? `${url} ${range.offset} ${range.length}` : url;
    const shared = this.#shared.get(name) ?? this.#start(name, url, decode, { cache, range });
    shared.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal?.reason);
        shared.waiting -= 1;
        if (shared.waiting) return;
        if (this.#shared.get(name) === shared) this.#shared.delete(name);
        shared.abort.abort(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      const finish = () => signal?.removeEventListener("abort", leave);
      shared.answer.then((answer) => { finish(); resolve(answer); }, (error) => { finish(); reject(error); });
    });
  }

  /**
   * @param {string} name @param {string} url @param {(bytes: Uint8Array, response: Response) => Promise<any>} decode
   * @param {ReadOptions} options
   */
  #start(name, url, decode, options) {
    const abort = new AbortController();
    const shared = { abort, waiting: 0, answer: this.#persist(url, abort.signal, decode, options) };
    this.#shared.set(name, shared);
    const forget = () => { if (this.#shared.get(name) === shared) this.#shared.delete(name); };
    shared.answer.then(forget, forget);
    return shared;
  }

  /**
   * Tries until it goes well or must be given up.
   * @param {string} url @param {AbortSignal} signal @param {(bytes: Uint8Array, response: Response) => Promise<any>} decode
   * @param {ReadOptions} options
   */
  async #persist(url, signal, decode, options) {
    for (let attempt = 1; ; attempt++) {
      await this.#turn(signal);
      let problem;
      try {
        return await this.#attempt(url, signal, decode, options);
      } catch (error) {
        problem = error;
      } finally {
        this.#active -= 1;
        this.#queue.shift()?.();
      }
      if (signal.aborted || !(problem instanceof TilesetError) || !problem.isPassing || attempt >= this.attempts) throw problem;
      // Clients that failed together must not come back together.
      const backoff = this.retryMilliseconds * 2 ** (attempt - 1) * (0.5 + Math.random());
      await pause(Math.min(Math.max(backoff, problem.waitMilliseconds ?? 0), longestWaitMilliseconds), signal);
    }
  }

  /**
   * Waits until a request may be made.
   * @param {AbortSignal} signal
   */
  async #turn(signal) {
    while (this.#active >= this.concurrency) {
      await new Promise((resolve) => this.#queue.push(() => resolve(undefined)));
      if (signal.aborted) {
        this.#queue.shift()?.();
        throw signal.reason;
      }
    }
    this.#active += 1;
  }

  /**
   * @param {string} url @param {AbortSignal} outer @param {(bytes: Uint8Array, response: Response) => Promise<any>} decode
   * @param {ReadOptions} options
   */
  async #attempt(url, outer, decode, { cache, range }) {
    const abort = new AbortController(), stop = () => abort.abort(outer.reason);
    const seconds = this.timeoutMilliseconds / 1000;
    const slow = new TilesetError(url, `no answer within ${seconds} s`, { isPassing: true });
    const timer = setTimeout(() => abort.abort(slow), this.timeoutMilliseconds);
    outer.addEventListener("abort", stop);
    try {
      const headers = range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
      const response = await this.fetch(url, { signal: abort.signal, ...(cache && { cache }), ...(headers && { headers }) });
      if (hasNothing(response.status)) return null;
      if (!response.ok) {
        const { status } = response, seconds = Number(response.headers.get("retry-after"));
        throw new TilesetError(url, `the host answers ${status}`,
          { status, isPassing: isPassing(status), waitMilliseconds: seconds > 0 ? seconds * 1000 : undefined });
      }
      if (range && response.status !== 206 && !(range.offset === 0 && Number(response.headers.get("content-length") ?? Infinity) <= range.length)) {
        // The rest of it may be gigabytes.
        abort.abort();
        throw new TilesetError(url, "the host ignores Range and sends the whole file: it must answer 206 for archives, or the tileset must be a directory", { status: response.status });
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      return await decode(bytes, response);
    } catch (error) {
      if (outer.aborted) throw outer.reason;
      if (error instanceof TilesetError) throw error;
      if (abort.signal.aborted) throw slow;
      // fetch doesn't say more of why it failed.
      throw new TilesetError(url, error instanceof Error ? error.message : String(error), { isPassing: true });
    } finally {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    }
  }
}

/**
 * Bytes without gzip, if they are gzip.
 * @param {string} url @param {Uint8Array} bytes @returns {Promise<Uint8Array>}
 */
export async function inflated(url, bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new TilesetError(url, "its gzip is damaged", { isPassing: true });
  }
}

/** @param {string} url @param {Uint8Array} bytes without gzip @returns {Answer} */
export function parsed(url, bytes) {
  if (!bytes.length) return { json: null, byteCount: 0 };
  const text = new TextDecoder().decode(bytes);
  try {
    return { json: JSON.parse(text), byteCount: bytes.length };
  } catch {
    throw new TilesetError(url, `isn't JSON, it begins with ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { signal.removeEventListener("abort", leave); resolve(); }, milliseconds);
    const leave = () => { clearTimeout(timer); reject(signal.reason); };
    signal.addEventListener("abort", leave, { once: true });
  });
}
