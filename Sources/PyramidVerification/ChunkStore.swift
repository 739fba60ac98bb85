import PyramidStore

/// Where values wait for their turn: in memory as long as they are few, then in a temporary file.
final class ChunkStore {
    /// The folder of the temporary file; `nil` to keep everything in memory.
    private let folder: String?
    /// How many bytes are kept in memory if there is a folder.
    private let memoryBytes: Int
    private var keptBytes = 0
    private var spool: Spool?

    init(folder: String? = nil, memoryBytes: Int = 0) {
        self.folder = folder
        self.memoryBytes = memoryBytes
    }

    /// For lists of files.
    var listMemory: ListMemory { folder.map { ListMemory(budgetBytes: memoryBytes / 4, folder: $0) } ?? .unlimited }

    /// - Returns: where the bytes are in the temporary file; `nil` to keep a value of this size in memory.
    fileprivate func append(byteCount: Int, _ write: (inout ChunkWriter) -> Void) throws(OutputError) -> Range<Int>? {
        guard let folder, keptBytes + byteCount > memoryBytes else {
            keptBytes += byteCount
            return nil
        }
        let spool = if let spool { spool } else { try Spool(in: folder) }
        self.spool = spool
        var writer = ChunkWriter(capacity: byteCount)
        write(&writer)
        let written = writer.bytes.withUnsafeBytes { bytes in
            Result { () throws(OutputError) in try spool.append(bytes) }
        }
        let start = try written.get()
        return start..<start + writer.bytes.count
    }

    fileprivate func free(byteCount: Int) { keptBytes -= byteCount }

    fileprivate func read<Value>(
        _ range: Range<Int>, _ body: (inout ChunkReader) -> Value
    ) throws(OutputError) -> Value {
        guard let mapped = try spool?.map(range) else { preconditionFailure("nothing was written") }
        var reader = ChunkReader(mapped.bytes)
        return withExtendedLifetime(mapped) { body(&reader) }
    }
}

/// A value that can wait in a temporary file.
protocol SpoolChunk: Sendable {
    /// About the size in memory and in the file.
    var byteCount: Int { get }
    func write(to writer: inout ChunkWriter)
    init(from reader: inout ChunkReader)
}

/// Chunks by number, each taken once.
struct SpooledChunks<Chunk: SpoolChunk> {
    private enum Place {
        case memory(Chunk)
        case file(Range<Int>)
    }

    private let store: ChunkStore
    private var places: [Int: [Place]] = [:]

    init(in store: ChunkStore) { self.store = store }

    mutating func append(_ chunk: Chunk, to number: Int) throws(OutputError) {
        let range = try store.append(byteCount: chunk.byteCount) { chunk.write(to: &$0) }
        places[number, default: []].append(range.map { .file($0) } ?? .memory(chunk))
    }

    /// The chunks of a number, in the order in which they came.
    mutating func take(_ number: Int) throws(OutputError) -> [Chunk] {
        var chunks: [Chunk] = []
        for place in places.removeValue(forKey: number) ?? [] {
            switch place {
            case .memory(let chunk):
                store.free(byteCount: chunk.byteCount)
                chunks.append(chunk)
            case .file(let range): chunks.append(try store.read(range) { Chunk(from: &$0) })
            }
        }
        return chunks
    }
}

/// Writes a chunk as bytes that only this process reads again.
struct ChunkWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity + 256) }

    mutating func append(_ number: Int) { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }

    mutating func append<Element: BitwiseCopyable>(_ elements: [Element]) {
        append(elements.count)
        elements.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}

struct ChunkReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func number() -> Int {
        defer { position += MemoryLayout<Int>.size }
        return bytes.loadUnaligned(fromByteOffset: position, as: Int.self)
    }

    mutating func elements<Element: BitwiseCopyable>(of type: Element.Type = Element.self) -> [Element] {
        let count = number()
        let byteCount = count * MemoryLayout<Element>.stride
        defer { position += byteCount }
        let source = UnsafeRawBufferPointer(rebasing: bytes[position..<position + byteCount])
        return [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
            initializedCount = count
        }
    }
}

/// Numbers and the like.
struct ElementChunk<Element: BitwiseCopyable & Sendable>: SpoolChunk {
    var elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    var byteCount: Int { elements.count * MemoryLayout<Element>.stride }
    func write(to writer: inout ChunkWriter) { writer.append(elements) }
    init(from reader: inout ChunkReader) { elements = reader.elements() }
}
