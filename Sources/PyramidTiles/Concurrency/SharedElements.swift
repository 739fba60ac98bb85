/// Memory that several threads write at once. Every access is checked against the bounds; no two threads may use the
/// same element.
@usableFromInline
package struct SharedElements<Element: BitwiseCopyable>: @unchecked Sendable {
    @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

    @inlinable package init(_ elements: UnsafeMutableBufferPointer<Element>) { self.elements = elements }

    @inlinable package var count: Int { elements.count }

    @inlinable @inline(__always)
    package subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < elements.count, "no such element")
            return elements[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < elements.count, "no such element")
            elements[index] = newValue
        }
    }

    /// Calls `body` with memory for `count` elements, valid during the call. Write each element before reading it; a
    /// page of memory that is never touched costs nothing.
    @inlinable
    package static func withRoom<Result>(
        for count: Int, _ body: (SharedElements<Element>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { try body(SharedElements($0)) }
    }
}

extension Array where Element: BitwiseCopyable {
    /// Calls `body` with the elements, for several threads to write; valid during the call.
    @inlinable
    package mutating func withSharedElements<Result>(
        _ body: (SharedElements<Element>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutableBufferPointer { try body(SharedElements($0)) }
    }
}
