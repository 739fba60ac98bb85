import PyramidStore
import PyramidTiles
import Synchronization

/// The zooms beyond the cut zoom, of which parts have made the records.
extension BundleWriter {
    /// Writes bundles beyond the cut zoom of what parts have handed over, where none above it shows them.
    /// - Parameter bundles: the codes of those.
    func write(
        _ cutRecords: CutRecords, beside bundles: [ClosedRange<UInt64>], _ markers: BundledMarkers
    ) throws -> Written {
        let bundles = bundles.sorted { $0.lowerBound < $1.lowerBound }
        let rest = cutRecords.tiles.filter { tile in
            let code = TileCoordinate(node: tile.node, atZoom: cutRecords.cutZoom).codes.lowerBound
            let index = bundles.partitioningIndex { $0.upperBound >= code }
            return index == bundles.count || !bundles[index].contains(code)
        }
        let none = Written(tileCounts: [Int](repeating: 0, count: markers.zooms.count))
        let written = Mutex(none)
        try SharedWork(jobs: jobs).forEach(count: rest.count) {
            BundleWorker(writer: self, markers: markers, none: none)
        } _: { worker, index in
            let part = try worker.write(rest[index], of: cutRecords)
            written.withLock { $0.append(part) }
        }
        return written.withLock { $0 }
    }
}

extension BundleWorker {
    /// Hands over the records of tiles of the cut zoom that may become part of a bundle there or above.
    /// - Returns: the codes of these tiles, in order.
    mutating func handOver(_ subtree: TileSubtree, cutZoom: Int) throws -> [ClosedRange<UInt64>] {
        let few = records.countsAbove.filter { $0.count <= writer.limit }.map(\.node)
        let zoomMarkers = markers.markers(atZoom: cutZoom)
        let start = zoomMarkers.firstIndex(notBelow: subtree.codes.lowerBound, in: 0..<zoomMarkers.count)
        let end = zoomMarkers.numbers.indices.partitioningIndex { zoomMarkers.code(of: $0) > subtree.codes.upperBound }
        records.add(start..<end, atZoom: cutZoom, of: markers)
        records.sort()
        let records = self.records
        var features = ByteBuffer()
        var bytes = CutRecordWriter(cutZoom: cutZoom)
        var handedOver: [ClosedRange<UInt64>] = []
        for node in few {
            let tile = TileCoordinate(node: node, atZoom: cutZoom)
            bytes.removeAll()
            for record in records.records(in: tile.codes) {
                features.removeAll()
                var feature = 0..<0
                if Int(record.firstZoom) > cutZoom {
                    encoder.begin(tile)
                    markers.move(&marker, to: record.number, index: Int(record.index), atZoom: Int(record.lastZoom))
                    encoder.append(&marker)
                    feature = encoder.appendLastFeature(to: &features)
                }
                bytes.append(
                    at: record.code, Int(record.firstZoom)...Int(record.lastZoom), point: record.point,
                    feature: feature, of: features)
            }
            try bytes.bytes.withUnsafeBytes { bytes in
                let crc32 = Gzip.crc32(bytes)
                // No bundle lies at the cut zoom before the parts are joined.
                try writer.output.write(
                    bytes, to: .bundle(tile),
                    StoredFile(byteCount: bytes.count, crc32: crc32, bodyByteCount: bytes.count, bodyCRC32: crc32))
            }
            handedOver.append(tile.codes)
        }
        return handedOver
    }

    /// Writes the bundles beyond the cut zoom of what a part has handed over.
    mutating func write(_ tile: CutRecords.Tile, of cut: CutRecords) throws -> BundleWriter.Written {
        written = none
        var indices = CutMarkers(markers.markers(atZoom: cut.cutZoom))
        let all = try cut.records(of: tile).map { record in
            (record: record, marker: record.feature == nil ? indices.index(of: record) : nil)
        }
        let deeper = all.filter { $0.record.lastZoom > cut.cutZoom }
        let coordinate = TileCoordinate(node: tile.node, atZoom: cut.cutZoom)
        try writeBundles(below: coordinate, deeper[...], cutZoom: cut.cutZoom)
        return written
    }

    /// - Parameter records: of the tile and the zooms below it, in the order of code, first zoom and point, each with the
    ///   index of its marker at the cut zoom if it is one.
    private mutating func writeBundles(
        below tile: TileCoordinate, _ records: ArraySlice<(record: CutRecord, marker: Int?)>, cutZoom: Int
    ) throws {
        var rest = records
        for child in 4 * tile.node..<4 * tile.node + 4 {
            let coordinate = TileCoordinate(node: child, atZoom: tile.z + 1)
            let last = coordinate.codes.upperBound
            let end = (rest.startIndex..<rest.endIndex).partitioningIndex { rest[$0].record.code > last }
            let inside = rest[..<end]
            rest = rest[end...]
            guard !inside.isEmpty else { continue }
            let isShown = inside.contains { ($0.record.firstZoom...$0.record.lastZoom).contains(coordinate.z) }
            if isShown {
                try writeBundle(coordinate, inside, cutZoom: cutZoom)
            } else {
                try writeBundles(below: coordinate, inside, cutZoom: cutZoom)
            }
        }
    }

    private mutating func writeBundle(
        _ tile: TileCoordinate, _ records: ArraySlice<(record: CutRecord, marker: Int?)>, cutZoom: Int
    ) throws {
        encoder.begin(tile)
        var shown: [UInt64] = []
        var start = records.startIndex
        while start < records.endIndex {
            let code = records[start].record.code
            let end = (start..<records.endIndex).partitioningIndex { records[$0].record.code > code }
            // As in `BundleRecords.forEach`.
            let ofPlace = records[start..<end]
            let sorted =
                ofPlace.filter { $0.record.firstZoom <= tile.z && $0.record.lastZoom >= tile.z }
                .sorted { $0.record.point < $1.record.point } + ofPlace.filter { $0.record.firstZoom > tile.z }
            for (record, index) in sorted {
                setZooms(max(record.firstZoom, tile.z)...record.lastZoom, of: tile)
                if let feature = record.feature {
                    encoder.append(feature: feature)
                } else if let index {
                    let number = markers.markers(atZoom: cutZoom).numbers[index]
                    markers.move(&marker, to: number, index: index, atZoom: cutZoom)
                    encoder.append(&marker)
                }
                shown.append(code)
            }
            start = end
        }
        finishBundle()
        let file = try store(.bundle(tile), markerCount: shown.count)
        written.bundles.append(BundleList.Entry(address: BundleAddress(tile), file: file))
        written.largest.add(
            tile, file, shown[...], [MarkerNumber](repeating: .cluster(0), count: shown.count)[...],
            unclustered: markers.source.unclustered)
    }
}
