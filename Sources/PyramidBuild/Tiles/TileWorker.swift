import PyramidClusters
import PyramidStore
import PyramidTiles
import Synchronization

extension TileWriter {
    /// Shares the band among workers with encoders of this type.
    package func write<Encoder: TileEncoder & ~Copyable>(
        _ band: TileBand, with encoder: Encoder.Type,
        _ progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        // A node with more markers than this has too many records for a bundle, so no bundle is cut apart.
        let markersOfBundle = (storage.layout.bundleLimit ?? 0) * band.zooms.count
        let ofMarkers = band.subtrees(markerLimit: max(markersPerSubtree, markersOfBundle))
        let subtrees = ofMarkers + (higherZooms?.subtrees(beside: ofMarkers) ?? [])
        let written = Mutex(Written(band.zooms.lowerBound...maxZoom))
        try SharedWork(jobs: jobs).forEach(count: subtrees.count) {
            TileWorker<Encoder>(writer: self, band: band)
        } _: { worker, index in
            let ofSubtree = try worker.write(subtrees[index])
            progress(ofSubtree.zooms.reduce(0) { $0 + $1.tileCount }, subtrees[index].markerCount)
            try files.append(worker.files.entries)
            written.withLock { $0.append(ofSubtree) }
        }
        return written.withLock { $0 }
    }
}

/// Writes the tiles of some subtrees, with buffers of its own.
///
/// A subtree is written from the last zoom to the first, so that each zoom can reuse the work of the next higher one: the
/// feature of a marker that is still shown, and, if the encoder writes the same at every zoom, the file of a tile whose
/// markers are all in one child. Tiles that may belong to a bundle wait until a tile that contains them shows too many
/// records.
struct TileWorker<Encoder: TileEncoder & ~Copyable>: ~Copyable {
    private let writer: TileWriter
    private let band: TileBand
    private var markers: MarkerEncoder<Encoder>
    private(set) var files: TileFiles

    private var layer = MarkerLayer()
    /// The layer of the next higher zoom.
    private var nextLayer = MarkerLayer()
    private var fold = BundleFold()
    /// Of the records in open bundles of the current subtree.
    private var openSummaries: [RecordSummary] = []

    init(writer: TileWriter, band: TileBand) {
        self.writer = writer
        self.band = band
        markers = MarkerEncoder(band, of: writer.data, writer.encoding)
        files = TileFiles(writer, band.zooms)
    }

    mutating func write(_ subtree: TileSubtree) throws -> TileWriter.Written {
        markers.removeFeatures()
        files.removeAll()
        nextLayer.removeAll()
        fold.removeAll()
        openSummaries.removeAll(keepingCapacity: true)
        // A tile that contains other subtrees has too many records for a bundle.
        let containsOthers = subtree.zooms.upperBound < band.zooms.upperBound
        let bundleLimit = containsOthers ? nil : writer.storage.layout.bundleLimit
        if let bundleLimit, let higherZooms = writer.higherZooms {
            begin(with: higherZooms, in: subtree, bundleLimit: bundleLimit)
        }
        for zoom in subtree.zooms.reversed() {
            layer.begin(band, subtree.range(atZoom: zoom), zoom: zoom, next: nextLayer, of: writer.data)
            files.written.zooms[zoom - band.zooms.lowerBound].tileCount += layer.tiles.count
            // No lower zoom can reuse the files and features of the first one.
            let isKept = zoom > subtree.zooms.lowerBound
            if let bundleLimit {
                try write(zoom, isKept: isKept, bundleLimit: bundleLimit)
            } else {
                for index in layer.tilesByColumn() { try write(index, isKept: isKept) }
            }
            swap(&layer, &nextLayer)
        }
        if let bundleLimit { try writeBundles(of: subtree, bundleLimit: bundleLimit) }
        files.written.idTypes = markers.encoder.idTypes
        return files.written
    }

    /// Writes a tile of the layer.
    /// - Parameter isKept: whether the next lower zoom may reuse its file and features.
    private mutating func write(_ index: Int, isKept: Bool) throws {
        layer.findParents(of: layer.tiles[index], in: band)
        if Encoder.isSameAtEveryZoom, let same = layer.sameTile(as: index, in: nextLayer), let file = same.file {
            return try files.store(file, of: same, as: index, of: &layer)
        }
        let tile = layer.tiles[index]
        markers.encode(tile, of: &layer, isKept: isKept)
        let file = try files.store(markers.encoder, as: index, of: &layer, isKept: isKept)
        if let facets = markers.facets, file.byteCount > Facets.tileLimitBytes {
            try facets.checkSize(
                of: .tile(tile.coordinate), file, layer.numbers[tile.markers].map { markers.facetCounts(of: $0) })
        }
    }
}

/// Bundles.
extension TileWorker where Encoder: ~Copyable {
    /// What a bundle needs to know of its records.
    private func summaries(of records: some Sequence<BundleFold.Record>) -> [RecordSummary] {
        var summaries: [RecordSummary] = []
        var zooms: [ClosedRange<Int>] = []
        for record in records {
            zooms.append(Int(record.firstZoom)...Int(record.lastZoom))
            summaries.append(
                record.firstMarker == .encoded
                    ? openSummaries[Int(record.openIndex)]
                    : self.summary(of: record.firstMarker, firstZoom: Int(record.firstZoom)))
        }
        summaries.connect(zooms)
        return summaries
    }

    private func summary(of marker: MarkerNumber, firstZoom: Int) -> RecordSummary {
        var summary = RecordSummary(parentID: band.parents?.clusterID(of: marker, atZoom: firstZoom - 1) ?? 0)
        if marker.isCluster, let clusters = band.clusters {
            let entry = clusters.entry(marker)
            summary.clusterID = clusters.id(of: entry)
            summary.pointCount = Int(entry.pointCount)
            summary.staysTogether = entry.staysTogether
            summary.facets = Array(markers.facetCounts(of: marker))
        }
        return summary
    }

    /// Starts with the open bundles of higher zooms.
    private mutating func begin(with higherZooms: HigherZooms, in subtree: TileSubtree, bundleLimit: Int) {
        for node in higherZooms.nodes(in: subtree.codes) {
            var recordCount = 0
            for bundle in higherZooms.bundles[node.bundles ?? 0..<0] {
                fold.append(bundle: bundle.tile)
                bundle.forEachRecord { record in
                    let isShown = record.zooms.lowerBound == higherZooms.zoom + 1
                    let feature = markers.keep(record.feature)
                    fold.append(
                        feature, at: record.code, zooms: record.zooms, isShown: isShown,
                        index: openSummaries.count)
                    if isShown { nextLayer.append(feature: feature, at: record.code) }
                    openSummaries.append(record.summary)
                    recordCount += 1
                }
            }
            fold.append(node: node.node, recordCount: node.bundles == nil ? bundleLimit + 1 : recordCount)
        }
    }

    /// Writes the tiles of the layer that can't be bundles, and the bundles inside them.
    private mutating func write(_ zoom: Int, isKept: Bool, bundleLimit: Int) throws {
        let isLast = zoom == writer.maxZoom
        if !isLast, zoom == band.zooms.upperBound { continueOpenRecords() }
        let counts = fold.count(layer, atZoom: zoom)
        let isBundle = counts.map { $0 <= bundleLimit || isLast }
        for index in layer.tiles.indices {
            let tile = layer.tiles[index]
            if isBundle[index] {
                markers.keepFeatures(of: tile.markers, in: &layer)
            } else {
                for bundle in fold.bundles(in: tile.coordinate) { try write(bundle: bundle) }
                try write(index, isKept: isKept)
            }
        }
        fold.add(layer, atZoom: zoom, isBundle: isBundle)
    }

    /// Finds the markers of the layer that continue records of open bundles.
    private mutating func continueOpenRecords() {
        var place = 0
        for index in layer.codes.indices {
            while place < nextLayer.codes.count, nextLayer.codes[place] < layer.codes[index] { place += 1 }
            guard place < nextLayer.codes.count, nextLayer.codes[place] == layer.codes[index] else { continue }
            markers.keepFeatures(of: index..<index + 1, in: &layer)
            var found = place
            while found < nextLayer.codes.count, nextLayer.codes[found] == layer.codes[index] {
                let (feature, other) = (layer.features[index], nextLayer.features[found])
                if markers.features.withUnsafeBytes({ $0[feature].elementsEqual($0[other]) }) {
                    layer.setNextIndex(of: index, to: found)
                    // At most one marker continues a record.
                    nextLayer.features[found] = 0..<0
                    break
                }
                found += 1
            }
        }
    }

    /// Writes the remaining bundles, or leaves them open where a tile of a lower zoom may contain them.
    private mutating func writeBundles(of subtree: TileSubtree, bundleLimit: Int) throws {
        let open = writer.openBundles.flatMap { $0.zoom >= subtree.depth ? $0 : nil }
        for tile in fold.bundles {
            if let open, fold.recordCount(ofParentOf: tile, atZoom: open.zoom) <= bundleLimit {
                try leaveOpen(tile, open.write)
            } else {
                try write(bundle: tile)
            }
        }
    }

    private func leaveOpen(_ bundle: TileCoordinate, _ write: OpenBundleOutput) throws {
        let records = fold.records(in: bundle)
        let summaries = summaries(of: records)
        try markers.features.withUnsafeBytes { features in
            let open = zip(records, summaries).map { record, summary in
                OpenRecord(
                    code: record.code, zooms: Int(record.firstZoom)...Int(record.lastZoom),
                    feature: UnsafeRawBufferPointer(rebasing: features[record.feature]), summary: summary)
            }
            try write(bundle, open)
        }
    }

    private mutating func write(bundle tile: TileCoordinate) throws {
        let records = fold.records(in: tile)
        let summaries = summaries(of: records)
        markers.encode(tile, records, summaries, maxZoom: writer.maxZoom)
        let file = try files.store(markers.encoder, as: tile, records)
        if let facets = markers.facets, file.byteCount > Facets.tileLimitBytes {
            try facets.checkSize(of: .bundle(tile), file, summaries.map { $0.facets[...] })
        }
    }
}
