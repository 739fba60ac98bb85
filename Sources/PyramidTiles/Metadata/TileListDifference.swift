/// How one list of tiles differs from another.
///
///     let difference = TileListDifference(from: try old.tileList(), to: try new.tileList())
///     #expect(difference.removed.isEmpty)
public struct TileListDifference: Equatable, Sendable {
    /// Tiles that only the new list has, in their order.
    public private(set) var added: [TileCoordinate] = []
    /// Tiles of both lists whose bytes differ, in their order.
    public private(set) var changed: [TileCoordinate] = []
    /// Tiles that only the old list has, in their order.
    public private(set) var removed: [TileCoordinate] = []

    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// Compares the sizes and checksums of the files and of their JSON; O(n).
    public init(from old: TileList, to new: TileList) {
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.entries.count, newIndex < new.entries.count {
            let (before, after) = (old.entries[oldIndex], new.entries[newIndex])
            if before.tile == after.tile {
                if before != after { changed.append(after.tile) }
                oldIndex += 1
                newIndex += 1
            } else if before.tile < after.tile {
                removed.append(before.tile)
                oldIndex += 1
            } else {
                added.append(after.tile)
                newIndex += 1
            }
        }
        removed += old.entries[oldIndex...].map(\.tile)
        added += new.entries[newIndex...].map(\.tile)
    }
}
