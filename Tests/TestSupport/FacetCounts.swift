/// The facets of a cluster in a GeoJSON tile, as the article on the format has them.
public struct FacetCounts {
    /// In the order of the combinations.
    public var pairs: [(combination: Int, count: Int)]

    public init(pairs: [(combination: Int, count: Int)]) { self.pairs = pairs }

    /// - Parameter stated: the gaps and the counts.
    public init(stated: [[Int]], pointCount: Int) {
        pairs = []
        let combinationCount = pointCount - stated[1].reduce(0, +)
        var combination = -1
        for index in 0..<combinationCount {
            combination += 1 + (stated[0].dropFirst(index).first ?? 0)
            pairs.append((combination, 1 + (stated[1].dropFirst(index).first ?? 0)))
        }
    }

    public var text: String {
        let gaps = zip(pairs, [-1] + pairs.map(\.combination)).map { $0.combination - $1 - 1 }
        let lists = [gaps, pairs.map { $0.count - 1 }].map { list in
            let kept = list.prefix((list.lastIndex { $0 != 0 } ?? -1) + 1)
            return "[" + kept.map(String.init).joined(separator: ",") + "]"
        }
        return "[" + lists.joined(separator: ",") + "]"
    }
}
