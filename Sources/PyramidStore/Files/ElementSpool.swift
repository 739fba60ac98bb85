import PyramidTiles

/// Elements in the order in which they are appended. If they are too many for the memory, they are in a temporary file.
@usableFromInline
package struct ElementSpool<Element: BitwiseCopyable & Sendable>: Sendable {
    private let memory: ListMemory
    /// How many elements are written to the file at a time.
    @usableFromInline let capacity: Int
    @usableFromInline var buffer: [Element] = []
    private var spool: Spool?
    @usableFromInline package var count = 0

    @usableFromInline
    package init(_ memory: ListMemory) {
        self.memory = memory
        capacity = memory.capacity(for: Element.self)
    }

    @inlinable
    package mutating func append(_ element: Element) throws(OutputError) {
        buffer.append(element)
        count += 1
        if buffer.count >= capacity { try flush() }
    }

    mutating func append(_ elements: some Collection<Element>) throws(OutputError) {
        buffer.append(contentsOf: elements)
        count += elements.count
        if buffer.count >= capacity { try flush() }
    }

    /// Appends elements straight to the file. Must not be used together with the other methods that append.
    @usableFromInline
    package mutating func write(_ elements: [Element]) throws(OutputError) {
        count += elements.count
        try toFile(elements)
    }

    @usableFromInline
    mutating func flush() throws(OutputError) {
        try toFile(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func toFile(_ elements: [Element]) throws(OutputError) {
        let spool = if let spool { spool } else { try Spool(in: memory.folder) }
        self.spool = spool
        _ = try elements.withUnsafeBufferPointer { elements throws(OutputError) in
            try spool.append(UnsafeRawBufferPointer(elements))
        }
    }

    /// The elements. No more can be appended.
    @usableFromInline
    package mutating func finish() throws(OutputError) -> StoredElements<Element> {
        defer { (buffer, spool) = ([], nil) }
        guard spool != nil else { return StoredElements(buffer) }
        let mapped = try mapped(isWritable: false)
        return StoredElements(mapped.bytes.assumingMemoryBound(to: Element.self), owner: mapped)
    }

    fileprivate mutating func mapped(isWritable: Bool) throws(OutputError) -> MappedSpool {
        try flush()
        guard let spool else { preconditionFailure("flushing makes a file") }
        return try spool.map(0..<count * MemoryLayout<Element>.stride, isWritable: isWritable)
    }
}

/// A fixed number of elements, to read and write in any order. If they are too many for the memory, they are in a
/// temporary file.
final class ElementTable<Element: BitwiseCopyable & Sendable>: Sendable {
    private let elements: SharedElements<Element>
    /// Keeps the elements: memory to deallocate, or a mapped file.
    private nonisolated(unsafe) let room: UnsafeMutableBufferPointer<Element>?
    private let mapped: MappedSpool?

    /// - Parameter initial: the first value of each element.
    init(count: Int, _ memory: ListMemory, _ initial: (_ index: Int) -> Element) throws(OutputError) {
        if count <= memory.capacity(for: Element.self) {
            let room = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
            for index in 0..<count { room.initializeElement(at: index, to: initial(index)) }
            elements = SharedElements(room)
            (self.room, mapped) = (room, nil)
        } else {
            var spool = ElementSpool<Element>(memory)
            for index in 0..<count { try spool.append(initial(index)) }
            let mapped = try spool.mapped(isWritable: true)
            elements = SharedElements(mapped.writableBytes.assumingMemoryBound(to: Element.self))
            (room, self.mapped) = (nil, mapped)
        }
    }

    deinit { room?.deallocate() }

    subscript(index: Int) -> Element {
        get { elements[index] }
        set { elements[index] = newValue }
    }
}
