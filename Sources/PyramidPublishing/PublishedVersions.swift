import PyramidStore
import PyramidTiles

/// The versions of a tileset at a destination, each in a folder of its own, and the TileJSON above them that leads to the
/// newest.
struct PublishedVersions: Equatable, Sendable {
    /// The names of the folders, newest first.
    var names: [String] = []
    /// The TileJSON that is there; `nil` if there is none.
    var pointer: [UInt8]?
    /// The names of folders that an unfinished publish has begun or was about to remove; `nil` if none is unfinished.
    var unfinished: [String]?

    init() {}

    /// - Parameter uploadsAll: whether a damaged TileJSON is replaced.
    /// - Throws: ``PublishingError`` if there is a tileset that has no versions, or an unfinished one.
    init(of destination: some PublishingDestination, uploadsAll: Bool = false) throws {
        func otherLayout(_ name: String, _ problem: String) -> PublishingError {
            PublishingError(
                .unusable, "\(destination): \(name) \(problem), expected an empty place or versions",
                cause: .otherLayout)
        }
        if let bytes = try destination.content(of: PublishingJournal.fileName), !bytes.allSatisfy({ $0 == 0 }) {
            guard let versions = (try? PublishingJournal(decoding: bytes))?.header.versions else {
                throw otherLayout(PublishingJournal.fileName, "is of an unfinished publish without versions")
            }
            unfinished = versions
        }
        guard let bytes = try destination.content(of: TileJSON.fileName), !bytes.allSatisfy({ $0 == 0 }) else { return }
        pointer = bytes
        guard let tileJSON = try? TileJSON(decoding: bytes) else {
            if uploadsAll { return }
            throw PublishingError(
                .badData, "\(destination): \(TileJSON.fileName) is damaged", cause: .damagedMetadata)
        }
        guard let names = tileJSON.versions else { throw otherLayout(TileJSON.fileName, "leads to no versions") }
        self.names = names
    }

    /// The versions after a publish of one, which may be there already.
    /// - Parameter keptCount: how many others stay.
    func adding(_ name: String, keptCount: Int) -> PublishedVersions {
        var versions = self
        versions.names = [name] + names.filter { $0 != name }.prefix(keptCount)
        return versions
    }

    /// All folders that may be there.
    var all: [String] { names + (unfinished ?? []).filter { !names.contains($0) } }
}

/// The name of a version's folder: a digest of its manifest, which has the checksums of its list and of its input.
enum VersionFolder {
    static func name(ofManifest bytes: [UInt8]) -> String {
        // FNV-1a, 64 bits.
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }.hexadecimal
    }

    /// Whether a path below a version's folder can be that of a tileset's file.
    static func canHave(_ path: Substring) -> Bool {
        DirectoryTilesetWriter.fileNames.contains(String(path)) || PlacedFile(path: path) != nil
    }
}
