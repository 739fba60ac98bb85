import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidParts

/// Builds in parts against builds in memory, of data that random builds rarely have.
@Suite struct PartwiseEdgeTests {
    private struct Place {
        var latitude, longitude: Double
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter limits: those of a build in parts; `nil` for one in memory.
    private func build(
        _ places: [Place], _ output: String, _ limits: PartLimits? = nil, change: (inout BuildOptions) -> Void
    ) throws -> BuildReport {
        let csv = "lat,lon\n" + places.map { "\($0.latitude),\($0.longitude)\n" }.joined()
        var clustering = ClusteringOptions(maxZoom: 8)
        clustering.clusterDistance = 8
        var options = BuildOptions(
            inputPaths: [try folder.file("t.csv", csv)], outputPath: folder.path(output), clustering: clustering)
        options.syncs = false
        options.memoryLimit = .bytes(1 << 40)
        change(&options)
        var builder = PyramidBuilder(options: options)
        builder.partLimits = limits
        return try builder.build()
    }

    private func files(_ output: String) throws -> [String: String] {
        try fileTree(at: folder.path(output)).mapValues { $0.base64EncodedString() }
    }

    /// In the north and west of the world; none in the south-east.
    private let places = (0..<90).map { index in
        let (latitude, longitude) = (Double(index * 7 % 71) + 2.5, Double(index * 37 % 161) + 3.5)
        return index % 3 == 0
            ? Place(latitude: latitude, longitude: longitude)
            : Place(latitude: index % 3 == 1 ? latitude : -latitude, longitude: -longitude)
    }

    @Test func `the mean of points in two parts may lie in a third one that has no points`() throws {
        let pair = [Place(latitude: 0.005, longitude: 0.04), Place(latitude: -0.035, longitude: -0.004)]
        let reports = try [nil, PartLimits(rowsRead: 30, rowsPerPart: 20, joinMarkers: 512)].map { limits in
            try build(places + pair, limits == nil ? "whole" : "parts", limits) { $0.clustering.position = .centroid }
        }
        #expect(try #require(reports[1].partwise).partCount > 3)
        let (whole, parts) = (try files("whole"), try files("parts"))
        // The cluster's tile, south-east of 0, 0.
        #expect(whole.keys.contains { $0.hasPrefix("tiles/7/64/64.") })
        #expect(whole == parts)
    }

    @Test func `a build in parts over its own bundles changes nothing`() throws {
        let limits = PartLimits(rowsRead: 30, rowsPerPart: 20, joinMarkers: 512)
        // Too many for a bundle in a tile of the cut zoom.
        let crowd = (0..<12).map { Place(latitude: 40 + Double($0 % 4) * 0.06, longitude: 30 + Double($0 / 4) * 0.06) }
        let outputs = try (0..<2).map { _ in
            let report = try build(places + crowd, "out", limits) { $0.storage.layout = .bundles(limit: 4) }
            #expect(report.partwise != nil)
            return (report.changes, try files("out"))
        }
        #expect(outputs[0].1.count > 30 && outputs[0].1 == outputs[1].1)
        #expect(outputs[1].0.written == 0)
    }

    /// At zoom 5 all pairs are still together, and hardly any other place is.
    @Test func `a build in parts chooses the max zoom at which pairs come apart`() throws {
        let places = (0..<100).flatMap { index in
            let place = Place(latitude: -3.1, longitude: Double(index) * 0.45 - 20.2)
            return index % 10 < 3 ? [place, Place(latitude: -3.1, longitude: place.longitude + 0.03)] : [place]
        }
        let choices = try [nil, PartLimits(rowsRead: 30, rowsPerPart: 40, joinMarkers: 110)].map { limits in
            let report = try build(places, limits == nil ? "whole" : "parts", limits) {
                $0.choosesMaxZoom = true
                $0.freeTiles = 0
            }
            #expect((report.partwise?.partCount ?? 0 > 2) == (limits != nil))
            return try #require(report.maxZoomChoice)
        }
        #expect(choices[0].zoom == 9)
        #expect("\(choices[0])" == "\(choices[1])")
    }
}
