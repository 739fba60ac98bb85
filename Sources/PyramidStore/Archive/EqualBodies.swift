import PyramidTiles

/// Finds bodies with the same bytes.
enum EqualBodies {
    /// The number of a body, sorted by something that equal bodies share.
    private struct KeyedNumber: SortableElement {
        var key: UInt64
        var number: UInt32

        var sortKey: UInt128 { UInt128(key) << 32 | UInt128(number) }
    }

    /// Up to this many bodies with the same size and checksum are all compared with each other. If there are more, only
    /// those with equal hashes are.
    private static let comparedCount = 4

    /// For each body, the first one with the same bytes. O(n log n). Reads no body more than a few times, unless hashes
    /// are equal by chance.
    /// - Parameter bytes: reads a range of the work file.
    static func first(
        of bodies: StoredElements<ArchiveContents.Body>, _ memory: ListMemory,
        bytes readBytes: (Range<Int>) throws(OutputError) -> [UInt8]
    ) throws(OutputError) -> ElementTable<UInt32> {
        let first = try ElementTable(count: bodies.count, memory) { UInt32($0) }
        func bytes(of number: UInt32) throws(OutputError) -> [UInt8] { try readBytes(bodies[Int(number)].workRange) }
        /// Sets the first body for one, or adds it to those that are the first of their kind.
        func compare(_ number: UInt32, with different: inout [UInt32]) throws(OutputError) {
            let content = different.isEmpty ? [] : try bytes(of: number)
            for earlier in different where try bytes(of: earlier) == content {
                first[Int(number)] = earlier
                return
            }
            different.append(number)
        }

        var sorter = RunSorter<KeyedNumber>(memory)
        for (number, body) in bodies.enumerated() {
            let key = UInt64(body.byteCount) << 32 | UInt64(body.crc32)
            try sorter.append(KeyedNumber(key: key, number: UInt32(number)))
        }
        // Different bodies can have the same checksum. Many do if gzip stores them uncompressed: the CRC-32 of bytes that
        // are followed by their own CRC-32 depends only on their number.
        var hashed = RunSorter<KeyedNumber>(memory)
        func hash(_ number: UInt32) throws(OutputError) {
            let hash = try bytes(of: number).withUnsafeBytes { StableHash.hash($0) }
            try hashed.append(KeyedNumber(key: hash, number: number))
        }
        var (key, count): (UInt64?, Int) = (nil, 0)
        var few: [UInt32] = []
        func compareFew() throws(OutputError) {
            var different: [UInt32] = []
            for number in few { try compare(number, with: &different) }
            few.removeAll(keepingCapacity: true)
        }
        try sorter.forEach { body throws(OutputError) in
            if body.key != key {
                try compareFew()
                (key, count) = (body.key, 0)
            }
            count += 1
            few.append(body.number)
            if count > EqualBodies.comparedCount {
                for number in few { try hash(number) }
                few.removeAll(keepingCapacity: true)
            }
        }
        try compareFew()
        var different: [UInt32] = []
        key = nil
        try hashed.forEach { body throws(OutputError) in
            if body.key != key {
                different.removeAll(keepingCapacity: true)
                key = body.key
            }
            try compare(body.number, with: &different)
        }
        return first
    }
}
