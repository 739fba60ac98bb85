/// How one list of files differs from another.
///
///     let difference = ListDifference(from: try old.tileList(), to: try new.tileList())
///     #expect(difference.removed.isEmpty)
public struct ListDifference<Address: Hashable & Comparable & Sendable>: Equatable, Sendable {
    /// Files that only the new list has, in order.
    public let added: [Address]
    /// Files in both lists whose bytes differ, in order.
    public let changed: [Address]
    /// Files that only the old list has, in order.
    public let removed: [Address]

    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// Compares the sizes and checksums of the files and of their JSON. O(n)
    /// - Parameters:
    ///   - old: in the order of their addresses, each address once.
    ///   - new: in the same order, each address once.
    @inlinable
    package init(from old: [ListEntry<Address>], to new: [ListEntry<Address>]) {
        var (added, changed, removed): ([Address], [Address], [Address]) = ([], [], [])
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count, newIndex < new.count {
            let (before, after) = (old[oldIndex].address, new[newIndex].address)
            if before == after {
                if old[oldIndex] != new[newIndex] { changed.append(after) }
                oldIndex += 1
                newIndex += 1
            } else if before < after {
                removed.append(before)
                oldIndex += 1
            } else {
                added.append(after)
                newIndex += 1
            }
        }
        self.added = added + new[newIndex...].map(\.address)
        self.changed = changed
        self.removed = removed + old[oldIndex...].map(\.address)
    }
}

extension ListDifference where Address: ListedAddress {
    /// Compares the sizes and checksums of the files and of their JSON. O(n)
    @inlinable
    public init(from old: FileList<Address>, to new: FileList<Address>) {
        self.init(from: old.entries, to: new.entries)
    }
}

extension FileList {
    /// The addresses that another list lacks. O(n)
    @inlinable
    package func addresses(notIn other: FileList) -> [Address] { ListDifference(from: self, to: other).removed }
}
