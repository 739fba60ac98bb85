import PyramidTiles

/// Elements in memory while several threads write them, each in places that no other reads or writes meanwhile.
///
/// Every access checks its place against the bounds; who writes where is up to the caller.
struct SharedElements<Element: BitwiseCopyable>: @unchecked Sendable {
    private let elements: UnsafeMutableBufferPointer<Element>

    fileprivate init(_ elements: UnsafeMutableBufferPointer<Element>) { self.elements = elements }

    var count: Int { elements.count }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < elements.count, "no such element")
            return elements[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < elements.count, "no such element")
            elements[index] = newValue
        }
    }

    /// Room for elements, each of which is written before it is read; valid during the call. No page of it costs memory
    /// before it is touched.
    static func withRoom<Result>(
        for count: Int, _ body: (SharedElements<Element>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { try body(SharedElements($0)) }
    }
}

extension Array where Element: BitwiseCopyable {
    /// Lets several threads write the elements; valid during the call.
    mutating func withSharedElements<Result>(_ body: (SharedElements<Element>) throws -> Result) rethrows -> Result {
        try withUnsafeMutableBufferPointer { try body(SharedElements($0)) }
    }

    /// Has at most `jobs` threads at once make the elements, each from its place.
    @inline(__always)
    init(count: Int, jobs: Int, _ element: @Sendable (Int) -> Element) {
        self.init(unsafeUninitializedCapacity: count) { room, initializedCount in
            let elements = SharedElements(room)
            let parts = (0..<count).split(every: 1 << 14)
            forEachConcurrently(count: parts.count, jobs: jobs) { part in
                for index in parts[part] { elements[index] = element(index) }
            }
            initializedCount = count
        }
    }
}
