/**
 * What was read lately, up to a number of bytes: what was not asked for the longest is forgotten first.
 * @template Value
 */
export class TileCache {
  /** @type {Map<string, { value: Value, byteCount: number }>} */ #entries = new Map();

  /** @param {number} limitBytes */
  constructor(limitBytes) {
    this.limitBytes = limitBytes;
    this.byteCount = 0;
  }

  get count() { return this.#entries.size; }

  /** @param {string} name @returns {Value | undefined} */
  get(name) {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    // A Map keeps the order of insertion: the last used is the last.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** @param {string} name @param {Value} value @param {number} byteCount what the value takes, as good as is known */
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
