/// An entry of a list of tiles or of pages.
public struct ListEntry: Hashable, Sendable {
    public let address: FileAddress
    public let file: StoredFile

    public init(address: FileAddress, file: StoredFile) {
        self.address = address
        self.file = file
    }
}

extension TileList {
    /// The entries, in their order.
    package var listEntries: [ListEntry] { entries.map { ListEntry(address: .tile($0.tile), file: $0.file) } }
}

extension LeafList {
    /// The entries, in their order.
    package var listEntries: [ListEntry] { entries.map { ListEntry(address: .page($0.page), file: $0.file) } }
}
