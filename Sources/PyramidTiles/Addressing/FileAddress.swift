/// The address of a file in one of a tileset's lists.
public enum FileAddress: Hashable, Sendable {
    case tile(TileCoordinate)
    case page(LeafPage)
}

extension FileAddress: Comparable {
    /// Tiles come first.
    public static func < (left: FileAddress, right: FileAddress) -> Bool {
        switch (left, right) {
        case (.tile(let left), .tile(let right)): left < right
        case (.page(let left), .page(let right)): left < right
        case (.tile, .page): true
        case (.page, .tile): false
        }
    }
}
