import PyramidTiles
import Synchronization

/// A tileset in memory, for tests and for programs that store the tiles themselves.
///
///     let tileset = MemoryTileset()
///     try PyramidBuilder(options: options).build { _ in tileset }
///     let tile = try tileset.tile(z: 3, x: 4, y: 2)
public final class MemoryTileset: TilesetReader, TilesetWriter {
    private struct State {
        var files: [FileAddress: [UInt8]] = [:]
        var metadata: [String: [UInt8]] = [:]
        var isFinished = false
    }

    public let storage: TileStorage
    private let state = Mutex(State())

    public init(storage: TileStorage = TileStorage()) {
        self.storage = storage
    }

    public var name: String { "memory" }
    public var directoryPath: String? { nil }
    public var isBeingBuilt: Bool { state.withLock { !$0.isFinished } }

    public func write(_ bytes: UnsafeRawBufferPointer, to address: FileAddress, _ file: StoredFile) {
        let bytes = Array(bytes)
        state.withLock { $0.files[address] = bytes }
    }

    public func finish(_ metadata: TilesetMetadata) throws -> TilesetOutcome {
        var outcome = TilesetOutcome(manifest: metadata.manifest)
        var files = [TileJSON.fileName: try metadata.tileJSON.encoded(), FileList.fileName: metadata.list.encoded()]
        files[TilesetMetadata.previewName] = metadata.previewPage
        outcome.manifest.files = files.mapValues { Manifest.FileSummary(of: $0) }
        files[Manifest.fileName] = try outcome.manifest.encoded()
        outcome.changes.written = metadata.list.entries.count
        state.withLock { [files] in
            $0.metadata = files
            $0.isFinished = true
        }
        return outcome
    }

    public func metadataBytes(of name: String) throws(StoreError) -> [UInt8] {
        guard let bytes = state.withLock({ $0.metadata[name] }) else {
            throw StoreError(path: path(ofFile: name), reason: .missing)
        }
        return bytes
    }

    public func storedBytes(of address: FileAddress, limitBytes: Int) throws(StoreError) -> [UInt8] {
        let path = path(ofFile: storage.relativePath(of: address))
        guard let bytes = state.withLock({ $0.files[address] }) else { throw StoreError(path: path, reason: .missing) }
        guard bytes.count <= limitBytes else {
            throw StoreError(path: path, reason: .tooLarge(limitBytes: limitBytes))
        }
        return bytes
    }

    public func strays(_ list: FileList) -> [StrayFile] {
        let addresses = state.withLock { Array($0.files.keys) }
        return addresses.filter { list.file(at: $0) == nil }.sorted().map {
            StrayFile(path: storage.relativePath(of: $0), problem: .unlisted)
        }
    }
}
