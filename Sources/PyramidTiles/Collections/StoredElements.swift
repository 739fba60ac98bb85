/// Elements in an array, or in memory that another object owns, such as a mapped file. Copies share the elements.
public struct StoredElements<Element: BitwiseCopyable & Sendable>: RandomAccessCollection, Sendable {
    @usableFromInline let storage: Storage

    @usableFromInline
    enum Storage: @unchecked Sendable {
        case array([Element])
        case memory(UnsafeBufferPointer<Element>, owner: AnyObject)
    }

    @inlinable public init(_ elements: consuming [Element] = []) { storage = .array(elements) }

    /// - Parameters:
    ///   - memory: nobody writes to it.
    ///   - owner: keeps the memory valid as long as it lives.
    @inlinable package init(_ memory: UnsafeBufferPointer<Element>, owner: some AnyObject & Sendable) {
        storage = .memory(memory, owner: owner)
    }

    @inlinable public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int {
        switch storage {
        case .array(let elements): elements.count
        case .memory(let elements, _): elements.count
        }
    }

    @inlinable public subscript(index: Int) -> Element {
        switch storage {
        case .array(let elements): return elements[index]
        case .memory(let elements, _):
            precondition(index >= 0 && index < elements.count, "no such element")
            return elements[index]
        }
    }

    /// The object that keeps the elements; `nil` if they are in an array.
    package var owner: AnyObject? {
        if case .memory(_, let owner) = storage { owner } else { nil }
    }

    /// Calls `body` with the elements, valid during the call.
    @inlinable
    package func withUnsafeBufferPointer<Result, Failure>(
        _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .array(let elements): return try elements.withUnsafeBufferPointer(body)
        case .memory(let elements, let owner):
            defer { withExtendedLifetime(owner) {} }
            return try body(elements)
        }
    }
}

extension StoredElements: Equatable where Element: Equatable {
    public static func == (left: StoredElements, right: StoredElements) -> Bool { left.elementsEqual(right) }
}
