import PyramidClusters
import PyramidStore
import PyramidTiles

/// Turns markers of a band into the features and files of an encoder, for one worker. It keeps features, so that lower
/// zooms can use them again.
struct MarkerEncoder<Encoder: TileEncoder & ~Copyable>: ~Copyable {
    private let band: TileBand
    let facets: FacetCombinations?
    private(set) var encoder: Encoder
    private var marker: MarkerReader
    private(set) var features = ByteBuffer(capacity: 1 << 16)
    private var facetTable = FacetTable()

    init(_ band: TileBand, of data: MarkerData, _ options: EncodingOptions) {
        self.band = band
        facets = data.content.facets
        encoder = Encoder(options)
        marker = MarkerReader(data)
        marker.enter(band)
    }

    /// Forgets the kept features.
    mutating func removeFeatures() {
        features.removeAll()
        encoder.forgetFeatures()
    }

    /// Encodes a tile of a layer.
    /// - Parameter isKept: whether to keep the features.
    mutating func encode(_ tile: MarkerLayer.Tile, of layer: inout MarkerLayer, isKept: Bool) {
        encoder.begin(tile.coordinate)
        if hasFacetTable {
            facetTable.removeAll()
            for index in tile.markers { facetTable.add(facetCounts(of: layer.numbers[index])) }
            beginFacetTable()
        }
        for index in tile.markers {
            encoder.set(parent: layer.parents[index])
            if layer.features[index].isEmpty {
                append(index, of: &layer, isKept: isKept)
            } else {
                encoder.append(
                    feature: layer.features[index], of: features, at: MortonCode(rawValue: layer.codes[index]).point)
            }
            if hasFacetTable {
                encoder.add(facets: facetCounts(of: layer.numbers[index]), numbers: facetTable.numbers)
            }
        }
        encoder.finish()
    }

    /// Encodes the features of a layer's markers that have none yet, and keeps them.
    mutating func keepFeatures(of indices: Range<Int>, in layer: inout MarkerLayer) {
        guard let first = indices.first else { return }
        let place = MortonCode(rawValue: layer.codes[first]).point
        encoder.begin(TileCoordinate(containing: place, atZoom: layer.zoom))
        encoder.set(parent: 0)
        for index in indices where layer.features[index].isEmpty { append(index, of: &layer, isKept: true) }
    }

    /// Keeps a feature that was encoded elsewhere.
    /// - Returns: its range in ``features``.
    mutating func keep(_ feature: UnsafeRawBufferPointer) -> Range<Int> {
        let start = features.count
        features.append(feature)
        return start..<features.count
    }

    private mutating func append(_ index: Int, of layer: inout MarkerLayer, isKept: Bool) {
        marker.move(
            to: layer.numbers[index], shownAt: band.coordinate(ofMarker: layer.first + index, atZoom: layer.zoom))
        marker.place = MortonCode(rawValue: layer.codes[index]).point
        encoder.append(&marker)
        if isKept { layer.features[index] = encoder.appendLastFeature(to: &features) }
    }

    /// Encodes a bundle.
    /// - Parameters:
    ///   - summaries: of each record.
    ///   - maxZoom: the last zoom of the tileset.
    mutating func encode(
        _ bundle: TileCoordinate, _ records: ArraySlice<BundleFold.Record>, _ summaries: [RecordSummary], maxZoom: Int
    ) {
        encoder.begin(bundle)
        encoder.set(parent: 0)
        if hasFacetTable {
            facetTable.removeAll()
            for summary in summaries { facetTable.add(summary.facets) }
            beginFacetTable()
        }
        for (record, summary) in zip(records, summaries) {
            let (firstZoom, lastZoom) = (Int(record.firstZoom), Int(record.lastZoom))
            encoder.set(
                RecordMembers(
                    firstZoom: firstZoom == bundle.z ? nil : firstZoom, lastZoom: lastZoom == maxZoom ? nil : lastZoom,
                    parent: summary.parent))
            encoder.append(feature: record.feature, of: features, at: MortonCode(rawValue: record.code).point)
            encoder.add(facets: summary.facets, numbers: facetTable.numbers)
        }
        encoder.set(RecordMembers())
        encoder.finish()
    }

    private var hasFacetTable: Bool { Encoder.hasFacetTable && facets != nil }

    private mutating func beginFacetTable() {
        guard let facets else { return }
        facetTable.sort()
        encoder.begin(facets: facetTable.combinations.map { facets.combinations.texts[Int($0)] })
    }

    /// How many members of a cluster have each combination of values.
    func facetCounts(of number: MarkerNumber) -> ArraySlice<CategoryColumn.Count> {
        guard number.isCluster, let facets, let clusters = band.clusters else { return [] }
        return clusters.table.aggregates.categories[facets.index][number.index]
    }
}
