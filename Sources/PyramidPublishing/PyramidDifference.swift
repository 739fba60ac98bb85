import PyramidStore
import PyramidTiles

/// The files that differ between two tilesets: what to upload to a host, and what to purge from caches.
///
///     let difference = PyramidDifference(from: try TilesetListing(path: "old"), to: try TilesetListing(path: "new"))
///     for change in difference.changes { print(change) }
public struct PyramidDifference: Equatable, Sendable {
    /// Tiles first, by zoom, column and row; then bundles likewise; then the files beside the tiles, by name.
    public let changes: [Change]

    public struct Change: Equatable, Sendable, CustomStringConvertible {
        public enum Kind: String, Sendable, CaseIterable {
            case added = "A"
            case changed = "M"
            case removed = "D"
        }

        public let kind: Kind
        /// Relative to the tileset's directory, such as "tiles/3/4/2.json".
        public let path: String

        /// "M tiles/3/4/2.json".
        public var description: String { "\(kind.rawValue) \(path)" }
    }

    /// Compares sizes and checksums. Files beside the tiles are compared if both sides know them; a side that
    /// doesn't know how its tiles are stored is assumed to store them as the other does.
    public init(from old: TilesetListing, to new: TilesetListing) {
        let newStorage = new.storage ?? old.storage ?? TileStorage()
        let oldStorage = old.storage ?? newStorage
        let (before, after) = (old.list.entries, new.list.entries)
        // What has another name is another file.
        let isSameName = oldStorage.suffix == newStorage.suffix
        let difference = ListDifference(from: before.filter { _ in isSameName }, to: after)
        let kinds: [(Change.Kind, [FileAddress])] = [
            (.added, difference.added), (.changed, difference.changed),
            (.removed, difference.removed + (isSameName ? [] : before.map(\.address))),
        ]
        var changes = kinds.flatMap { kind, addresses in addresses.map { (address: $0, kind: kind) } }
            .sorted { ($0.address, $0.kind.rawValue) < ($1.address, $1.kind.rawValue) }
            .map { address, kind in
                Change(kind: kind, path: (kind == .removed ? oldStorage : newStorage).relativePath(of: address))
            }
        if !old.files.isEmpty, !new.files.isEmpty {
            var names = Set(old.files.keys).union(new.files.keys)
            // An archive and a directory of the same tiles have different manifests, and only one has a list.
            if old.isOneFile != new.isOneFile { names = [TileJSON.fileName] }
            for name in names.sorted() where old.files[name] != new.files[name] {
                let kind: Change.Kind =
                    old.files[name] == nil ? .added : new.files[name] == nil ? .removed : .changed
                changes.append(Change(kind: kind, path: name))
            }
        }
        self.changes = changes
    }

    /// The paths of one kind of change.
    public func paths(_ kind: Change.Kind) -> [String] {
        changes.lazy.filter { $0.kind == kind }.map(\.path)
    }
}
