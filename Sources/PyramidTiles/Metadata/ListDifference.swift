/// How one list of files differs from another.
///
///     let difference = ListDifference(from: try old.fileList(), to: try new.fileList())
///     #expect(difference.removed.isEmpty)
public struct ListDifference: Equatable, Sendable {
    /// Files that only the new list has, in order.
    public let added: [FileAddress]
    /// Files in both lists whose bytes differ, in order.
    public let changed: [FileAddress]
    /// Files that only the old list has, in order.
    public let removed: [FileAddress]

    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// Compares the sizes and checksums of the files and of the tiles in them. O(n)
    public init(from old: FileList, to new: FileList) { self.init(from: old.entries, to: new.entries) }

    /// - Parameters:
    ///   - old: in the order of addresses, each address once.
    ///   - new: likewise.
    package init(from old: [FileList.Entry], to new: [FileList.Entry]) {
        var (added, changed, removed): ([FileAddress], [FileAddress], [FileAddress]) = ([], [], [])
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
