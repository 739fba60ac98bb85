import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidVerification

@Suite(.tags(.slow)) struct MarkerParentsTests {
    private static let variants: [ClusteringOptions] = [
        ClusteringOptions(maxZoom: 7),
        ClusteringOptions(position: .centroid, clusterDistance: 90, minZoom: 1, maxZoom: 7, clusterMaxZoom: 5),
        ClusteringOptions(clusterDistance: 80, minPoints: 4, maxZoom: 7),
        ClusteringOptions(method: .grid, maxZoom: 7),
        ClusteringOptions(method: .grid, position: .inset, minPoints: 3, maxZoom: 7),
    ]
    private static let content: ClusterContentOptions = {
        var content = ClusterContentOptions()
        content.hasParents = true
        return content
    }()

    private func parent(of marker: Marker) -> UInt64? {
        if case .number(let id)? = marker.properties["parent"] { UInt64(id) } else { nil }
    }

    @Test(arguments: PointScatter.Shape.allCases, variants)
    func `parents are the clusters above, and their markers add up to them`(
        shape: PointScatter.Shape, options: ClusteringOptions
    ) throws {
        var random = SeededRandom(seed: 31)
        let points = PointScatter.points(shape, count: 90, random: &random)
        let pyramid = try BuiltPyramid(
            csv: PointRows(points).csv, clustering: options, clusters: MarkerParentsTests.content)
        let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")

        var clusterCount = 0
        for zoom in options.minZoom...options.maxZoom {
            let markers = try pyramid.markers(atZoom: zoom).map(\.marker)
            guard zoom > options.minZoom, zoom <= options.clusterMaxZoom + 1 else {
                #expect(markers.allSatisfy { parent(of: $0) == nil })
                continue
            }
            var counts: [UInt64: Int] = [:]
            var boxes: [UInt64: [BoundingBox]] = [:]
            for marker in markers {
                guard let parent = parent(of: marker) else { continue }
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

    @Test func `a column called parent gives way`() throws {
        let pyramid = try BuiltPyramid(
            csv: "lat,lon,parent\n1,2,x\n1.001,2,y\n", clustering: ClusteringOptions(maxZoom: 3),
            clusters: MarkerParentsTests.content)
        let markers = try pyramid.markers(atZoom: 3).map(\.marker)
        #expect(Set(markers.map { parent(of: $0) }).count == 1 && parent(of: markers[0]) != nil)
        #expect(pyramid.report.manifest.content.properties == ["parent_"])
    }

    @Test func `markers without the parents that the manifest promises are found against the input`() throws {
        let pyramid = try BuiltPyramid(
            csv: "lat,lon\n1,2\n1.001,2\n40,60\n", clustering: ClusteringOptions(maxZoom: 3))
        var manifest = try pyramid.directory.manifest()
        manifest.content.clusters.hasParents = true
        try Data(manifest.encoded()).write(
            to: URL(fileURLWithPath: pyramid.directory.path(ofFile: Manifest.fileName)))
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().isSound)
        let input = pyramid.folder.path("points0")
        let report = try InputVerifier(tileset: pyramid.directory, inputPaths: [input]).verify()
        #expect(report.differences.contains { $0.kind == .wrongTile })
    }
}
