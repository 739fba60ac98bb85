/**
 * Reads numbers of protobuf from bytes, one after the other. Throws a RangeError if they end in the middle of one, or if one
 * is longer than 64 bits.
 */
export class ByteReader {
    /** @param {Uint8Array} bytes */
    constructor(bytes: Uint8Array);
    position: number;
    bytes: Uint8Array;
    view: DataView;
    get isAtEnd(): boolean;
    /** A whole number of up to 64 bits; exact up to 2^53. */
    varint(): number;
    /** A whole number whose lowest bit is its sign. */
    zigzag(): number;
    /** A whole number, negative if its 64th bit is set. */
    integer(): number;
    /** The bytes of a field whose length comes first; not a copy. */
    field(): Uint8Array;
    /** @param {number} length */
    take(length: number): Uint8Array;
    float(): number;
    double(): number;
    /**
     * Passes over the value of a field that means nothing here.
     * @param {number} wireType
     */
    skip(wireType: number): void;
    #private;
}
