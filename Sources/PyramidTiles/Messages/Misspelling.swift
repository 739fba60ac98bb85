/// Suggests the existing name that a misspelt one probably stands for.
package enum Misspelling {
    /// The existing name most similar to `name`, ignoring case; the first one of equally similar ones.
    ///
    /// The distance is the number of characters to insert, remove, replace or swap with a neighbour. The limit is a
    /// third of the name's length, or 1 for two or three characters; `nil` if all names exceed it.
    ///
    /// O(n · m) for each name.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let characters = Array(name.lowercased())
        let limit = max(characters.count / 3, characters.count > 1 ? 1 : 0)
        // Very long names come from hostile data and would take long.
        guard !characters.isEmpty, characters.count <= longestName else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in names where abs(candidate.count - characters.count) <= limit {
            let distance = distance(characters, Array(candidate.lowercased()))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    private static let longestName = 64

    /// Source: [optimal string alignment](https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[second.count]
    }
}
