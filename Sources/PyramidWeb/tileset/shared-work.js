/** Work that several callers share: it runs once, and is aborted when the last caller gives up.
 * @template Result */
export class SharedWork {
  /** @type {Map<string, { result: Promise<Result>, abort: AbortController, waiting: number }>} */ #running = new Map();

  /** The result of the work with a key, which is started unless it is running. The caller has joined when this returns.
   * @param {string} key @param {(signal: AbortSignal) => Promise<Result>} start @param {AbortSignal} [signal] of this caller
   * @returns {Promise<Result>} fails as the work does, or with the signal's reason */
  async run(key, start, signal) {
    signal?.throwIfAborted();
    const work = this.#running.get(key) ?? this.#start(key, start);
    work.waiting += 1;
    if (!signal) return work.result;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        work.waiting -= 1;
        if (work.waiting) return;
        this.#end(key, work);
        work.abort.abort(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      work.result.finally(() => signal.removeEventListener("abort", leave)).then(resolve, reject);
    });
  }

  /** Later callers start new work; those already waiting get the old result. */
  forget() {
    this.#running.clear();
  }

  /** @param {string} key @param {(signal: AbortSignal) => Promise<Result>} start */
  #start(key, start) {
    const abort = new AbortController(),
      work = { result: start(abort.signal), abort, waiting: 0 };
    this.#running.set(key, work);
    const end = () => this.#end(key, work);
    work.result.then(end, end);
    return work;
  }

  /** @param {string} key @param {unknown} work */
  #end(key, work) {
    if (this.#running.get(key) === work) this.#running.delete(key);
  }
}
