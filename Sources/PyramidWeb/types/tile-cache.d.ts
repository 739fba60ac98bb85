/**
 * A cache limited by bytes that drops the least recently used values first.
 * @template Value
 */
export class TileCache<Value> {
    /** @param {number} limitBytes */
    constructor(limitBytes: number);
    limitBytes: number;
    byteCount: number;
    get count(): number;
    /** @param {string} name @returns {Value | undefined} */
    get(name: string): Value | undefined;
    /** @param {string} name @param {Value} value @param {number} byteCount an estimate of the memory that the value takes */
    set(name: string, value: Value, byteCount: number): void;
    clear(): void;
    #private;
}
