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
