import PyramidStore
import PyramidTiles

/// Writes the points of clusters as pages, which clients can show as lists.
struct PageWriter: Sendable {
    let data: MarkerData
    let options: ClusterContentOptions
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let output: any TilesetFileWriter

    /// Clusters that only unclustered zooms show get pages if they are in this range; `nil` for all.
    var codes: ClosedRange<UInt64>?
    /// Gets the pages that are written.
    let files: FileListCollector

    /// How many clusters a worker takes at a time.
    private static let clustersPerChunk = 64

    /// Writes the pages of all clusters that have them: clusters of the last clustered zoom, and clusters that only
    /// unclustered zooms show.
    /// - Parameters:
    ///   - band: nothing is written unless it has the last clustered zoom or, if no zoom is clustered, the first
    ///     zoom.
    ///   - progress: is called by any worker with the number of pages written since the last call.
    func write(
        _ band: TileBand, _ clustering: ClusteringOptions, progress: @escaping @Sendable (_ pages: Int) -> Void
    ) throws {
        let (zoom, zooms) = (clustering.clusterMaxZoom, band.zooms)
        guard band.hasLeaves(atZoom: zooms.upperBound), let clusters = band.clusters,
            zooms.contains(max(zoom, clustering.minZoom))
        else { return }
        let markers = zooms.contains(zoom) ? band.markers(atZoom: zoom) : nil
        let shown = markers.map { $0.numbers.filter(\.isCluster).map { clusters.entry($0) } } ?? []
        let places = clusters.table.places.map { clusters.table.entries[$0] }.filter { place in
            let code = clusters.table.code(ofPoint: Int(place.anchorPoint)).rawValue
            return place.isPlaceOnly && codes?.contains(code) != false
        }
        let listed = (shown + places).filter {
            options.leafPageCount(ofPoints: Int($0.pointCount)) != nil
        }
        try checkIDs(of: listed, clusters)
        let chunks = listed.indices.split(every: PageWriter.clustersPerChunk)
        try SharedWork(jobs: jobs).forEach(count: chunks.count) {
            PageWorker(writer: self, clusters: clusters)
        } _: { worker, chunk in
            let pages = try worker.write(listed[chunks[chunk]])
            progress(pages.count)
            try files.append(pages)
        }
    }

    /// Clusters of different groups can have the same id by chance; their pages would overwrite each other.
    private func checkIDs(of listed: [ClusterTable.Entry], _ clusters: PyramidClusters) throws(OutputError) {
        let ids = listed.map { clusters.id(of: $0) }.sorted()
        guard let id = zip(ids, ids.dropFirst()).first(where: { $0 == $1 })?.0 else { return }
        throw OutputError(repeatedClusterID: id)
    }
}

/// Writes the pages of some clusters, with buffers of its own.
private struct PageWorker: ~Copyable {
    let writer: PageWriter
    let clusters: PyramidClusters
    private var written: [FileList.Entry] = []

    private var encoder = GeoJSONTileEncoder()
    private var compressor: BodyCompressor
    private var marker: MarkerReader

    init(writer: PageWriter, clusters: PyramidClusters) {
        self.writer = writer
        self.clusters = clusters
        compressor = BodyCompressor(writer.storage, level: writer.compressionLevel)
        marker = MarkerReader(writer.data)
    }

    mutating func write(_ listed: ArraySlice<ClusterTable.Entry>) throws -> [FileList.Entry] {
        written.removeAll(keepingCapacity: true)
        for cluster in listed {
            var members: [Int] = []
            clusters.forEachMember(of: cluster) { members.append($0) }
            members.sort()
            let id = Int(clusters.id(of: cluster))
            for page in 0..<PointPage.count(ofPoints: members.count) {
                let start = page * PointPage.pointLimit
                let end = min(start + PointPage.pointLimit, members.count)
                try write(members[start..<end], to: PointPage(clusterID: id, page: page))
            }
        }
        return written
    }

    private mutating func write(_ members: ArraySlice<Int>, to page: PointPage) throws {
        encoder.begin()
        for member in members {
            marker.move(to: member)
            encoder.append(&marker)
        }
        encoder.finish()
        let file = try compressor.store(encoder) { bytes, file in
            try writer.output.write(bytes, to: .page(page), file)
        }
        written.append(FileList.Entry(address: .page(page), file: file))
    }
}
