import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild

/// Data on which a careless clustering is slow or breaks its promises.
@Suite(.tags(.slow)) struct AdversarialDataTests {
    @Test func `a chain of 400 places with rising counts keeps the distance`() throws {
        // 30 pixels apart at zoom 8, each of more points than the one before it: nearly none is the highest around.
        let pixel = UInt32(1) << 16
        let chain = (0..<400).flatMap { index in
            let place = WorldPoint(
                x: 3_900_000_000 &+ UInt32(index) * 30 * pixel, y: 1_500_000_000 + UInt32(index) * pixel)
            return [WorldPoint](repeating: place, count: index / 8 + 1)
        }
        try expectSound(chain, ClusteringOptions(maxZoom: 9))
    }

    @Test func `200,000 points at one coordinate are one cluster until they stand by themselves`() throws {
        let points = [WorldPoint](repeating: WorldPoint(x: 3_000_000_000, y: 1_234_567_890), count: 200_000)
        let pyramid = try expectSound(points, ClusteringOptions(maxZoom: 2))
        for zoom in 0...1 {
            let markers = try pyramid.markers(atZoom: zoom)
            #expect(markers.count == 1)
            let cluster = try #require(markers.first?.marker.cluster)
            #expect(cluster.pointCount == 200_000)
            #expect(cluster.expansionZoom == 2)
        }
    }

    @Test func `a dense line keeps the distance`() throws {
        // Sixty points to a pixel of zoom 6.
        let line = (0..<60_000).map {
            WorldPoint(x: 4_290_000_000 &+ UInt32($0) * 4_369, y: 2_900_000_000 + UInt32($0))
        }
        try expectSound(line, ClusteringOptions(maxZoom: 7))
    }

    @discardableResult
    private func expectSound(_ points: [WorldPoint], _ options: ClusteringOptions) throws -> BuiltPyramid {
        let pyramid = try BuiltPyramid(csv: PointRows(points).csv, clustering: options)
        let report = PyramidVerifier(tileset: pyramid.directory).verify()
        #expect(report.findings.isEmpty, "\(report.findings.map(\.description))")
        #expect(report.points == points.count)
        #expect(report.zooms.allSatisfy { $0.points == points.count })
        return pyramid
    }
}
