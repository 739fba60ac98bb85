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

/// A hash table of numbers whose keys are stored elsewhere, with open addressing.
struct HashedNumbers: Sendable {
    /// Numbers plus one; 0 for a free slot.
    private var slots: [UInt32]

    /// - Parameter room: the maximum count of numbers.
    init(room: Int) {
        var slotCount = 16
        while slotCount < room * 2 { slotCount *= 2 }
        slots = Array(repeating: 0, count: slotCount)
    }

    var room: Int { slots.count / 2 }

    /// The slot of the number with the same key, or the free slot where it belongs.
    /// - Parameter isSame: whether a number has the same key; its hash may differ.
    @inline(__always)
    func slot(ofHash hash: UInt64, isSame: (Int) -> Bool) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0, !isSame(Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    /// The number in a slot; `nil` if it is free.
    subscript(slot: Int) -> Int? {
        get { slots[slot] == 0 ? nil : Int(slots[slot]) - 1 }
        set { slots[slot] = newValue.map { UInt32($0 + 1) } ?? 0 }
    }
}
