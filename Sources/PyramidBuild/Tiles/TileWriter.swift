import Foundation
import PyramidTiles
import Synchronization

/// Cuts a zoom into tiles; workers encode them, compress them and hand them to the sink.
struct TileWriter: Sendable {
    let points: PointTable
    let compressionLevel: Int
    let jobs: Int
    let sink: any TileSink

    /// A worker takes so many markers at a time, and the rest of the last tile.
    private static let markersPerChunk = 1024

    /// Writes all the tiles of a zoom.
    /// - Parameters:
    ///   - aggregation: of the same zoom; `nil` where nothing is clustered.
    ///   - progress: is called with the number of tiles that were written since the last call, by any worker.
    /// - Returns: what stands in the list of tiles, in no particular order.
    func write(
        _ markers: ZoomMarkers, aggregation: ClusterAggregation?,
        progress: @escaping @Sendable (Int) -> Void
    ) throws -> [TileList.Entry] {
        let chunks = chunks(of: markers)
        let next = Atomic(0)
        let results = Mutex<Result<[TileList.Entry], any Error>>(.success([]))
        DispatchQueue.concurrentPerform(iterations: min(jobs, max(chunks.count, 1))) { _ in
            var worker = TileWorker(
                points: points, markers: markers, aggregation: aggregation,
                compressionLevel: compressionLevel, sink: sink)
            do {
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < chunks.count else { break }
                    let before = worker.written.count
                    try worker.writeTiles(of: chunks[index])
                    progress(worker.written.count - before)
                }
                let written = worker.written
                results.withLock { $0 = $0.map { $0 + written } }
            } catch {
                // The first failure is reported; the other workers find no more chunks.
                next.store(chunks.count, ordering: .relaxed)
                results.withLock { if case .success = $0 { $0 = .failure(error) } }
            }
        }
        return try results.withLock { try $0.get() }
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
private struct TileWorker: ~Copyable {
    let points: PointTable
    let markers: ZoomMarkers
    let aggregation: ClusterAggregation?
    let sink: any TileSink
    private(set) var written: [TileList.Entry] = []

    private var encoder = GeoJSONTileEncoder()
    private let compressor: GzipCompressor
    private var compressed = ByteBuffer(capacity: 1 << 16)
    private var scratch: RecordScratch

    init(
        points: PointTable, markers: ZoomMarkers, aggregation: ClusterAggregation?, compressionLevel: Int,
        sink: any TileSink
    ) {
        self.points = points
        self.markers = markers
        self.aggregation = aggregation
        self.sink = sink
        compressor = GzipCompressor(level: compressionLevel)
        scratch = points.makeScratch()
    }

    mutating func writeTiles(of chunk: Range<Int>) throws {
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
        for index in range { append(markers.entries[index]) }
        encoder.end()
        compressed.removeAll()
        let place = MortonCode(rawValue: markers.entries[range.lowerBound].code).point
        let entry = encoder.withUnsafeBytes { body in
            compressor.compress(body, into: &compressed)
            return compressed.withUnsafeBytes { stored in
                TileList.Entry(
                    tile: TileCoordinate(containing: place, atZoom: markers.zoom), byteCount: stored.count,
                    crc32: Gzip.crc32(stored), bodyByteCount: body.count, bodyCRC32: Gzip.crc32(body))
            }
        }
        try compressed.withUnsafeBytes { try sink.write($0, for: entry) }
        written.append(entry)
    }

    private mutating func append(_ marker: ZoomMarkers.Entry) {
        guard marker.isCluster, let aggregation else {
            points.appendPoint(Int(marker.number), to: &encoder, scratch: &scratch)
            return
        }
        let candidate = Int(marker.number)
        encoder.append(
            clusterID: aggregation.clusterID(of: candidate), at: marker.coordinate,
            boundingBox: aggregation.boundingBox(of: candidate),
            pointCount: Int(aggregation.pointCount[candidate]),
            expansionZoom: Int(aggregation.expansionZoom[candidate]))
    }
}

extension ZoomMarkers {
    /// The number of the tile that holds a marker, in Morton order.
    fileprivate func tileNode(of index: Int) -> UInt64 {
        MortonCode(rawValue: entries[index].code).node(atDepth: zoom)
    }
}
