/** A cache limited by bytes that drops the least recently used values first.
 * @template Value */
export class TileCache {
  /** @type {Map<string, { value: Value, byteCount: number }>} */ #entries = new Map();

  /** @param {number} limitBytes */
  constructor(limitBytes) {
    this.limitBytes = limitBytes;
    this.byteCount = 0;
  }

  get count() {
    return this.#entries.size;
  }

  /** @param {string} name @returns {Value | undefined} */
  get(name) {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    // A Map keeps the order of insertion, so the last used value is the last one.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** @param {string} name @param {Value} value @param {number} byteCount an estimate of the memory that the value takes */
  set(name, value, byteCount) {
    this.#remove(name);
    if (byteCount > this.limitBytes) return;
    this.#entries.set(name, { value, byteCount });
    this.byteCount += byteCount;
    for (const oldest of this.#entries.keys()) {
      if (this.byteCount <= this.limitBytes) break;
      this.#remove(oldest);
    }
  }

  clear() {
    this.#entries.clear();
    this.byteCount = 0;
  }

  /** @param {string} name */
  #remove(name) {
    this.byteCount -= this.#entries.get(name)?.byteCount ?? 0;
    this.#entries.delete(name);
  }
}
