import PyramidTiles

/// The bytes that a ``PartFileWriter`` has written, in memory or mapped into it.
package struct PartFile: @unchecked Sendable {
    /// A tile, a bundle or a page.
    package struct Entry: Sendable {
        package let address: FileAddress
        package let file: StoredFile
        /// Where its bytes begin in the part's file.
        package let offset: Int

        package var range: Range<Int> { offset..<offset + file.byteCount }

        package var isHandedOver: Bool { file.isHandedOver }
    }

    /// A named range of bytes for the process that joins the parts.
    struct Section: Sendable {
        let name: String
        let range: Range<Int>
        let crc32: UInt32
    }

    static let magic = Array("PYRPART1".utf8)
    static let endMagic = Array("PYRPARTX".utf8)
    static let filesName = "files"
    private static let endByteCount = 20 + endMagic.count

    private let path: String
    /// Read-only.
    private let bytes: UnsafeRawBufferPointer
    private var sections: [String: Section] = [:]

    /// Whether a path is that of a regular file that begins like a part.
    static func isPart(_ path: String) -> Bool { OpenedFile.begins(with: magic, at: path) }

    /// - Parameters:
    ///   - path: for messages.
    ///   - bytes: the whole file; must outlive this value.
    /// - Throws: ``StoreError`` if it isn't a complete part. The content of its sections is not checked.
    package init(path: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        self.path = path
        self.bytes = bytes
        guard bytes.starts(with: PartFile.magic) else {
            throw StoreError(path: path, reason: .damaged("is not a part of a tileset"))
        }
        guard bytes.count >= PartFile.magic.count + PartFile.endByteCount,
            bytes.suffix(PartFile.endMagic.count).elementsEqual(PartFile.endMagic)
        else { throw PartFile.damaged(path, "is cut off: its end is missing") }
        var end = PartBytes(UnsafeRawBufferPointer(rebasing: bytes.suffix(PartFile.endByteCount)))
        guard let start = end.integer(byteCount: 8), let count = end.integer(byteCount: 8),
            let crc32 = end.integer(byteCount: 4), start >= PartFile.magic.count, start <= bytes.count,
            count == bytes.count - PartFile.endByteCount - start,
            case let table = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]),
            Gzip.crc32(table) == UInt32(crc32)
        else { throw PartFile.damaged(path, "is damaged: its end has the wrong checksum") }
        var reader = PartBytes(table)
        while !reader.isAtEnd {
            guard let section = Section(from: &reader), section.range.upperBound <= start else {
                throw PartFile.damaged(path, "is damaged: its table of sections can't be read")
            }
            sections[section.name] = section
        }
    }

    /// The range of a section in the file.
    /// - Throws: ``StoreError`` if there is none, or if its checksum is wrong.
    package func range(of name: String) throws(StoreError) -> Range<Int> {
        guard let section = sections[name] else { throw damaged("has no section \"\(name)\"") }
        guard Gzip.crc32(UnsafeRawBufferPointer(rebasing: bytes[section.range])) == section.crc32 else {
            throw damaged("is damaged: its section \"\(name)\" has the wrong checksum")
        }
        return section.range
    }

    package func section(_ name: String) throws(StoreError) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[try range(of: name)])
    }

    /// Every tile, bundle and page, in the order of addresses.
    package func entries() throws(StoreError) -> [Entry] {
        var reader = PartBytes(try section(PartFile.filesName))
        var entries: [Entry] = []
        while !reader.isAtEnd {
            guard let entry = Entry(from: &reader), entry.range.upperBound <= bytes.count else {
                throw damaged("has a list of files that can't be read")
            }
            entries.append(entry)
        }
        return entries
    }

    /// The bytes of a file.
    package func body(of entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[entry.range])
    }

    /// - Throws: ``StoreError`` if a file has the wrong checksum.
    package func check(_ entries: [Entry]) throws(StoreError) {
        // Many tiles share their bytes.
        var checked: [Range<Int>: UInt32] = [:]
        for entry in entries where checked[entry.range] != entry.file.crc32 {
            guard Gzip.crc32(body(of: entry)) == entry.file.crc32 else {
                throw damaged("is damaged: \(entry.address) has the wrong checksum")
            }
            checked[entry.range] = entry.file.crc32
        }
    }

    package func damaged(_ problem: String) -> StoreError { PartFile.damaged(path, problem) }

    private static func damaged(_ path: String, _ problem: String) -> StoreError {
        StoreError(path: path, reason: .damaged("\(problem); build the part again"))
    }
}

extension StoredFile {
    /// Whether the bytes aren't a file yet, but data from which the join makes it. They have no body.
    package var isHandedOver: Bool { bodyByteCount == 0 }
}

extension PartFile.Entry {
    func append(to buffer: inout ByteBuffer) {
        buffer.append(varint: UInt64(address.kind.rawValue))
        for number in address.numbers { buffer.append(varint: UInt64(number)) }
        for number in [offset, file.byteCount, Int(file.crc32), file.bodyByteCount, Int(file.bodyCRC32)] {
            buffer.append(varint: UInt64(number))
        }
    }

    init?(from reader: inout PartBytes) {
        guard let kind = reader.varint().flatMap(UInt8.init(exactly:)).flatMap(FileAddress.Kind.init),
            let z = reader.count(), let x = reader.count(), let y = reader.count(),
            let address = FileAddress(kind, z, x, y)
        else { return nil }
        self.address = address
        guard let offset = reader.count(), let byteCount = reader.count(), let crc32 = reader.count(),
            let bodyByteCount = reader.count(), let bodyCRC32 = reader.count(),
            max(byteCount, bodyByteCount, crc32, bodyCRC32) <= Int(UInt32.max)
        else { return nil }
        self.offset = offset
        file = StoredFile(
            byteCount: byteCount, crc32: UInt32(crc32), bodyByteCount: bodyByteCount, bodyCRC32: UInt32(bodyCRC32))
    }
}

extension PartFile.Section {
    func append(to buffer: inout ByteBuffer) {
        let name = Array(name.utf8)
        buffer.append(varint: UInt64(name.count))
        buffer.append(name)
        buffer.append(varint: UInt64(range.lowerBound))
        buffer.append(varint: UInt64(range.count))
        buffer.append(varint: UInt64(crc32))
    }

    init?(from reader: inout PartBytes) {
        guard let length = reader.count(), let name = reader.bytes(length), let start = reader.count(),
            let count = reader.count(), let crc32 = reader.count(), crc32 <= Int(UInt32.max)
        else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        range = start..<start + count
        self.crc32 = UInt32(crc32)
    }
}

/// Reads integers in a part's sections, one after another. All methods return `nil` if the bytes end too early.
package struct PartBytes {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var position = 0

    /// - Parameter bytes: valid for as long as the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func varint() -> UInt64? {
        bytes.assumingMemoryBound(to: UInt8.self).span.varint(at: &position)
    }

    package mutating func zigzag() -> Int64? {
        varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// A size or an offset; `nil` if it is 2⁶² or more.
    package mutating func count() -> Int? { varint().flatMap { $0 < 1 << 62 ? Int($0) : nil } }

    package mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// A little-endian integer of a fixed size; `nil` if it is 2⁶² or more.
    package mutating func integer(byteCount: Int) -> Int? {
        guard let bytes = bytes(byteCount),
            case let value = bytes.reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) }),
            value < 1 << 62
        else { return nil }
        return Int(value)
    }
}

extension ByteBuffer {
    /// Appends an integer of a fixed size.
    package mutating func append(littleEndian value: UInt64, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
