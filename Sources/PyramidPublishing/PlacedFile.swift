import PyramidStore
import PyramidTiles

/// The file of a tile or a bundle, by its address.
struct PlacedFile: Hashable, Comparable, Sendable {
    /// That of a version, with a slash; nothing for a tileset in place.
    var folder = ""
    var address: FileAddress
    var suffix: String

    var path: String { "\(folder)\(address)\(suffix)" }

    static func < (left: PlacedFile, right: PlacedFile) -> Bool {
        (left.folder, left.address, left.suffix) < (right.folder, right.address, right.suffix)
    }
}

extension PlacedFile {
    /// With the suffix that a tileset gives it.
    init(_ folder: String, _ address: FileAddress, _ storage: TileStorage) {
        self.init(folder: folder, address: address, suffix: storage.suffix)
    }

    /// `nil` unless the path is exactly that of a tile or a bundle, in place or in a version's folder.
    init?(path: some StringProtocol) {
        let folder = VersionFolder.start(of: path)
        guard let (address, suffix) = TileStorage.parse(path: path.dropFirst(folder.count)) else { return nil }
        self.init(folder: folder, address: address, suffix: suffix)
    }
}

/// The folder of a version: its name is a digest of the manifest, which has the checksums of its list and of its input.
enum VersionFolder {
    static func name(ofManifest bytes: [UInt8]) -> String {
        // FNV-1a, 64 bits.
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }.hexadecimal
    }

    /// The folder that a path begins with, with its slash; nothing if the path isn't in a version.
    static func start(of path: some StringProtocol) -> String {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && TileJSON.isVersion(parts[0]) ? "\(parts[0])/" : ""
    }

    /// Whether a path is that of a file beside the tiles, in place or in a version's folder.
    static func isMetadata(_ path: String) -> Bool {
        DirectoryTilesetWriter.fileNames.contains(String(path.dropFirst(start(of: path).count)))
    }
}
