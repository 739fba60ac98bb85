import Foundation
import PyramidStore
import Synchronization

/// The tileset that is served. A directory is read anew for every request; an archive is opened again when a build has put
/// another one in its place.
final class ServedTileset: Sendable {
    private let opened: Mutex<any TilesetReader>

    init(_ tileset: any TilesetReader) { opened = Mutex(tileset) }

    /// The tileset as it is now; what could be read last, if it can't be read now.
    var current: any TilesetReader {
        opened.withLock { tileset in
            if let archive = tileset as? ArchiveTileset, archive.isReplaced,
                let replacement = try? ArchiveTileset(path: archive.name)
            {
                tileset = replacement
            }
            return tileset
        }
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
