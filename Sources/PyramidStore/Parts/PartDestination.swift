import PyramidPlatform

/// Where the bytes of a part go.
protocol PartDestination: Sendable {
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Completes the file.
    func finish() throws
    /// Removes the unfinished file.
    func abandon()
}

/// A part's file, which replaces an earlier one when it is complete.
final class NamedPartFile: PartDestination {
    private let folder: DirectoryHandle
    private let fileName: String
    private let lock: BuildLock
    private let file: StagedFile
    private let syncs: Bool

    init(path: String, syncs: Bool) throws(OutputError) {
        let (parent, name) = ArchiveTilesetWriter.folderAndName(of: path)
        folder = try DirectoryHandle(making: parent)
        fileName = name
        self.syncs = syncs
        lock = try BuildLock(path: ArchiveTilesetWriter.workPath(of: path), of: "part")
        do throws(OutputError) {
            file = try StagedFile(name, in: folder)
        } catch {
            _ = try? folder.remove(ArchiveTilesetWriter.workName(of: name))
            throw error
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

    func finish() throws {
        try file.publish(syncs: syncs)
        _ = try folder.remove(ArchiveTilesetWriter.workName(of: fileName))
    }

    func abandon() {
        file.abandon()
        _ = try? folder.remove(ArchiveTilesetWriter.workName(of: fileName))
    }
}

/// A part at the end of a temporary file.
struct SpooledPartFile: PartDestination {
    let spool: Spool

    func write(_ bytes: UnsafeRawBufferPointer) throws { try spool.append(bytes) }
    func finish() {}
    func abandon() {}
}
