import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild

@Suite struct FilterModeTests {
    @Test func `what is hidden has no weight, and that is sound`() throws {
        var options = ClusteringOptions(maxZoom: 2)
        options.mode = .filter
        options.weightColumn = "n"
        let pyramid = try BuiltPyramid(csv: "lon,lat,n\n10,50,3\n10,50,4\n-70,-30,5\n", clustering: options)
        #expect(pyramid.report.manifest.totals.weight == 12)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
    }

    private var filter: ClusteringOptions {
        var options = ClusteringOptions(maxZoom: 7)
        options.mode = .filter
        return options
    }

    /// The name of every marker's own point, and for how many points it stands.
    private func counts(_ pyramid: BuiltPyramid, atZoom zoom: Int) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (_, marker) in try pyramid.markers(atZoom: zoom) {
            guard case .string(let name)? = marker.properties["name"] else {
                Issue.record("a marker without a name")
                continue
            }
            if case .number(let count)? = marker.point?.properties["point_count"] {
                counts[name] = Int(count)
            } else {
                counts[name] = marker.pointCount
            }
        }
        return counts
    }

    @Test(arguments: PointScatter.Shape.allCases)
    func `what is kept are the clusters' anchors, each with its count`(shape: PointScatter.Shape) throws {
        var random = SeededRandom(seed: 41)
        let csv = PointRows(PointScatter.points(shape, count: 110, random: &random)).csv
        let clusters = try BuiltPyramid(
            csv: csv, clustering: ClusteringOptions(maxZoom: 7), clusters: ClusterContentOptions(properties: ["name"]))
        let filtered = try BuiltPyramid(csv: csv, clustering: filter)
        #expect(try PyramidVerifier(tileset: filtered.directory).checkedReport().findings == [])
        for zoom in 0...7 {
            #expect(try counts(filtered, atZoom: zoom) == counts(clusters, atZoom: zoom))
            let points = try filtered.markers(atZoom: zoom).map(\.marker)
            #expect(points.allSatisfy { $0.properties["point_count"] != nil && $0.parentID == nil })
        }
    }

    @Test func `a filter goes with nothing that it does not do`() {
        var options = BuildOptions(inputPaths: ["a.csv"], outputPath: "out", clustering: filter)
        #expect(options.problem == nil)
        options.clusters.countBy = [CategoryCount(name: "kind")]
        #expect(options.problem?.description.contains("mode filter") == true)
        options.clusters.countBy = []
        options.clustering.position = .centroid
        #expect(options.problem != nil)
    }
}
