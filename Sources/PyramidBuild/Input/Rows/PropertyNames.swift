/// Numbers property names, and finds them by their bytes.
struct PropertyNames: Sendable {
    /// The names without escapes.
    private(set) var names: [[UInt8]] = []
    private var hashes: [UInt64] = []
    private var numbers = HashedNumbers(room: 32)

    init(_ names: [[UInt8]] = []) {
        for name in names { _ = insert(name) }
    }

    var count: Int { names.count }

    /// The number of a name; a new name gets a new number.
    mutating func insert(_ name: [UInt8]) -> Int {
        let hash = RowDigest(name.span.bytes).hash
        if let number = number(of: name.span, hash: hash) { return number }
        names.append(name)
        hashes.append(hash)
        if names.count > numbers.room {
            numbers = HashedNumbers(room: numbers.room * 2)
            for number in names.indices { fill(number) }
        } else {
            fill(names.count - 1)
        }
        return names.count - 1
    }

    /// The number of a name in the input's bytes, written without escapes; `guess` is tried first.
    func number(of range: Range<Int>, in bytes: Span<UInt8>, guess: Int) -> Int? {
        let name = bytes.extracting(range)
        if guess < names.count, isName(guess, name) { return guess }
        return number(of: name, hash: RowDigest(name.bytes).hash)
    }

    func number(of name: [UInt8]) -> Int? { number(of: name.span, hash: RowDigest(name.span.bytes).hash) }

    private func number(of name: Span<UInt8>, hash: UInt64) -> Int? {
        numbers[numbers.slot(ofHash: hash) { hashes[$0] == hash && isName($0, name) }]
    }

    private mutating func fill(_ number: Int) {
        numbers[numbers.slot(ofHash: hashes[number]) { _ in false }] = number
    }

    @inline(__always)
    private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
        guard names[number].count == name.count else { return false }
        for index in name.indices where names[number][index] != name[index] { return false }
        return true
    }
}
