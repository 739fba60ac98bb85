/// The address of a file that a list of a pyramid names.
public enum FileAddress: Hashable, Sendable {
    case tile(TileCoordinate)
    case page(LeafPage)
}

extension FileAddress: Comparable {
    /// Tiles first.
    public static func < (left: FileAddress, right: FileAddress) -> Bool {
        switch (left, right) {
        case (.tile(let left), .tile(let right)): left < right
        case (.page(let left), .page(let right)): left < right
        case (.tile, .page): true
        case (.page, .tile): false
        }
    }
}
