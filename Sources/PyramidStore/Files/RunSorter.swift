import PyramidTiles

/// An element that a ``RunSorter`` can put in order.
@usableFromInline
package protocol SortableElement: BitwiseCopyable, Sendable {
    associatedtype SortKey: Comparable
    var sortKey: SortKey { get }
}

/// Sorts any number of elements. If they are too many for the memory, sorted runs of them go to a temporary file and
/// are merged from there (external merge sort). Elements with equal keys stay in the order in which they came.
@usableFromInline
package struct RunSorter<Element: SortableElement>: Sendable {
    @usableFromInline let memory: ListMemory
    /// How many elements a run has.
    @usableFromInline let capacity: Int
    @usableFromInline var buffer: [Element] = []
    @usableFromInline var runs: ElementSpool<Element>
    /// Where the runs begin.
    @usableFromInline var starts: [Int] = []
    @usableFromInline var lastOfRun: Element?
    /// Whether no run begins before the last one ends.
    @usableFromInline var isInOrder = true

    package init(_ memory: ListMemory) {
        self.memory = memory
        // Sorting takes half as much again.
        capacity = max(1, memory.capacity(for: Element.self) / 3 * 2)
        runs = ElementSpool(memory)
    }

    /// Reserves room for about this many elements, as far as they stay in memory.
    package mutating func reserveRoom(_ count: Int) { buffer.reserveCapacity(min(count, capacity)) }

    @inlinable package mutating func append(_ element: Element) throws(OutputError) {
        buffer.append(element)
        if buffer.count >= capacity { try endRun() }
    }

    @inlinable package mutating func append(_ elements: [Element]) throws(OutputError) {
        if buffer.count + elements.count <= capacity {
            buffer.append(contentsOf: elements)
        } else {
            for element in elements { try append(element) }
        }
    }

    @inlinable mutating func endRun() throws(OutputError) {
        guard let first = sortBuffer() else { return }
        if let lastOfRun, first.sortKey < lastOfRun.sortKey { isInOrder = false }
        lastOfRun = buffer.last
        starts.append(runs.count)
        try runs.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// - Returns: the first element.
    @inlinable mutating func sortBuffer() -> Element? {
        buffer.sort { $0.sortKey < $1.sortKey }
        return buffer.first
    }

    /// The elements in order. No more can be appended.
    @inlinable package mutating func finish() throws(OutputError) -> StoredElements<Element> {
        guard !starts.isEmpty else {
            _ = sortBuffer()
            defer { buffer = [] }
            return StoredElements(buffer)
        }
        var merge = try merge()
        if isInOrder { return merge.elements }
        var merged = ElementSpool<Element>(memory)
        while let element = merge.next() { try merged.append(element) }
        return try merged.finish()
    }

    /// Calls `body` with the elements in order. No more can be appended.
    @inlinable package mutating func forEach(_ body: (Element) throws(OutputError) -> Void) throws(OutputError) {
        guard !starts.isEmpty else {
            _ = sortBuffer()
            for element in buffer { try body(element) }
            return buffer = []
        }
        var merge = try merge()
        while let element = merge.next() { try body(element) }
    }

    /// Calls `body` with the elements of each key that several have, in order. No more can be appended.
    @inlinable package mutating func forEachShared(_ body: (_ elements: [Element]) -> Void) throws(OutputError) {
        var same: [Element] = []
        try forEach { element throws(OutputError) in
            if let last = same.last, last.sortKey != element.sortKey {
                if same.count > 1 { body(same) }
                same.removeAll(keepingCapacity: true)
            }
            same.append(element)
        }
        if same.count > 1 { body(same) }
    }

    @inlinable mutating func merge() throws(OutputError) -> RunMerge<Element> {
        try endRun()
        buffer = []
        return RunMerge(try runs.finish(), starts)
    }
}

/// Merges sorted runs, with the next element of each run in a heap.
@usableFromInline
struct RunMerge<Element: SortableElement> {
    /// The runs, one after another.
    @usableFromInline let elements: StoredElements<Element>
    /// Where the rest of each run begins and ends. Each is at or after the one at half its index, counted from 1.
    @usableFromInline var heap: [(key: Element.SortKey, position: Int, end: Int)]

    @inlinable
    init(_ elements: StoredElements<Element>, _ starts: [Int]) {
        self.elements = elements
        // A sorted array is a heap.
        heap = zip(starts, starts.dropFirst() + [elements.count])
            .map { (elements[$0].sortKey, $0, $1) }.sorted { $0.key < $1.key }
    }

    /// The order of two rests: of equal keys, that of the earlier run comes first.
    @inlinable
    static func precedes(
        _ one: (key: Element.SortKey, position: Int, end: Int), _ other: (key: Element.SortKey, position: Int, end: Int)
    ) -> Bool {
        one.key < other.key || one.key == other.key && one.position < other.position
    }

    /// O(log *runs*)
    @inlinable
    mutating func next() -> Element? {
        guard let first = heap.first else { return nil }
        var moved = first
        moved.position += 1
        if moved.position < moved.end {
            moved.key = elements[moved.position].sortKey
        } else {
            moved = heap.removeLast()
            if heap.isEmpty { return elements[first.position] }
        }
        var index = 0
        while true {
            var child = 2 * index + 1
            if child + 1 < heap.count, RunMerge.precedes(heap[child + 1], heap[child]) { child += 1 }
            guard child < heap.count, RunMerge.precedes(heap[child], moved) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = moved
        return elements[first.position]
    }
}
