/** Reads protobuf values from bytes, one after the other. Throws a RangeError if the bytes end within a value, or if a
 * number is longer than 64 bits. */
export class ByteReader {
  position = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd() {
    return this.position >= this.bytes.length;
  }

  /** An unsigned integer of up to 64 bits (varint); exact up to 2^53. */
  varint() {
    const { bytes } = this;
    let value = 0,
      factor = 1;
    for (let count = 0; count < 10; count++) {
      if (this.position >= bytes.length) throw new RangeError("ends in the middle of a number");
      const byte = bytes[this.position++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new RangeError("has a number of more than 64 bits");
  }

  /** A signed integer in zigzag encoding (sint). */
  zigzag() {
    const start = this.position,
      value = this.varint();
    if (value <= Number.MAX_SAFE_INTEGER) return value % 2 ? -(value + 1) / 2 : value / 2;
    const bits = this.#bits(start);
    return Number(bits & 1n ? -((bits + 1n) / 2n) : bits / 2n);
  }

  /** A signed integer in two's complement (int64). */
  integer() {
    const start = this.position,
      value = this.varint();
    return value <= Number.MAX_SAFE_INTEGER ? value : Number(BigInt.asIntN(64, this.#bits(start)));
  }

  /** @param {number} start of a varint that ends at the current position */
  #bits(start) {
    let bits = 0n;
    for (let index = this.position - 1; index >= start; index--) bits = (bits << 7n) | BigInt(this.bytes[index] & 0x7f);
    return BigInt.asUintN(64, bits);
  }

  /** The bytes of a length-delimited field; not a copy. */
  field() {
    const length = this.varint();
    return this.take(length);
  }

  /** @param {number} length */
  take(length) {
    if (length > this.bytes.length - this.position) throw new RangeError("ends in the middle of a field");
    return this.bytes.subarray(this.position, (this.position += length));
  }

  float() {
    this.take(4);
    return this.view.getFloat32(this.position - 4, true);
  }

  double() {
    this.take(8);
    return this.view.getFloat64(this.position - 8, true);
  }

  /** Skips the value of an unknown field.
   * @param {number} wireType */
  skip(wireType) {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.take(8);
    else if (wireType === 2) this.field();
    else if (wireType === 5) this.take(4);
    else throw new RangeError(`has a field of unknown wire type ${wireType}`);
  }
}
