import PyramidTiles

/// Cuts a zoom into tiles; workers encode them, compress them and hand them to the sink.
struct TileWriter: Sendable {
    let points: PointTable
    let content: ClusterContent
    let countLabel: CountLabel
    /// Whether points say for how many they stand.
    let keepsCount: Bool
    /// The points that are never merged.
    let unclustered: Range<Int>
    let storage: TileStorage
    let compressionLevel: Int
    let jobs: Int
    let sink: any TileSink

    /// A worker takes so many markers at a time, and the rest of the last tile.
    private static let markersPerChunk = 1024

    /// Writes all the tiles of a zoom.
    /// - Parameters:
    ///   - clusters: of the same zoom; `nil` where nothing is clustered.
    ///   - progress: is called with the numbers of tiles and markers that were written since the last call, by any
    ///     worker.
    /// - Returns: what stands in the list of tiles, in no particular order.
    func write(
        _ markers: ZoomMarkers, clusters: ZoomClusters?,
        progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> [TileList.Entry] {
        let chunks = chunks(of: markers)
        return try writeConcurrently(chunkCount: chunks.count, jobs: jobs) {
            TileWorker(writer: self, markers: markers, clusters: clusters, chunks: chunks)
        } chunkWritten: { chunk, tiles in
            progress(tiles, chunks[chunk].count)
        }
    }

    /// Ranges of markers that end where a tile ends.
    private func chunks(of markers: ZoomMarkers) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        while start < markers.entries.count {
            var end = min(start + TileWriter.markersPerChunk, markers.entries.count)
            while end < markers.entries.count, markers.tileNode(of: end) == markers.tileNode(of: end - 1) { end += 1 }
            chunks.append(start..<end)
            start = end
        }
        return chunks
    }
}

/// One of the workers that write the tiles of a zoom, with buffers of its own.
private struct TileWorker: ~Copyable, ChunkWorker {
    let writer: TileWriter
    let markers: ZoomMarkers
    let clusters: ZoomClusters?
    let chunks: [Range<Int>]
    private(set) var written: [TileList.Entry] = []

    private var encoder = GeoJSONTileEncoder()
    private var compressor: BodyCompressor
    private var inflater: GzipInflater?
    private var scratch: RecordScratch

    init(writer: TileWriter, markers: ZoomMarkers, clusters: ZoomClusters?, chunks: [Range<Int>]) {
        self.writer = writer
        self.markers = markers
        self.clusters = clusters
        self.chunks = chunks
        compressor = BodyCompressor(writer.storage.compression, level: writer.compressionLevel)
        scratch = writer.points.makeScratch()
    }

    mutating func write(chunk: Int) throws {
        let chunk = chunks[chunk]
        var start = chunk.lowerBound
        while start < chunk.upperBound {
            let node = markers.tileNode(of: start)
            var end = start + 1
            while end < chunk.upperBound, markers.tileNode(of: end) == node { end += 1 }
            try writeTile(of: start..<end)
            start = end
        }
    }

    private mutating func writeTile(of range: Range<Int>) throws {
        encoder.begin()
        for index in range { append(markers.entries[index], at: index) }
        encoder.end()
        try checkSize(of: range)
        let place = MortonCode(rawValue: markers.entries[range.lowerBound].code).point
        let tile = TileCoordinate(containing: place, atZoom: markers.zoom)
        let file = try compressor.store(encoder) { json, crc32 in
            writer.sink.keep(tile, with: json, crc32: crc32, inflater: &inflater)
        } _: { bytes, file in
            try writer.sink.write(bytes, for: TileList.Entry(tile: tile, file: file))
        }
        written.append(TileList.Entry(tile: tile, file: file))
    }

    /// A tile that no reader would take is not written.
    private func checkSize(of range: Range<Int>) throws(OutputError) {
        let byteCount = encoder.withUnsafeBytes { $0.count }
        guard byteCount > TileDirectory.tileLimitBytes else { return }
        let place = MortonCode(rawValue: markers.entries[range.lowerBound].code).point
        throw OutputError(
            tooLarge: TileCoordinate(containing: place, atZoom: markers.zoom), markerCount: range.count,
            byteCount: byteCount)
    }

    private mutating func append(_ marker: ZoomMarkers.Entry, at index: Int) {
        if marker.isCluster, let clusters {
            beginCluster(Int(marker.number), of: clusters, shownAt: markers.place(of: index))
        } else {
            writer.points.beginPoint(Int(marker.number), in: &encoder, scratch: &scratch)
            if writer.unclustered.contains(Int(marker.number)) { encoder.appendUnclustered() }
            if writer.keepsCount {
                encoder.append(pointCount: clusters?.pointCount(ofAnchor: Int(marker.number)) ?? 1)
            }
        }
        if let clusters, let parents = clusters.parents, let parent = parents.parent(of: marker) {
            encoder.append(parent: clusters.aggregation.clusterID(of: parent))
        }
        encoder.endFeature()
    }

    /// - Parameter place: `nil` at its anchor.
    private mutating func beginCluster(_ candidate: Int, of clusters: ZoomClusters, shownAt place: Coordinate?) {
        let anchor = clusters.anchorPoint(of: candidate)
        let aggregation = clusters.aggregation
        let pointCount = Int(aggregation.pointCount[candidate])
        let box = aggregation.boundingBox(of: candidate)
        encoder.beginCluster(
            id: aggregation.clusterID(of: candidate), at: place ?? writer.points.coordinate(anchor), boundingBox: box,
            pointCount: pointCount,
            expansionZoom: Int(aggregation.expansionZoom[candidate]), label: writer.countLabel)
        writer.content.append(
            pointCount: pointCount, isCoincident: box.isPoint,
            leafPageCount: clusters.hasLeaves ? writer.content.leafPageCount(ofPoints: pointCount) : nil,
            anchor: anchor,
            members: { clusters.members?.forEachPoint(of: candidate, $0) }, points: writer.points, to: &encoder,
            scratch: &scratch)
    }
}

extension ZoomMarkers {
    /// The number of the tile that holds a marker, in Morton order.
    fileprivate func tileNode(of index: Int) -> UInt64 {
        MortonCode(rawValue: entries[index].code).node(atDepth: zoom)
    }
}
