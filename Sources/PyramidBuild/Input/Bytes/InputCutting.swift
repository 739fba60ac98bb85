/// How an input is cut into parts that several threads read at once.
struct InputCutting: Sendable {
    /// How many threads work at once.
    var jobs = 1
    /// Of a part, about.
    var partBytes = 1 << 19

    /// Parts for each thread between one time that all wait for each other and the next.
    private static let partsPerJob = 16

    /// The next parts from `start` on, each up to a line end; not all parts of a large input, because what is read of
    /// them is there twice for a while.
    func nextParts(of bytes: Span<UInt8>, from start: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = start
        while start < bytes.count, parts.count < (jobs > 1 ? jobs * InputCutting.partsPerJob : 1) {
            let end = bytes.nextLine(after: min(start + partBytes, bytes.count))
            parts.append(start..<end)
            start = end
        }
        return parts
    }
}
