import PyramidTiles

/// How work on many candidates is shared among threads: in parts of a size that is worth another thread.
struct SharedWork: Sendable {
    /// At most so many threads work at once.
    let jobs: Int
    /// How many candidates are a part.
    var partCount = 1 << 13

    func parts(of range: Range<Int>) -> [Range<Int>] { range.split(every: partCount) }

    func forEach(_ parts: [Range<Int>], _ body: @Sendable (_ number: Int, _ part: Range<Int>) -> Void) {
        forEachConcurrently(count: parts.count, jobs: jobs) { body($0, parts[$0]) }
    }

    func map<Result: Sendable>(
        _ parts: [Range<Int>], _ transform: @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        mapConcurrently(count: parts.count, jobs: jobs) { transform(parts[$0]) }
    }

    /// An element for each of `count` candidates: `write` gets a part of them at a time.
    func elements<Element: BitwiseCopyable>(
        count: Int, repeating element: Element, _ write: @Sendable (Range<Int>, SharedElements<Element>) -> Void
    ) -> [Element] {
        var elements = [Element](repeating: element, count: count)
        elements.withSharedElements { elements in forEach(parts(of: 0..<count)) { write($1, elements) } }
        return elements
    }
}
