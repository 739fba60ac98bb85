/**
 * What was read lately, up to a number of bytes: what was not asked for the longest is forgotten first.
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
    /** @param {string} name @param {Value} value @param {number} byteCount what the value takes, as good as is known */
    set(name: string, value: Value, byteCount: number): void;
    clear(): void;
    #private;
}
