import PyramidPlatform

/// A growing sequence of bytes, reused from tile to tile.
///
/// It writes through a raw pointer, because appending to an `[UInt8]` byte by byte was measured to be five times
/// slower. Every write first makes room through `reserve(_:)`. The methods that encoders in other modules call for
/// every byte can be inlined there.
public struct ByteBuffer: ~Copyable {
    @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var usedBytes = 0

    @inlinable public var count: Int { usedBytes }

    public init(capacity: Int = 4096) {
        precondition(capacity > 0, "a buffer needs room")
        self.capacity = capacity
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    /// Removes the bytes but keeps the capacity.
    @inlinable
    public mutating func removeAll() { usedBytes = 0 }

    /// Removes the last bytes.
    package mutating func removeLast(_ byteCount: Int) { usedBytes -= byteCount }

    @inlinable
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    @inlinable
    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    public mutating func append(_ source: UnsafeRawBufferPointer) {
        guard let start = source.baseAddress else { return }
        let end = reserve(source.count)
        UnsafeMutableRawPointer(end).copyMemory(from: start, byteCount: source.count)
        usedBytes += source.count
    }

    public mutating func append(_ source: [UInt8]) {
        source.withUnsafeBytes { append($0) }
    }

    /// Appends a range of another buffer's bytes.
    @inlinable
    public mutating func append(_ range: Range<Int>, of other: borrowing ByteBuffer) {
        other.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        usedBytes += 1
    }

    @inlinable
    package mutating func append<Number: FixedWidthInteger>(littleEndian value: Number) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append($0) }
    }

    /// Lets `body` write up to `room` bytes at the end; it returns the number written.
    @inlinable
    package mutating func append(upTo room: Int, _ body: (UnsafeMutablePointer<UInt8>) throws -> Int) rethrows {
        let written = try body(reserve(room))
        precondition((0...room).contains(written), "more bytes than there was room for")
        usedBytes += written
    }

    /// Makes room for `more` bytes at the end and returns a pointer to it.
    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        if count + more > capacity { grow(by: more) }
        return bytes + count
    }

    @usableFromInline @inline(never)
    mutating func grow(by more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: bytes, count: count)
        bytes.deallocate()
        bytes = moved
        capacity = larger
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are the same.
    @inlinable @inline(__always)
    package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, otherStart, count) == 0
    }
}
