import PyramidStore
import PyramidTiles
import Synchronization

extension TileWriter {
    /// Shares the band among workers with encoders of this type.
    func write<Encoder: TileEncoder & ~Copyable>(
        _ band: TileBand, with encoder: Encoder.Type,
        _ progress: @escaping @Sendable (_ tiles: Int, _ markers: Int) -> Void
    ) throws -> Written {
        // A node with more markers than this has too many records for a bundle, so no bundle is cut apart.
        let markersOfBundle = (storage.layout.bundleLimit ?? 0) * band.zooms.count
        let ofMarkers = band.subtrees(markerLimit: max(markersPerSubtree, markersOfBundle))
        let subtrees = ofMarkers + (unfinished?.subtrees(beside: ofMarkers) ?? [])
        let written = Mutex(Written(band.zooms.lowerBound...maxZoom))
        try SharedWork(jobs: jobs).forEach(count: subtrees.count) {
            TileWorker<Encoder>(writer: self, band: band)
        } _: { worker, index in
            let ofSubtree = try worker.write(subtrees[index])
            progress(ofSubtree.zooms.reduce(0) { $0 + $1.tileCount }, subtrees[index].markerCount)
            try files.append(worker.files)
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
    /// The tiles and bundles of the current subtree, in no particular order.
    private(set) var files: [FileList.Entry] = []
    /// The figures of the current subtree, and the largest tiles of all subtrees so far.
    private var written: TileWriter.Written

    private var encoder: Encoder
    private var compressor: BodyCompressor
    private var existing = ExistingTile()
    private var marker: MarkerReader

    private var layer = MarkerLayer()
    /// The layer of the next higher zoom.
    private var nextLayer = MarkerLayer()
    private var fold = BundleFold()
    private var facetTable = FacetTable()
    /// What parts say of the records that they hand over, of the current subtree.
    private var foreignFacts: [RecordFacts] = []
    /// The features of the subtree's markers, and the files of its tiles.
    private var features = ByteBuffer(capacity: 1 << 16)
    private var bodies = ByteBuffer(capacity: 1 << 16)

    init(writer: TileWriter, band: TileBand) {
        self.writer = writer
        self.band = band
        written = TileWriter.Written(band.zooms.lowerBound...writer.maxZoom)
        compressor = BodyCompressor(writer.storage, level: writer.compressionLevel)
        encoder = Encoder(writer.encoding)
        marker = MarkerReader(writer.source)
    }

    mutating func write(_ subtree: TileSubtree) throws -> TileWriter.Written {
        files.removeAll(keepingCapacity: true)
        written.removeFigures()
        features.removeAll()
        encoder.forgetFeatures()
        bodies.removeAll()
        nextLayer.removeAll()
        fold.removeAll()
        foreignFacts.removeAll(keepingCapacity: true)
        // A tile that contains other subtrees has too many records for a bundle.
        let containsOthers = subtree.zooms.upperBound < band.zooms.upperBound
        let bundleLimit = containsOthers ? nil : writer.storage.layout.bundleLimit
        if let bundleLimit, let unfinished = writer.unfinished {
            begin(with: unfinished, in: subtree, bundleLimit: bundleLimit)
        }
        for zoom in subtree.zooms.reversed() {
            marker.enter(band, atZoom: zoom)
            layer.begin(band, subtree.range(atZoom: zoom), zoom: zoom, next: nextLayer, of: writer.source)
            written.zooms[zoom - band.zooms.lowerBound].tileCount += layer.tiles.count
            if let bundleLimit {
                try write(subtree, zoom, bundleLimit: bundleLimit)
            } else {
                // No lower zoom can reuse the files and features of the first one.
                for index in layer.tilesByColumn() { try write(index, isKept: zoom > subtree.zooms.lowerBound) }
            }
            swap(&layer, &nextLayer)
        }
        if let bundleLimit { try writeBundles(of: subtree, bundleLimit: bundleLimit) }
        written.idTypes = encoder.idTypes
        return written
    }

    /// Writes a tile of the layer.
    /// - Parameter isKept: whether the next lower zoom may reuse its file and features.
    private mutating func write(_ index: Int, isKept: Bool) throws {
        if Encoder.isSameAtEveryZoom, let same = layer.sameTile(as: index, in: nextLayer), let file = same.file {
            try writeAgain(same, file, as: index)
        } else {
            try writeAnew(index, isKept: isKept)
        }
    }

    /// Writes a tile that has the bytes of another.
    private mutating func writeAgain(_ same: MarkerLayer.Tile, _ file: StoredFile, as index: Int) throws {
        let tile = layer.tiles[index].coordinate
        try bodies.withUnsafeBytes {
            try writer.output.write(
                UnsafeRawBufferPointer(rebasing: $0[same.body]), to: tile, file, sameAs: same.coordinate)
        }
        add(index, file)
        layer.tiles[index].body = same.body
    }

    private mutating func writeAnew(_ index: Int, isKept: Bool) throws {
        let address = FileAddress.tile(layer.tiles[index].coordinate)
        let markers = layer.tiles[index].markers
        encoder.begin(layer.tiles[index].coordinate)
        let hasFacets = beginFacets(of: markers)
        for index in markers {
            if layer.features[index].isEmpty {
                encode(index, isKept: isKept)
            } else {
                let place = MortonCode(rawValue: layer.codes[index]).point
                encoder.append(feature: layer.features[index], of: features, at: place)
            }
            if hasFacets {
                encoder.add(facets: facetCounts(of: layer.numbers[index]), numbers: facetTable.numbers)
            }
        }
        encoder.finish()
        let bodyStart = bodies.count
        let file = try store(address, markerCount: markers.count, keepsBody: isKept && Encoder.isSameAtEveryZoom)
        if let facets = writer.source.content.facets, file.byteCount > Facets.tileLimitBytes {
            try facets.checkSize(of: address, file, layer.numbers[markers].map { facetCounts(of: $0) })
        }
        layer.tiles[index].body = bodyStart..<bodies.count
        add(index, file)
    }

    /// Appends a marker of the layer to the encoder.
    private mutating func encode(_ index: Int, isKept: Bool) {
        marker.move(
            to: layer.numbers[index], shownAt: band.coordinate(ofMarker: layer.first + index, atZoom: layer.zoom))
        marker.place = MortonCode(rawValue: layer.codes[index]).point
        encoder.append(&marker)
        if isKept { layer.features[index] = encoder.appendLastFeature(to: &features) }
    }

    /// Stores what the encoder has finished, unless the output has the same file already.
    private mutating func store(_ address: FileAddress, markerCount: Int, keepsBody: Bool) throws -> StoredFile {
        try encoder.checkSize(of: address, markerCount: markerCount)
        return try compressor.store(encoder) { body, crc32 in
            let kept = writer.output.keep(address, with: body, crc32: crc32, using: &existing)
            if kept != nil, keepsBody { bodies.append(existing.stored) }
            return kept
        } _: { bytes, file in
            try writer.output.write(bytes, to: address, file)
            if keepsBody { bodies.append(bytes) }
        }
    }

    /// Notes that a tile of the layer was written.
    private mutating func add(_ index: Int, _ file: StoredFile) {
        let (tile, markers) = (layer.tiles[index].coordinate, layer.tiles[index].markers)
        layer.tiles[index].file = file
        list(FileList.Entry(address: .tile(tile), file: file))
        written.largest.add(
            tile, file, layer.codes[markers], layer.numbers[markers], unclustered: writer.source.unclustered)
    }

    private mutating func list(_ entry: FileList.Entry) {
        files.append(entry)
        written.add(entry)
    }
}

/// Facets.
extension TileWorker where Encoder: ~Copyable {
    private var facetCombinations: FacetCombinations? {
        Encoder.hasFacetTable ? writer.source.content.facets : nil
    }

    /// How many members of a cluster have each combination of values.
    private func facetCounts(of number: MarkerNumber) -> ArraySlice<CategoryColumn.Count> {
        guard number.isCluster, let index = writer.source.content.facets?.index, let clusters = band.clusters
        else { return [] }
        return clusters.table.aggregates.categories[index][number.index]
    }

    /// Begins the table of a tile.
    /// - Returns: whether clusters have facets.
    private mutating func beginFacets(of markers: Range<Int>) -> Bool {
        guard let facetCombinations else { return false }
        facetTable.removeAll()
        for index in markers { facetTable.add(facetCounts(of: layer.numbers[index])) }
        beginFacetTable(facetCombinations)
        return true
    }

    private mutating func beginFacetTable(_ facets: FacetCombinations) {
        facetTable.sort()
        encoder.begin(facets: facetTable.combinations.map { facets.combinations.texts[Int($0)] })
    }

    /// What a bundle needs to know of its records.
    private func facts(of records: some Sequence<BundleFold.Record>) -> [RecordFacts] {
        var facts: [RecordFacts] = []
        var zooms: [ClosedRange<Int>] = []
        for record in records {
            zooms.append(Int(record.firstZoom)...Int(record.lastZoom))
            facts.append(
                record.firstMarker == .foreign
                    ? foreignFacts[Int(record.foreignIndex)]
                    : self.facts(of: record.firstMarker, firstZoom: Int(record.firstZoom)))
        }
        facts.connect(zooms)
        return facts
    }

    private func facts(of marker: MarkerNumber, firstZoom: Int) -> RecordFacts {
        var facts = RecordFacts(parentID: band.parents?.clusterID(of: marker, atZoom: firstZoom - 1) ?? 0)
        if marker.isCluster, let clusters = band.clusters {
            let entry = clusters.entry(marker)
            facts.clusterID = clusters.id(of: entry)
            facts.pointCount = Int(entry.pointCount)
            facts.staysTogether = entry.staysTogether
            facts.facets = Array(facetCounts(of: marker))
        }
        return facts
    }
}

/// Bundles.
extension TileWorker where Encoder: ~Copyable {
    /// Starts with the bundles that parts have handed over.
    private mutating func begin(with unfinished: UnfinishedBundles, in subtree: TileSubtree, bundleLimit: Int) {
        for node in unfinished.nodes(in: subtree.codes) {
            var recordCount = 0
            for bundle in unfinished.bundles[node.bundles ?? 0..<0] {
                fold.append(bundle: bundle.tile)
                let combinations = unfinished.numbers[bundle.part] ?? []
                bundle.forEachRecord(maxZoom: writer.maxZoom) { record in
                    let isShown = record.zooms.lowerBound == unfinished.cutZoom + 1
                    let feature = record.feature.addresses
                    fold.append(
                        feature, at: record.code, zooms: record.zooms, isShown: isShown, index: foreignFacts.count)
                    if isShown { nextLayer.append(feature: feature, at: record.code) }
                    foreignFacts.append(record.facts.renumbered(combinations))
                    recordCount += 1
                }
            }
            fold.append(node: node.node, recordCount: node.bundles == nil ? bundleLimit + 1 : recordCount)
        }
    }

    /// Writes the tiles of the layer that can't be bundles, and the bundles inside them.
    private mutating func write(_ subtree: TileSubtree, _ zoom: Int, bundleLimit: Int) throws {
        let isLast = zoom == writer.maxZoom
        if !isLast, zoom == band.zooms.upperBound { continueUnfinished() }
        let counts = fold.count(layer, atZoom: zoom)
        let isBundle = counts.map { $0 <= bundleLimit || isLast }
        for index in layer.tiles.indices {
            let tile = layer.tiles[index]
            if !isBundle[index] {
                for bundle in fold.bundles(in: tile.coordinate) { try write(bundle: bundle) }
                try write(index, isKept: zoom > subtree.zooms.lowerBound)
            } else {
                encoder.begin(tile.coordinate)
                for index in tile.markers where layer.features[index].isEmpty { encode(index, isKept: true) }
            }
        }
        fold.add(layer, atZoom: zoom, isBundle: isBundle)
    }

    /// Finds the markers of the layer whose features parts have written for the next higher zoom.
    private mutating func continueUnfinished() {
        var place = 0
        for index in layer.codes.indices {
            while place < nextLayer.codes.count, nextLayer.codes[place] < layer.codes[index] { place += 1 }
            guard place < nextLayer.codes.count, nextLayer.codes[place] == layer.codes[index] else { continue }
            encoder.begin(
                TileCoordinate(containing: MortonCode(rawValue: layer.codes[index]).point, atZoom: layer.zoom))
            encode(index, isKept: true)
            var found = place
            while found < nextLayer.codes.count, nextLayer.codes[found] == layer.codes[index] {
                let other = UnsafeRawBufferPointer(addresses: nextLayer.features[found])
                if features.withUnsafeBytes({ $0[layer.features[index]].elementsEqual(other) }) {
                    layer.setNextIndex(of: index, to: found)
                    // At most one marker continues a record.
                    nextLayer.features[found] = 0..<0
                    break
                }
                found += 1
            }
        }
    }

    /// Writes the remaining bundles, or hands over those that the join may put into a larger bundle.
    private mutating func writeBundles(of subtree: TileSubtree, bundleLimit: Int) throws {
        let cutZoom = writer.cutZoom.flatMap { $0 >= subtree.depth ? $0 : nil }
        for tile in fold.bundles {
            if let cutZoom, fold.recordCount(ofParentOf: tile, atZoom: cutZoom) <= bundleLimit {
                try handOver(tile)
            } else {
                try write(bundle: tile)
            }
        }
    }

    /// Writes a bundle as an ``UnfinishedBundle``.
    private mutating func handOver(_ tile: TileCoordinate) throws {
        bodies.removeAll()
        let records = fold.records(in: tile)
        bodies.append(records, of: tile, features: features, facts: facts(of: records))
        try bodies.withUnsafeBytes { bytes in
            let file = StoredFile(byteCount: bytes.count, crc32: Gzip.crc32(bytes), bodyByteCount: 0, bodyCRC32: 0)
            try writer.output.write(bytes, to: .bundle(tile), file)
        }
    }

    private mutating func write(bundle tile: TileCoordinate) throws {
        let records = fold.records(in: tile)
        let facts = facts(of: records)
        encoder.begin(tile)
        if let facetCombinations {
            facetTable.removeAll()
            for fact in facts { facetTable.add(fact.facets) }
            beginFacetTable(facetCombinations)
        }
        for (index, record) in records.enumerated() {
            let (firstZoom, lastZoom) = (Int(record.firstZoom), Int(record.lastZoom))
            encoder.set(
                RecordMembers(
                    firstZoom: firstZoom == tile.z ? nil : firstZoom,
                    lastZoom: lastZoom == writer.maxZoom ? nil : lastZoom, parent: facts[index].parent))
            if record.number == .foreign {
                encoder.append(feature: UnsafeRawBufferPointer(addresses: record.feature))
            } else {
                encoder.append(feature: record.feature, of: features, at: MortonCode(rawValue: record.code).point)
            }
            encoder.add(facets: facts[index].facets, numbers: facetTable.numbers)
        }
        encoder.set(RecordMembers())
        encoder.finish()
        let file = try store(.bundle(tile), markerCount: records.count, keepsBody: false)
        if file.byteCount > Facets.tileLimitBytes {
            try facetCombinations?.checkSize(of: .bundle(tile), file, facts.map { $0.facets[...] })
        }
        list(FileList.Entry(address: .bundle(tile), file: file))
        if written.largest.includes(markerCount: records.count, countedBytes: file.byteCount) {
            written.largest.add(
                tile, file, records.map(\.code)[...], records.map(\.number)[...],
                unclustered: writer.source.unclustered)
        }
    }
}

extension TileEncoder where Self: ~Copyable {
    /// Throws if a tile or bundle is too large for readers; such a file is not written.
    func checkSize(of address: FileAddress, markerCount: Int) throws(OutputError) {
        let byteCount = withUnsafeBytes { $0.count }
        guard byteCount > TileStorage.tileLimitBytes else { return }
        throw OutputError(tooLarge: address, markerCount: markerCount, byteCount: byteCount)
    }
}
