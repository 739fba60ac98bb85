@testable import PyramidStore
@testable import PyramidTiles

/// Several files in one input: each begins after a line "== NAME".
struct NamedSections {
    private var sections: [(name: String, bytes: [UInt8])]

    init(_ bytes: UnsafeRawBufferPointer) {
        let mark = Array("\n== ".utf8)
        var sections: [(name: String, bytes: [UInt8])] = []
        var rest = ([UInt8(ascii: "\n")] + bytes)[...]
        while let start = rest.firstRange(of: mark) {
            rest = rest[start.upperBound...]
            guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
            let name = String(decoding: rest[..<lineEnd], as: UTF8.self)
            // The line's end may be the beginning of the next mark, of an empty section.
            rest = rest[lineEnd...]
            let end = rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex
            sections.append((name, Array(rest[..<end].dropFirst())))
            rest = rest[end...]
        }
        self.sections = sections
    }

    /// The first of this name.
    subscript(name: String) -> [UInt8]? { sections.first { $0.name == name }?.bytes }

    /// The same with another first file of this name.
    func with(_ bytes: [UInt8], as name: String) -> NamedSections {
        var changed = self
        changed.sections.insert((name, bytes), at: 0)
        return changed
    }

    /// Those with the address of a file as their name, in order and each address once: "tiles/3/4/2", "bundles/3/4/2".
    var files: [(address: FileAddress, bytes: [UInt8])] {
        let addressed = sections.compactMap { section in
            FileAddress(section.name).map { (address: $0, bytes: section.bytes) }
        }
        return Dictionary(addressed.map { ($0.address, $0.bytes) }) { first, _ in first }
            .map { (address: $0.key, bytes: $0.value) }.sorted { $0.address < $1.address }
    }
}

extension StoredFile {
    /// Of a file with these bytes.
    init(_ stored: [UInt8], body: [UInt8]) {
        self.init(
            byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count, bodyCRC32: Gzip.crc32(body))
    }
}

/// As a gzip member.
func compressed(_ bytes: [UInt8], literalByteLimit: Int = 0) -> [UInt8] {
    var buffer = ByteBuffer()
    bytes.withUnsafeBytes { GzipCompressor(level: 1, literalByteLimit: literalByteLimit).compress($0, into: &buffer) }
    return buffer.withUnsafeBytes { [UInt8]($0) }
}
