import PyramidTiles
import Synchronization

/// Collects the entries of a list, in any order and from several threads.
package final class FileListCollector: Sendable {
    private let sorter: Mutex<RunSorter<FileList.Entry>>

    package init(_ memory: ListMemory = .unlimited) { sorter = Mutex(RunSorter(memory)) }

    package func append(_ entries: [FileList.Entry]) throws(OutputError) {
        try sorter.withLock { sorter throws(OutputError) in try sorter.append(entries) }
    }

    /// The list of all entries, each of which must have its own address. No more can be appended.
    package func finish() throws(OutputError) -> FileList {
        FileList(sorted: try sorter.withLock { sorter throws(OutputError) in try sorter.finish() })
    }
}

extension FileList.Entry: SortableElement {
    @usableFromInline package var sortKey: FileAddress { address }
}
