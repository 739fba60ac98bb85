/// Numbers property names, and finds them by their bytes.
package struct PropertyNames: Sendable {
    /// The names without escapes.
    package private(set) var names: [[UInt8]] = []
    /// By the hash of the name, or the next key that is free.
    private var numbers: [UInt64: Int] = [:]

    init(_ names: [[UInt8]] = []) {
        for name in names { _ = insert(name) }
    }

    package var count: Int { names.count }

    /// The number of a name; a new name gets a new number.
    package mutating func insert(_ name: [UInt8]) -> Int {
        if let number = number(of: name) { return number }
        var key = RowDigest(name.span.bytes).hash
        while numbers[key] != nil { key &+= 1 }
        numbers[key] = names.count
        names.append(name)
        return names.count - 1
    }

    /// The number of a name in the input's bytes, written without escapes; `guess` is tried first.
    package func number(of range: Range<Int>, in bytes: Span<UInt8>, guess: Int) -> Int? {
        let name = bytes.extracting(range)
        return guess < names.count && isName(guess, name) ? guess : number(of: name)
    }

    package func number(of name: [UInt8]) -> Int? { number(of: name.span) }

    private func number(of name: Span<UInt8>) -> Int? {
        var key = RowDigest(name.bytes).hash
        while let number = numbers[key] {
            if isName(number, name) { return number }
            key &+= 1
        }
        return nil
    }

    @inline(__always)
    private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
        guard names[number].count == name.count else { return false }
        for index in name.indices where names[number][index] != name[index] { return false }
        return true
    }
}
