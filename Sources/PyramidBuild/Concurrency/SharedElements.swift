/// The elements of an array while several threads write them, each in places that no other reads or writes meanwhile.
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
}

extension Array where Element: BitwiseCopyable {
    /// Lets several threads write the elements; valid during the call.
    mutating func withSharedElements<Result>(_ body: (SharedElements<Element>) throws -> Result) rethrows -> Result {
        try withUnsafeMutableBufferPointer { try body(SharedElements($0)) }
    }
}
