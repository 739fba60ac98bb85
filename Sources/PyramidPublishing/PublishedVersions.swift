import PyramidStore
import PyramidTiles

/// The versions of a tileset at a destination, each in a folder of its own, and the TileJSON above them that leads to the
/// newest.
struct PublishedVersions: Equatable, Sendable {
    /// The names of the folders, newest first.
    var names: [String] = []
    /// The TileJSON that is there; `nil` if there is none.
    var pointer: [UInt8]?

    init() {}

    /// - Throws: ``PublishingError`` if there is a tileset that has no versions.
    init(of destination: some PublishingDestination) throws {
        guard let bytes = try destination.content(of: TileJSON.fileName), !bytes.allSatisfy({ $0 == 0 }) else { return }
        guard let names = (try? TileJSON(decoding: bytes))?.versions else {
            throw PublishingError(
                .unusable,
                "\(destination)\(TileJSON.fileName): leads to no versions, expected an empty place or versions",
                cause: .otherLayout)
        }
        (self.names, pointer) = (names, bytes)
    }

    /// The versions after a publish of one, which may be there already.
    /// - Parameter keptCount: how many others stay.
    func adding(_ name: String, keptCount: Int) -> PublishedVersions {
        var versions = self
        versions.names = [name] + names.filter { $0 != name }.prefix(keptCount)
        return versions
    }
}

/// The name of a version's folder: a digest of its manifest, which has the checksums of its list and of its input.
enum VersionFolder {
    static func name(ofManifest bytes: [UInt8]) -> String {
        // FNV-1a, 64 bits.
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }.hexadecimal
    }

    /// The folder of a file that can only be a version's; `nil` for all other paths.
    static func of(_ path: String) -> String? {
        guard let slash = path.firstIndex(of: "/"), case let name = String(path[..<slash]), TileJSON.isVersion(name)
        else { return nil }
        let rest = path[path.index(after: slash)...]
        return DirectoryTilesetWriter.fileNames.contains(String(rest)) || PlacedFile(path: rest) != nil ? name : nil
    }
}
