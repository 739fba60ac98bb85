import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// The tileset that is served, which may be rebuilt meanwhile. Files of a directory are read for every request; its
/// storage is read again after a build. An archive is opened again when a build has replaced it.
final class ServedTileset: Sendable {
    private struct Opened {
        var tileset: any TilesetReader
        /// `nil` for an archive.
        var manifestVersion: FileVersion?
    }

    private let opened: Mutex<Opened>

    init(_ tileset: any TilesetReader) {
        opened = Mutex(Opened(tileset: tileset, manifestVersion: ServedTileset.manifestVersion(of: tileset)))
    }

    /// The tileset as it is now, or the last readable version.
    var current: any TilesetReader {
        opened.withLock { opened in
            if let archive = opened.tileset as? ArchiveTileset, archive.isReplaced,
                let replacement = try? ArchiveTileset(path: archive.name)
            {
                opened.tileset = replacement
            } else if let path = opened.tileset.directoryPath,
                let version = ServedTileset.manifestVersion(of: opened.tileset), version != opened.manifestVersion
            {
                opened.manifestVersion = version
                let replacement = DirectoryTileset(path: path)
                if (try? replacement.manifest()) != nil { opened.tileset = replacement }
            }
            return opened.tileset
        }
    }

    /// `nil` for an archive, and for a directory without a manifest, as during a build.
    private static func manifestVersion(of tileset: any TilesetReader) -> FileVersion? {
        tileset.directoryPath.flatMap { try? OpenedFile(below: $0, [Manifest.fileName])?.version }
    }
}

extension ArchiveTileset {
    /// The file name in the path that the user gave, which may be a link.
    var servedName: String { URL(fileURLWithPath: name).lastPathComponent }

    /// The archive's file; `nil` if it is gone.
    func openedFile() throws -> OpenedFile? {
        try OpenedFile(below: location.folder, [location.name])
    }
}
