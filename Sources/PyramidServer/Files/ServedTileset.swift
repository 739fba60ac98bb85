import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// The tileset that is served. The files of a directory are read anew for every request, and after another build, how
/// they are stored; an archive is opened again when a build has put another one in its place.
final class ServedTileset: Sendable {
    private struct Opened {
        var tileset: any TilesetReader
        /// Of a directory.
        var manifestVersion: FileVersion?
    }

    private let opened: Mutex<Opened>

    init(_ tileset: any TilesetReader) {
        opened = Mutex(Opened(tileset: tileset, manifestVersion: ServedTileset.manifestVersion(of: tileset)))
    }

    /// The tileset as it is now; what could be read last, if it can't be read now.
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

    /// `nil` if it isn't a directory, or has no manifest, as during a build.
    private static func manifestVersion(of tileset: any TilesetReader) -> FileVersion? {
        tileset.directoryPath.flatMap { try? OpenedFile(below: $0, [Manifest.fileName])?.version }
    }
}

extension ArchiveTileset {
    /// The name that the user gave, also of a link.
    var servedName: String { URL(fileURLWithPath: name).lastPathComponent }

    /// The file, to be sent as it is; `nil` if it is gone.
    func openedFile() throws -> OpenedFile? {
        try OpenedFile(below: location.folder, [location.name])
    }
}
