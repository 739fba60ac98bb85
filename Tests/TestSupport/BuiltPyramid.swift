import Foundation
import PyramidBuild
import PyramidInput
import PyramidParts
import PyramidStore
import PyramidTiles
import Testing

/// A pyramid in a temporary folder, which is removed with it.
package final class BuiltPyramid {
    package let folder: TemporaryFolder
    package let report: BuildReport
    package var path: String { folder.path("out") }
    package var directory: DirectoryTileset { DirectoryTileset(path: path) }

    package convenience init(
        csv: String, clustering: ClusteringOptions, clusters: ClusterContentOptions = ClusterContentOptions(),
        input: InputOptions = InputOptions(), jobs: Int = 2, choosesMaxZoom: Bool = false,
        choosesClusterMaxZoom: Bool = true
    ) throws {
        try self.init(
            inputs: [Data(csv.utf8)], clustering: clustering, clusters: clusters, input: input, jobs: jobs,
            choosesMaxZoom: choosesMaxZoom, choosesClusterMaxZoom: choosesClusterMaxZoom)
    }

    /// - Parameter inputs: the contents of files that are read in this order.
    package init(
        inputs: [Data], clustering: ClusteringOptions, clusters: ClusterContentOptions = ClusterContentOptions(),
        input: InputOptions = InputOptions(), jobs: Int = 2, choosesMaxZoom: Bool = false,
        choosesClusterMaxZoom: Bool = true
    ) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let files = try inputs.enumerated().map { try folder.file("points\($0)", $1) }
        var options = BuildOptions(
            inputPaths: files, outputPath: folder.path("out"), input: input,
            clustering: clustering, clusters: clusters, jobs: jobs)
        options.choosesMaxZoom = choosesMaxZoom
        options.choosesClusterMaxZoom = choosesClusterMaxZoom
        options.syncs = false
        report = try PyramidBuilder(options: options).build()
    }

    /// All the markers of a zoom, with the tiles that hold them.
    package func markers(atZoom zoom: Int) throws -> [(tile: TileCoordinate, marker: Marker)] {
        try directory.tileEntries().filter { $0.address.z == zoom }.flatMap { entry in
            try (directory.tile(at: entry.address)?.markers ?? []).map { (entry.address, $0) }
        }
    }

    package func clusters(atZoom zoom: Int) throws -> [Cluster] {
        try markers(atZoom: zoom).compactMap(\.marker.cluster)
    }

    /// Every file by its path.
    package func files() throws -> [String: Data] { try fileTree(at: path) }
}

extension BuildOptions {
    /// Builds a tileset in memory.
    /// - Parameter input: text to read instead of the files.
    package func memoryTileset(of input: String? = nil) throws -> MemoryTileset {
        let folder = try TemporaryFolder()
        var options = self
        if let input { options.inputPaths = [try folder.file("points", input)] }
        try #require(options.problem == nil, "\(options.problem?.description ?? "")")
        let tileset = MemoryTileset(storage: storage)
        _ = try PyramidBuilder(options: options).build { _ in tileset }
        return tileset
    }
}

/// Rows of a CSV file with coordinates, and a few more columns.
package struct PointRows {
    package var rows: [String]

    package init(_ points: [WorldPoint]) {
        rows = points.enumerated().map { index, point in
            let coordinate = WebMercator.unproject(point)
            return "p\(index),\(coordinate.longitude),\(coordinate.latitude),\(index % 7)"
        }
    }

    package var csv: String { "name,lon,lat,rank\n" + rows.map { $0 + "\n" }.joined() }
}
