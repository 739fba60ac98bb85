import PyramidClusters
import PyramidInput
import PyramidTiles

/// Writes a tile as a GeoJSON FeatureCollection (RFC 7946). It uses neither a locale nor Foundation, so the bytes are the
/// same everywhere.
package struct GeoJSONTileEncoder: ~Copyable, TileEncoder {
    private var buffer = ByteBuffer(capacity: 1 << 16)
    private var isFirstFeature = true
    private var isFirstProperty = true
    /// The range of the feature that was appended last, up to where its properties end, but without its parent.
    private var featureStart = 0
    private var propertiesEnd = 0
    private var parent: UInt64 = 0
    /// The combinations that facets of this tile refer to, as JSON.
    private var facetTable: [[UInt8]] = []
    private let countLabel: CountLabel
    /// What a bundle states of the features that follow.
    package var record = RecordMembers()

    package static var isSameAtEveryZoom: Bool { true }
    package static var hasFacetTable: Bool { true }
    /// Empty: ids are members of features, not properties.
    package var idTypes: ValueKinds { [] }

    package init(_ options: EncodingOptions) { countLabel = options.countLabel }

    package init(countLabel: CountLabel = .abbreviated) { self.countLabel = countLabel }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeBytes(body)
    }

    package mutating func begin(_ tile: TileCoordinate) { begin() }

    package mutating func begin() {
        buffer.removeAll()
        buffer.append(GeoJSON.start)
        isFirstFeature = true
        facetTable = []
    }

    package mutating func finish() {
        guard !facetTable.isEmpty else { return buffer.append(GeoJSON.end) }
        buffer.append(GeoJSON.facetsStart)
        for (index, combination) in facetTable.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(combination)
        }
        buffer.append(GeoJSON.end)
    }

    package mutating func append<Marker: MarkerView & ~Copyable>(_ marker: inout Marker) {
        let coordinate = marker.coordinate
        if let cluster = marker.cluster {
            begin(cluster, at: coordinate)
        } else {
            marker.withID { begin(pointWithID: $0, at: coordinate) }
        }
        marker.visitProperties(&self)
        endFeature()
        addParent()
    }

    package mutating func append(feature: Range<Int>, of features: borrowing ByteBuffer, at place: WorldPoint) {
        // The feature was encoded without a record's members.
        beginFeature()
        buffer.append(feature.dropFirst(GeoJSONTileEncoder.opening.utf8CodeUnitCount), of: features)
        addParent()
    }

    package mutating func begin(facets table: [[UInt8]]) { facetTable = table }

    package mutating func add(facets: some Collection<CategoryColumn.Count>, numbers: [UInt32]) {
        guard !facets.isEmpty else { return }
        // Reopens the feature: removes the braces that close its properties and itself. A cluster has other properties.
        buffer.removeLast(2)
        buffer.append(#","facets":["#)
        // The closure must be called once for each combination, in order.
        var next = 0
        append(
            withoutTrailingZeros: facets.lazy.map { facet in
                let number = Int(numbers[Int(facet.category)])
                defer { next = number + 1 }
                return number - next
            })
        buffer.append(UInt8(ascii: ","))
        append(withoutTrailingZeros: facets.lazy.map { Int($0.count) - 1 })
        buffer.append("]")
        endFeature()
    }

    private mutating func append(withoutTrailingZeros numbers: some Sequence<Int>) {
        buffer.append(UInt8(ascii: "["))
        var end = buffer.count
        for (index, number) in numbers.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(integer: number)
            if number != 0 { end = buffer.count }
        }
        buffer.removeLast(buffer.count - end)
        buffer.append(UInt8(ascii: "]"))
    }

    package mutating func set(parent: UInt64) { self.parent = parent }

    private mutating func addParent() {
        propertiesEnd = buffer.count - 2
        guard parent != 0 else { return }
        buffer.removeLast(2)
        buffer.append(parent: parent)
        endFeature()
    }

    package mutating func set(_ record: RecordMembers) { self.record = record }

    /// Whether bytes look like a feature that was encoded without a record's members.
    package static func isFeature(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = opening.utf8CodeUnitCount
        return bytes.count > count && bytes.last == UInt8(ascii: "}")
            && bytes.prefix(count).elementsEqual(UnsafeBufferPointer(start: opening.utf8Start, count: count))
    }

    /// The first bytes of a feature.
    private static let opening: StaticString = #"{"type":"Feature""#

    package func appendLastFeature(to features: inout ByteBuffer) -> Range<Int> {
        let start = features.count
        features.append(featureStart..<propertiesEnd, of: buffer)
        features.append("}}")
        return start..<features.count
    }
}

extension GeoJSONTileEncoder: PropertyVisitor {
    package mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView) {
        if !isFirstProperty { buffer.append(UInt8(ascii: ",")) }
        isFirstProperty = false
        buffer.append(quotedName)
        buffer.append(value)
    }
}

/// The members of a feature.
extension GeoJSONTileEncoder {
    /// Begins a cluster with the properties that every cluster has.
    private mutating func begin(_ cluster: ClusterFields, at coordinate: Coordinate) {
        let boundingBox = cluster.boundingBox
        beginFeature()
        buffer.append(#","id":"#)
        buffer.append(integer: Int(cluster.id))
        buffer.append(#","bbox":"#)
        buffer.append(boundingBox)
        append(geometryAt: coordinate)
        buffer.append(#","properties":{"cluster":true,"cluster_id":"#)
        buffer.append(integer: Int(cluster.id))
        buffer.append(#","point_count":"#)
        buffer.append(integer: cluster.pointCount)
        buffer.append(#","point_count_abbreviated":"#)
        append(label: cluster.pointCount)
        if let expansionZoom = cluster.expansionZoom {
            buffer.append(#","expansion_zoom":"#)
            buffer.append(integer: expansionZoom)
        }
        if boundingBox.isOnePlace { buffer.append(#","coincident":true"#) }
        isFirstProperty = false
    }

    private mutating func begin(pointWithID id: PropertyView?, at coordinate: Coordinate) {
        beginFeature()
        if let id {
            buffer.append(#","id":"#)
            buffer.append(id)
        }
        append(geometryAt: coordinate)
        buffer.append(#","properties":{"#)
        isFirstProperty = true
    }

    private mutating func endFeature() {
        buffer.append("}}")
    }

    private mutating func beginFeature() {
        separateFeature()
        buffer.append(GeoJSONTileEncoder.opening)
        if let firstZoom = record.firstZoom {
            buffer.append(#","minzoom":"#)
            buffer.append(integer: firstZoom)
        }
        if let lastZoom = record.lastZoom {
            buffer.append(#","maxzoom":"#)
            buffer.append(integer: lastZoom)
        }
        switch record.parent {
        case .record(let index):
            buffer.append(#","parent":"#)
            buffer.append(integer: index)
        case .id(let id):
            buffer.append(#","parent_id":"#)
            buffer.append(integer: Int(id))
        case nil: break
        }
    }

    private mutating func separateFeature() {
        if !isFirstFeature { buffer.append(UInt8(ascii: ",")) }
        isFirstFeature = false
        featureStart = buffer.count
    }

    private mutating func append(geometryAt coordinate: Coordinate) {
        buffer.append(#","geometry":"#)
        buffer.append(geometryAt: coordinate)
    }

    private mutating func append(label count: Int) {
        let isNumber = countLabel.isNumber(count)
        if !isNumber { buffer.append(UInt8(ascii: "\"")) }
        buffer.append(label: count, countLabel)
        if !isNumber { buffer.append(UInt8(ascii: "\"")) }
    }
}
