import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

/// What clusters carry, against sums over the rows whose names they list.
@Suite struct ClusterContentTests {
    private struct Row {
        let name: String
        let value: String
        let kind: String
    }

    private static let content = ClusterContentOptions(
        accumulate: [
            Accumulation(name: "name", operation: .comma), Accumulation(name: "a", operation: .sum),
            Accumulation(name: "b", operation: .min), Accumulation(name: "c", operation: .max),
            Accumulation(name: "d", operation: .mean), Accumulation(name: "e", operation: .count),
        ],
        countBy: [CategoryCount(name: "kind", limit: 3)], properties: ["label"])

    /// Rows whose values are decimals, empty or no numbers.
    private func rows(_ points: [WorldPoint], _ random: inout SeededRandom) -> [Row] {
        points.indices.map { index in
            let number = "\(Int.random(in: -5_000...90_000, using: &random)).\(Int.random(in: 1...999, using: &random))"
            return Row(
                name: "n\(index)", value: ["", "n/a", number, number, number][Int.random(in: 0...4, using: &random)],
                kind: ["cafe", "bar", "Zuri_Hb", "other", "", "x"][Int.random(in: 0...5, using: &random)])
        }
    }

    private func csv(_ rows: [Row], _ points: [WorldPoint]) -> String {
        "name,lon,lat,a,b,c,d,e,kind,label\n"
            + zip(rows, points).map { row, point in
                let place = WebMercator.unproject(point)
                let values = Array(repeating: row.value, count: 5).joined(separator: ",")
                return "\(row.name),\(place.longitude),\(place.latitude),\(values),\(row.kind),the \(row.name)\n"
            }.joined()
    }

    @Test(arguments: [ClusteringOptions(maxZoom: 8), ClusteringOptions(position: .centroid, maxZoom: 8)])
    func `every cluster carries what its members come to`(clustering: ClusteringOptions) throws {
        var random = SeededRandom(seed: 12)
        let points = [PointScatter.Shape.everywhere, .lumps, .coincident].flatMap {
            PointScatter.points($0, count: 90, random: &random)
        }
        let rows = rows(points, &random)
        let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })
        let pyramid = try BuiltPyramid(
            csv: csv(rows, points), clustering: clustering, clusters: ClusterContentTests.content)
        let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")
        #expect(pyramid.report.warnings.contains { $0.description.contains("values of \"a\" are not numbers") })

        var clusterCount = 0
        for zoom in 0...7 {
            for cluster in try pyramid.clusters(atZoom: zoom) {
                clusterCount += 1
                guard case .string(let list)? = cluster.properties["name"] else {
                    Issue.record("a cluster without names")
                    continue
                }
                let names = list.split(separator: ",").map(String.init)
                #expect(names == names.sorted() && names.count == cluster.pointCount)
                try expect(cluster, of: try names.map { try #require(byName[$0]) })
            }
        }
        #expect(clusterCount > 50)
    }

    private func expect(_ cluster: Cluster, of members: [Row]) throws {
        let numbers = members.compactMap { Double($0.value) }
        let sum = numbers.reduce(0, +)
        func number(_ name: String) -> Double? {
            if case .number(let value)? = cluster.properties[name] { value } else { nil }
        }
        func isClose(_ found: Double?, _ expected: Double?, within tolerance: Double = 1e-6) -> Bool {
            guard let found, let expected else { return found == nil && expected == nil }
            return abs(found - expected) < tolerance
        }
        #expect(isClose(number("a"), numbers.isEmpty ? nil : sum))
        #expect(isClose(number("b"), numbers.min()))
        #expect(isClose(number("c"), numbers.max()))
        #expect(isClose(number("d"), numbers.isEmpty ? nil : sum / Double(numbers.count)))
        #expect(number("e") == Double(members.count { !$0.value.isEmpty }))
        guard case .string(let label)? = cluster.properties["label"] else {
            Issue.record("a cluster without its anchor's label")
            return
        }
        #expect(members.contains { label == "the \($0.name)" })

        let kinds = Dictionary(grouping: members, by: \.kind).mapValues(\.count)
        let named = kinds.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        var expected: [String: PropertyValue] = [:]
        if named.count <= 3 {
            for (kind, count) in named { expected[kind] = .number(Double(count)) }
        } else {
            let listed = named.filter { $0.key != "other" }.prefix(3)
            for (kind, count) in listed { expected[kind] = .number(Double(count)) }
            expected["other"] = .number(Double(members.count - listed.reduce(0) { $0 + $1.value }))
        }
        #expect(cluster.properties["kind"] == .object(expected))
    }

    @Test func `neither the order of the rows nor the jobs change a byte`() throws {
        var random = SeededRandom(seed: 13)
        let points = PointScatter.points(.lumps, count: 150, random: &random)
        var lines = csv(rows(points, &random), points).split(separator: "\n")
        let header = lines.removeFirst()
        var expected: [String: Data]?
        for jobs in [1, 2, 5] {
            lines.shuffle(using: &random)
            let files = try BuiltPyramid(
                csv: ([header] + lines).joined(separator: "\n"), clustering: ClusteringOptions(maxZoom: 7),
                clusters: ClusterContentTests.content, jobs: jobs
            ).files()
            #expect(expected == nil || files == expected)
            expected = files
        }
    }

    @Test(arguments: Accumulation.Operation.allCases)
    func `a column without values makes a sound pyramid`(operation: Accumulation.Operation) throws {
        for csv in ["lat,lon,size\n1,2,\n1,2.001,\n50,60,\n", "lat,lon,size\n1,2,\n"] {
            let pyramid = try BuiltPyramid(
                csv: csv, clustering: ClusteringOptions(maxZoom: 3),
                clusters: ClusterContentOptions(accumulate: [Accumulation(name: "size", operation: operation)]))
            #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        }
    }

    @Test func `an unknown column is refused with the columns that there are`() throws {
        let error = #expect(throws: InputError.self) {
            try BuiltPyramid(
                csv: "name,lon,lat\na,1,2\n", clustering: ClusteringOptions(),
                clusters: ClusterContentOptions(countBy: [CategoryCount(name: "knd")]))
        }
        #expect(error?.kind == .usage)
        #expect(error?.problem == "no column \"knd\" for \(.countBy), expected one of \"name\", \"lon\", \"lat\"")
    }

    @Test func `priority and weight decide which point keeps its place`() throws {
        // Three places in one micro-cell of zoom 0, the last two rows at one place.
        let csv = """
            name,lon,lat,rank,size
            a,7,9,1,5
            b,8,9,3,1
            c,9,10,2,9
            d,9,10,2,7

            """
        func anchor(_ change: (inout ClusteringOptions) -> Void) throws -> String {
            var clustering = ClusteringOptions(maxZoom: 1)
            change(&clustering)
            let pyramid = try BuiltPyramid(
                csv: csv, clustering: clustering, clusters: ClusterContentOptions(properties: ["name"]))
            #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().isSound)
            let name = try pyramid.clusters(atZoom: 0).first?.properties["name"]
            return if case .string(let name)? = name { name } else { "" }
        }
        // The place of two points is the heaviest; of its points the last in the order of the rows' bytes stands for it.
        #expect(try anchor { _ in } == "d")
        #expect(try anchor { $0.priorityColumn = "rank" } == "b")
        #expect(try anchor { $0.weightColumn = "size" } == "c")
    }
}
