import Foundation
import PyramidBuild
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@Suite(.tags(.slow)) struct MarkerParentsTests {
    private static let variants: [ClusteringOptions] = [
        ClusteringOptions(maxZoom: 7),
        ClusteringOptions(position: .centroid, clusterDistance: 90, minZoom: 1, maxZoom: 7, clusterMaxZoom: 5),
        ClusteringOptions(clusterDistance: 80, minPoints: 4, maxZoom: 7),
    ]

    @Test(arguments: PointScatter.Shape.allCases, variants)
    func `markers that state a cluster, and the one that has its id, add up to it`(
        shape: PointScatter.Shape, options: ClusteringOptions
    ) throws {
        var random = SeededRandom(seed: 31)
        let points = PointScatter.points(shape, count: 90, random: &random)
        let pyramid = try BuiltPyramid(csv: PointRows(points).csv, clustering: options)
        let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")

        var clusterCount = 0
        for zoom in options.minZoom...options.maxZoom {
            let markers = try pyramid.markers(atZoom: zoom).map(\.marker)
            guard zoom > options.minZoom, zoom <= options.clusterMaxZoom + 1 else {
                #expect(markers.allSatisfy { $0.parentID == nil })
                continue
            }
            var counts: [UInt64: Int] = [:]
            var boxes: [UInt64: [BoundingBox]] = [:]
            for marker in markers {
                #expect(marker.parentID == nil || marker.parentID != marker.cluster?.id)
                guard let parent = marker.parentID ?? marker.cluster?.id else { continue }
                counts[parent, default: 0] += marker.pointCount
                boxes[parent, default: []].append(marker.cluster?.boundingBox ?? BoundingBox(marker.coordinate))
            }
            for cluster in try pyramid.clusters(atZoom: zoom - 1) {
                clusterCount += 1
                #expect(counts.removeValue(forKey: cluster.id) == cluster.pointCount)
                #expect(boxes[cluster.id]?.allSatisfy { cluster.boundingBox.contains($0) } == true)
            }
            #expect(counts.isEmpty)
        }
        #expect(clusterCount > 0)
    }

    @Test func `a column called parent gives way, even if no marker has one`() throws {
        for mode in [ClusteringOptions.Mode.markers, .filter] {
            var clustering = ClusteringOptions(maxZoom: 3)
            clustering.mode = mode
            let pyramid = try BuiltPyramid(csv: "lat,lon,parent\n1,2,7\n1.001,2,8\n", clustering: clustering)
            let markers = try pyramid.markers(atZoom: 3).map(\.marker)
            #expect(Set(markers.map(\.parentID)).count == 1 && (markers[0].parentID != nil) == (mode == .markers))
            #expect(pyramid.report.manifest.content.properties == ["parent_"])
        }
    }
}
