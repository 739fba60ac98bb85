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
    package init(from old: some Sequence<FileList.Entry>, to new: some Sequence<FileList.Entry>) {
        var (added, changed, removed): ([FileAddress], [FileAddress], [FileAddress]) = ([], [], [])
        ListDifference.forEach(from: old, to: new) { change, address in
            switch change {
            case .added: added.append(address)
            case .changed: changed.append(address)
            case .removed: removed.append(address)
            }
        }
        (self.added, self.changed, self.removed) = (added, changed, removed)
    }

    package enum Change { case added, changed, removed }

    /// Calls `body` with each file that differs, in the order of addresses. Takes no memory for them.
    package static func forEach<Failure>(
        from old: some Sequence<FileList.Entry>, to new: some Sequence<FileList.Entry>,
        _ body: (Change, FileAddress) throws(Failure) -> Void
    ) throws(Failure) {
        var (olds, news) = (old.makeIterator(), new.makeIterator())
        var (before, after) = (olds.next(), news.next())
        while true {
            switch (before, after) {
            case (nil, nil): return
            case (let old?, let new?) where old.address == new.address:
                if old != new { try body(.changed, new.address) }
                (before, after) = (olds.next(), news.next())
            case (let old?, let new) where new.map({ old.address < $0.address }) ?? true:
                try body(.removed, old.address)
                before = olds.next()
            case (_, let new?):
                try body(.added, new.address)
                after = news.next()
            case (_?, nil): preconditionFailure("what only the old list has is removed")
            }
        }
    }
}
