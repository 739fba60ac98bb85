/**
 * Reads protobuf values from bytes, one after the other. Throws a RangeError if the bytes end within a value, or if a
 * number is longer than 64 bits.
 */
export class ByteReader {
    /** @param {Uint8Array} bytes */
    constructor(bytes: Uint8Array);
    position: number;
    bytes: Uint8Array;
    view: DataView;
    get isAtEnd(): boolean;
    /** An unsigned integer of up to 64 bits (varint); exact up to 2^53. */
    varint(): number;
    /** A signed integer in zigzag encoding (sint). */
    zigzag(): number;
    /** A signed integer in two's complement (int64). */
    integer(): number;
    /** The bytes of a length-delimited field; not a copy. */
    field(): Uint8Array;
    /** @param {number} length */
    take(length: number): Uint8Array;
    float(): number;
    double(): number;
    /**
     * Skips the value of an unknown field.
     * @param {number} wireType
     */
    skip(wireType: number): void;
    #private;
}
