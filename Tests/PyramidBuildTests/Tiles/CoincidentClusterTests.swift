import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

@Suite struct CoincidentClusterTests {
    @Test func `only a cluster of one coordinate is coincident`() throws {
        let pyramid = try BuiltPyramid(
            csv: "lat,lon\n-18.5,179.5\n-18.5,179.5\n40.25,-3.5\n40.250001,-3.5\n",
            clustering: ClusteringOptions(maxZoom: 4))
        let clusters = try pyramid.clusters(atZoom: 3)
        #expect(clusters.map(\.isCoincident).sorted { $1 } == [false, true])
        #expect(clusters.first { $0.isCoincident }?.coordinate == Coordinate(longitude: 179.5, latitude: -18.5))
        #expect(clusters.allSatisfy { $0.expansionZoom == 4 })
    }

    /// The map ends between the latitudes 85.051128 and 85.051129.
    /// The map ends between the latitudes 85.051128 and 85.051129.
    @Test(arguments: [nil, 3])
    func `places off the map are the place on its edge where they are drawn`(limit: Int?) throws {
        let latitudes = [
            (12.5, ["85.051129", "85.051130", "86", "90"]), (-31.25, ["-85.6", "-86.7", "-87.8", "-88.9", "-90"]),
            // Two places, however near.
            (77.125, ["85.051128", "85.051129", "86.5", "87.5", "88.5", "89.5"]),
        ]
        let rows = latitudes.flatMap { longitude, latitudes in latitudes.map { "\(longitude),\($0)" } }
        var clustering = ClusteringOptions(maxZoom: 4)
        clustering.coincidentLimit = limit
        let pyramid = try BuiltPyramid(
            csv: "id,lon,lat\n" + rows.enumerated().map { "p\($0 + 10),\($1)\n" }.joined(), clustering: clustering,
            clusters: ClusterContentOptions(memberLimit: 2), input: InputOptions(idColumn: "id"))
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        let clusters = try pyramid.clusters(atZoom: 3).sorted { $0.pointCount < $1.pointCount }
        #expect(clusters.map(\.pointCount) == [4, 5, 6])
        #expect(clusters.map(\.isCoincident) == [true, true, false])
        #expect(clusters.map { $0.properties["members"] } == [.array(["p10", "p11"]), .array(["p14", "p15"]), nil])
        #expect(clusters.map { $0.expansionZoom == nil } == [limit != nil, limit != nil, false])
    }
}
