import PyramidStore
import TestSupport
import Testing

@testable import PyramidTiles
@testable import PyramidVerification

/// Lies about the markers next to the borders of regions. ``PyramidFixture/findings(jobs:)`` compares what is found in regions
/// and in the whole.
struct BorderLieTests {
    private static let regionCount = 6

    static let options = [
        ClusteringOptions(clusterDistance: 12, maxZoom: 6), ClusteringOptions(method: .grid, maxZoom: 6),
        ClusteringOptions(position: .centroid, clusterDistance: 12, maxZoom: 6),
        ClusteringOptions(clusterDistance: 12, minPoints: 3, maxZoom: 6),
    ]

    private static func fixture(_ options: ClusteringOptions, bundleLimit: Int?) -> PyramidFixture {
        var fixture = PyramidFixture(options, points: .asymmetric(count: 260, seed: 47))
        if let bundleLimit { fixture.storage = TileStorage(layout: .bundles(limit: bundleLimit)) }
        return fixture
    }

    /// Where the regions of a tileset begin.
    private func cuts(of fixture: PyramidFixture) throws -> [UInt64] {
        try fixture.withDirectory { tileset in
            let list = try FileList(decoding: tileset.metadataBytes(of: FileList.fileName))
            let regions = Regions(list, try tileset.manifest(), count: BorderLieTests.regionCount)
            return (1..<regions.count).map { regions[$0].codes.lowerBound }
        }
    }

    /// The last cluster before a code and the first one after it, by their indices.
    private func neighbours(of code: UInt64, _ fixture: PyramidFixture, _ zoom: Int) -> (before: Int, after: Int)? {
        let clusters = (fixture.zooms[zoom] ?? []).enumerated().filter { $1.pointCount > 3 }
            .map { (index: $0, code: MortonCode(WebMercator.project($1.coordinate)).rawValue) }
            .sorted { $0.code < $1.code }
        guard let after = clusters.firstIndex(where: { $0.code >= code }), after > 0 else { return nil }
        return (clusters[after - 1].index, clusters[after].index)
    }

    /// What is found after a lie about the clusters on both sides of a border.
    private func findings(
        _ options: ClusteringOptions, bundleLimit: Int?,
        after lie: (inout PyramidFixture, _ zoom: Int, _ before: Int, _ after: Int) -> Void
    ) throws -> [[Finding]] {
        let sound = BorderLieTests.fixture(options, bundleLimit: bundleLimit)
        #expect(try report(on: sound).findings == [])
        var all: [[Finding]] = []
        for (number, cut) in try cuts(of: sound).enumerated() {
            // Fewer cases than all zooms at all borders.
            let zoom = 1 + number % 4
            guard let (before, after) = neighbours(of: cut, sound, zoom) else { continue }
            var fixture = sound
            lie(&fixture, zoom, before, after)
            all.append(try report(on: fixture).findings)
        }
        #expect(all.count >= 2)
        return all
    }

    private func report(on fixture: PyramidFixture) throws -> VerificationReport {
        try fixture.withDirectory {
            try PyramidVerifier(tileset: $0, jobs: 2).reportByRegions([BorderLieTests.regionCount])
        }
    }

    @Test(arguments: options, [nil, 20])
    func `a point counted on the other side of a border is found`(options: ClusteringOptions, limit: Int?) throws {
        let found = try findings(options, bundleLimit: limit) { fixture, zoom, before, after in
            fixture.edit(zoom, before) { $0.with(pointCount: $0.pointCount - 1) }
            fixture.edit(zoom, after) { $0.with(pointCount: $0.pointCount + 1) }
        }
        // Where the exact members aren't known, both counts can be possible.
        let areExact = options.method == .grid || options.position == .anchor && options.minPoints == 2
        if areExact { #expect(found.allSatisfy { $0.contains { $0.kind == .wrongNesting } }) }
    }

    @Test(arguments: options, [nil, 20])
    func `a marker moved by one unit is found`(options: ClusteringOptions, limit: Int?) throws {
        let found = try findings(options, bundleLimit: limit) { fixture, zoom, before, _ in
            fixture.edit(zoom, before) { cluster in
                let place = cluster.coordinate
                return cluster.with(
                    coordinate: Coordinate(
                        longitudeMicrodegrees: place.longitudeMicrodegrees + 1,
                        latitudeMicrodegrees: place.latitudeMicrodegrees))
            }
        }
        // Clusters of fewer points hide where others are.
        if options.placesAreAnchors, options.minPoints == 2 { #expect(found.allSatisfy { !$0.isEmpty }) }
    }

    @Test(arguments: options, [nil, 20])
    func `a cluster with the id or the place of one in another region is found`(
        options: ClusteringOptions, limit: Int?
    ) throws {
        let ids = try findings(options, bundleLimit: limit) { fixture, zoom, before, after in
            guard case .cluster(let other)? = fixture.zooms[zoom]?[after] else { return }
            fixture.edit(zoom, before) { $0.with(id: other.id) }
        }
        #expect(ids.allSatisfy { $0.contains { $0.kind == .repeatedID } })
        let places = try findings(options, bundleLimit: limit) { fixture, zoom, before, after in
            guard case .cluster(let other)? = fixture.zooms[zoom]?[after] else { return }
            fixture.edit(zoom, before) { $0.with(coordinate: other.coordinate) }
        }
        #expect(places.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: options, [nil, 20])
    func `a cluster that is left out is found`(options: ClusteringOptions, limit: Int?) throws {
        let found = try findings(options, bundleLimit: limit) { fixture, zoom, _, after in
            fixture.zooms[zoom]?.remove(at: after)
        }
        #expect(found.allSatisfy { $0.contains { $0.kind == .wrongSum } && $0.contains { $0.kind == .wrongNesting } })
    }
}
