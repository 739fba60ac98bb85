import PyramidStore
import PyramidTiles

/// Writes the points of clusters as pages, which a client can show as a list.
struct LeafWriter: Sendable {
    let source: MarkerSource
    let options: ClusterContentOptions
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetWriter

    /// A worker takes so many clusters at a time.
    private static let clustersPerChunk = 64

    /// Writes the pages of all clusters of a zoom that have some.
    /// - Parameters:
    ///   - clusters: of the same zoom, with their members.
    ///   - progress: is called with the number of pages that were written since the last call, by any worker.
    /// - Returns: what stands in the list of pages, in no particular order.
    func write(
        _ markers: ArrangedMarkers, clusters: PyramidClusters, progress: @escaping @Sendable (_ pages: Int) -> Void
    ) throws -> [LeafList.Entry] {
        let listed = markers.numbers.filter(\.isCluster).map { clusters.entry($0) }.filter {
            options.leafPageCount(ofPoints: Int($0.pointCount)) != nil
        }
        try checkIDs(of: listed, clusters)
        let chunks = stride(from: 0, to: listed.count, by: LeafWriter.clustersPerChunk).map {
            listed[$0..<min($0 + LeafWriter.clustersPerChunk, listed.count)]
        }
        let pageCount = listed.reduce(0) { $0 + LeafPage.count(ofPoints: Int($1.pointCount)) }
        return try writeConcurrently(chunkCount: chunks.count, limit: pageCount, jobs: jobs) {
            LeafWorker(writer: self, clusters: clusters, chunks: chunks)
        } chunkWritten: {
            progress($1)
        }
    }

    /// Clusters of different groups can have one id, if only by chance: then the pages of one would replace the other's.
    private func checkIDs(of listed: [ClusterTable.Entry], _ clusters: PyramidClusters) throws(OutputError) {
        let ids = listed.map { clusters.id(of: $0) }.sorted()
        guard let id = zip(ids, ids.dropFirst()).first(where: { $0 == $1 })?.0 else { return }
        throw OutputError(repeatedClusterID: id)
    }
}

private struct LeafWorker: ~Copyable, ChunkWorker {
    let writer: LeafWriter
    let clusters: PyramidClusters
    let chunks: [ArraySlice<ClusterTable.Entry>]
    private var written: [LeafList.Entry] = []

    private var encoder = GeoJSONTileEncoder()
    private var compressor: BodyCompressor
    private var marker: MarkerReader

    init(writer: LeafWriter, clusters: PyramidClusters, chunks: [ArraySlice<ClusterTable.Entry>]) {
        self.writer = writer
        self.clusters = clusters
        self.chunks = chunks
        compressor = BodyCompressor(writer.storage.compression, level: writer.compressionLevel)
        marker = MarkerReader(writer.source)
    }

    mutating func write(chunk: Int) throws -> [LeafList.Entry] {
        written.removeAll(keepingCapacity: true)
        for cluster in chunks[chunk] {
            var members: [Int] = []
            clusters.members?.forEachPoint(of: cluster) { members.append($0) }
            members.sort()
            let id = Int(clusters.id(of: cluster))
            for page in 0..<LeafPage.count(ofPoints: members.count) {
                let start = page * LeafPage.pointLimit
                let end = min(start + LeafPage.pointLimit, members.count)
                try write(members[start..<end], to: LeafPage(clusterID: id, page: page))
            }
        }
        return written
    }

    private mutating func write(_ members: ArraySlice<Int>, to page: LeafPage) throws {
        encoder.begin()
        for member in members {
            marker.move(to: member)
            encoder.append(&marker)
        }
        encoder.finish()
        let file = try compressor.store(encoder) { bytes, file in
            try writer.output.write(bytes, to: .page(page), file)
        }
        written.append(LeafList.Entry(address: page, file: file))
    }
}
