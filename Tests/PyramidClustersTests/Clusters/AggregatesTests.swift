import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters
@testable import PyramidInput

/// Aggregates of clusters that were merged in random orders, against plain sums over their members.
struct AggregatesTests {
    private struct Row {
        /// Hundredths; `nil` for an empty cell.
        let value: Int?
        let kind: String
        let weight: UInt32
    }

    private static let operations: [Accumulation.Operation] = [.sum, .min, .max, .mean]
    private static let limits = [1, 3, 100]

    private func rows(_ count: Int, _ kinds: [String], _ random: inout SeededRandom) -> [Row] {
        (0..<count).map { _ in
            Row(
                value: random.next(below: 4) == 0 ? nil : random.next(below: 20_001) - 10_000,
                kind: kinds[random.next(below: random.next(below: kinds.count) + 1)],
                weight: UInt32(random.next(below: 1000)))
        }
    }

    private func values(of rows: [Row]) throws -> PointValues {
        let csv =
            "lat,lon,value,kind\n" + rows.map { "1,2,\($0.value.map { "\($0)e-2" } ?? ""),\($0.kind)\n" }.joined()
        let points = try CSVReading.table(csv)
        let kind = TextColumn(try points.column(named: "kind", option: .countBy), of: points)
        let numbers = NumberColumn(try points.column(named: "value", option: .accumulateAttribute), of: points)
        return PointValues(
            weights: rows.map(\.weight),
            measures: AggregatesTests.operations.map { .numbers(numbers, $0) } + [.presence(kind)],
            categories: AggregatesTests.limits.map { PointValues.Categories(column: kind, limit: $0) })
    }

    @Test(arguments: 1...12)
    func `clusters merged in any order are the sums over their members`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let kinds = ["", "cafe", "bar", "other", "Zuri", "x", "hut"]
        let rows = rows(seed == 1 ? 2 : 60, seed % 3 == 0 ? ["", "other"] : kinds, &random)
        let values = try values(of: rows)
        for _ in 0..<3 {
            var aggregates = Aggregates(of: values)
            // Points that are in no cluster yet, and clusters that are in no other.
            var parts: [(members: [Int], cluster: Int?)] = rows.indices.map { ([$0], nil) }
            var clusterCount = 0
            while parts.count > 1 {
                aggregates.begin()
                var members: [Int] = []
                for _ in 0..<min(parts.count, random.next(below: 4) + 2) {
                    let part = parts.remove(at: random.next(below: parts.count))
                    if let cluster = part.cluster {
                        aggregates.merge(cluster)
                    } else {
                        aggregates.add(point: part.members[0], of: values)
                    }
                    members += part.members
                }
                aggregates.finish()
                expect(aggregates, clusterCount, of: members.map { rows[$0] }, values)
                parts.append((members, clusterCount))
                clusterCount += 1
            }
        }
    }

    @Test func `more categories than are gathered at once are counted`() throws {
        var random = SeededRandom(seed: 7)
        let rows = rows(5000, (0..<3000).map { "k\($0)" }, &random)
        let values = try values(of: rows)
        var aggregates = Aggregates(of: values)
        for half in [0..<2500, 2500..<5000] {
            aggregates.begin()
            for point in half { aggregates.add(point: point, of: values) }
            aggregates.finish()
        }
        aggregates.begin()
        aggregates.merge(1)
        aggregates.merge(0)
        aggregates.finish()
        // What the merged ones list stays.
        expect(aggregates, 0, of: Array(rows[..<2500]), values, isMerged: true)
        expect(aggregates, 2, of: rows, values)
    }

    private func expect(
        _ aggregates: Aggregates, _ cluster: Int, of members: [Row], _ values: PointValues, isMerged: Bool = false
    ) {
        #expect(aggregates.weights[cluster] == members.reduce(0) { $0 + Int($1.weight) })
        let numbers = members.compactMap(\.value)
        let sum = numbers.reduce(0, +)
        func decimal(_ hundredths: Int) -> FixedDecimal { FixedDecimal(hundredths).divided(by: 100) }
        let results = aggregates.measures.map { $0[cluster] }
        let expected = [
            numbers.isEmpty ? nil : decimal(sum), numbers.min().map(decimal), numbers.max().map(decimal),
            numbers.isEmpty ? nil : decimal(sum).divided(by: numbers.count),
            FixedDecimal(members.count { !$0.kind.isEmpty }),
        ]
        #expect(results == expected)

        let counts = Dictionary(members.map { ($0.kind, 1) }, uniquingKeysWith: +)
        for (index, limit) in AggregatesTests.limits.enumerated() {
            let texts = values.categories[index].column.texts.map { String(decoding: $0, as: UTF8.self) }
            let column = aggregates.categories[index]
            if !isMerged {
                let all = column.all(of: cluster).map { (texts[Int($0.category)], Int($0.count)) }
                #expect(Dictionary(uniqueKeysWithValues: all) == counts)
            }
            let frequent = counts.sorted { ($1.value, Array($0.key.utf8)) < ($0.value, Array($1.key.utf8)) }
            let listed =
                counts.count <= limit ? frequent : Array(frequent.filter { $0.key != "other" }.prefix(limit))
            var lines = listed.map { "\($0.key): \($0.value)" }
            if counts.count > limit { lines.append("rest: \(members.count - listed.reduce(0) { $0 + $1.value })") }
            let shown = column[cluster].sorted(by: CategoryColumn.isMoreFrequent).map {
                "\($0.category == CategoryColumn.rest ? "rest" : texts[Int($0.category)]): \($0.count)"
            }
            #expect(shown == lines)
        }
    }
}

private func < (one: (Int, [UInt8]), two: (Int, [UInt8])) -> Bool {
    one.0 != two.0 ? one.0 < two.0 : one.1.lexicographicallyPrecedes(two.1)
}
