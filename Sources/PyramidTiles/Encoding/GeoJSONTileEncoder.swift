/// Writes a tile as a GeoJSON FeatureCollection (RFC 7946) into a buffer that is reused from tile to tile: no locale,
/// no Foundation, and the same bytes everywhere.
///
/// A tile is written feature by feature: ``begin()``, then any number of clusters and points, then ``end()``. Further
/// properties come one after the other between ``beginPoint(at:id:)`` or the beginning of a cluster and ``endFeature()``.
public struct GeoJSONTileEncoder: ~Copyable {
    private var buffer = ByteBuffer(capacity: 1 << 16)
    private var isFirstFeature = true
    private var isFirstProperty = true
    private var isFirstElement = true
    private var featureStart = 0

    /// What every tile begins with.
    package static let start: StaticString = #"{"type":"FeatureCollection","features":["#

    public init() {}

    /// The tile's bytes, complete after ``end()``.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeBytes(body)
    }

    public mutating func begin() {
        buffer.removeAll()
        buffer.append(GeoJSONTileEncoder.start)
        isFirstFeature = true
    }

    public mutating func end() {
        buffer.append("]}")
    }

    /// Begins a cluster with the properties that every cluster has.
    public mutating func beginCluster(
        id clusterID: UInt64, at coordinate: Coordinate, boundingBox: BoundingBox, pointCount: Int, expansionZoom: Int,
        label: CountLabel = .abbreviated
    ) {
        beginFeature()
        buffer.append(#","id":"#)
        buffer.append(integer: Int(clusterID))
        buffer.append(#","bbox":["#)
        buffer.append(microdegrees: boundingBox.west)
        buffer.append(UInt8(ascii: ","))
        buffer.append(microdegrees: boundingBox.south)
        buffer.append(UInt8(ascii: ","))
        buffer.append(microdegrees: boundingBox.east)
        buffer.append(UInt8(ascii: ","))
        buffer.append(microdegrees: boundingBox.north)
        buffer.append("]")
        append(geometryAt: coordinate)
        buffer.append(#","properties":{"cluster":true,"cluster_id":"#)
        buffer.append(integer: Int(clusterID))
        buffer.append(#","point_count":"#)
        buffer.append(integer: pointCount)
        buffer.append(#","point_count_abbreviated":"#)
        append(pointCount, label: label)
        buffer.append(#","expansion_zoom":"#)
        buffer.append(integer: expansionZoom)
        if boundingBox.isPoint { buffer.append(#","coincident":true"#) }
        isFirstProperty = false
    }

    /// Begins a point. `id` is written as it stands where it `isNumber`, else as a string.
    public mutating func beginPoint(
        at coordinate: Coordinate, id: (text: UnsafeRawBufferPointer, isNumber: Bool)? = nil
    ) {
        beginFeature()
        if let id {
            buffer.append(#","id":"#)
            append(id.text, isNumber: id.isNumber)
        }
        append(geometryAt: coordinate)
        buffer.append(#","properties":{"#)
        isFirstProperty = true
    }

    /// - Parameters:
    ///   - quotedName: the property's name as JSON, quotes and colon included.
    ///   - text: valid UTF-8, and a JSON number where it `isNumber`.
    public mutating func append(quotedName: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer, isNumber: Bool) {
        append(quotedName: quotedName)
        append(text, isNumber: isNumber)
    }

    /// The same with a name of its own.
    public mutating func append(quotedName: [UInt8], text: UnsafeRawBufferPointer, isNumber: Bool) {
        quotedName.withUnsafeBytes { append(quotedName: $0, text: text, isNumber: isNumber) }
    }

    /// A property whose value is an object of counts, in this order.
    public mutating func append(quotedName: [UInt8], counts: [(name: [UInt8], count: Int)]) {
        append(quotedName: quotedName)
        buffer.append("{")
        for (index, entry) in counts.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            entry.name.withUnsafeBytes { buffer.append(quoted: $0) }
            buffer.append(UInt8(ascii: ":"))
            buffer.append(integer: entry.count)
        }
        buffer.append("}")
    }

    /// - Parameters:
    ///   - quotedName: the property's name as JSON, quotes and colon included.
    ///   - json: a value of any kind, as it is to be written.
    public mutating func append(quotedName: [UInt8], json: UnsafeRawBufferPointer) {
        append(quotedName: quotedName)
        buffer.append(json)
    }

    /// Begins a property whose value is an array; its elements follow.
    public mutating func beginArray(quotedName: [UInt8]) {
        append(quotedName: quotedName)
        buffer.append("[")
        isFirstElement = true
    }

    public mutating func appendElement(text: UnsafeRawBufferPointer, isNumber: Bool) {
        beginElement()
        append(text, isNumber: isNumber)
    }

    /// Begins an object in an array; its properties follow.
    public mutating func beginObjectElement() {
        beginElement()
        buffer.append("{")
        isFirstProperty = true
    }

    public mutating func endObjectElement() {
        buffer.append("}")
    }

    public mutating func endArray() {
        buffer.append("]")
        isFirstProperty = false
    }

    private mutating func beginElement() {
        if !isFirstElement { buffer.append(UInt8(ascii: ",")) }
        isFirstElement = false
    }

    private mutating func append(quotedName: [UInt8]) {
        quotedName.withUnsafeBytes { append(quotedName: $0) }
    }

    private mutating func append(quotedName: UnsafeRawBufferPointer) {
        if !isFirstProperty { buffer.append(UInt8(ascii: ",")) }
        isFirstProperty = false
        buffer.append(quotedName)
    }

    /// For how many points a point stands that is no cluster.
    public mutating func append(pointCount: Int) {
        buffer.append(isFirstProperty ? #""point_count":"# : #","point_count":"#)
        buffer.append(integer: pointCount)
        isFirstProperty = false
    }

    /// Says of a point that it is never merged.
    public mutating func appendUnclustered() {
        buffer.append(isFirstProperty ? #""unclustered":true"# : #","unclustered":true"#)
        isFirstProperty = false
    }

    /// The id of the cluster that takes the marker in at the zoom above.
    public mutating func append(parent clusterID: UInt64) {
        buffer.append(isFirstProperty ? #""parent":"# : #","parent":"#)
        buffer.append(integer: Int(clusterID))
        isFirstProperty = false
    }

    public mutating func endFeature() {
        buffer.append("}}")
    }

    /// Appends a feature that ``appendLastFeature(to:)`` has kept.
    public mutating func append(feature: Range<Int>, of features: borrowing ByteBuffer) {
        separateFeature()
        buffer.append(feature, of: features)
    }

    /// Keeps the feature that was ended last.
    /// - Returns: where it is now.
    public func appendLastFeature(to features: inout ByteBuffer) -> Range<Int> {
        let start = features.count
        features.append(featureStart..<buffer.count, of: buffer)
        return start..<features.count
    }

    private mutating func beginFeature() {
        separateFeature()
        buffer.append(#"{"type":"Feature""#)
    }

    private mutating func separateFeature() {
        if !isFirstFeature { buffer.append(UInt8(ascii: ",")) }
        isFirstFeature = false
        featureStart = buffer.count
    }

    private mutating func append(geometryAt coordinate: Coordinate) {
        buffer.append(#","geometry":{"type":"Point","coordinates":["#)
        buffer.append(microdegrees: coordinate.longitudeMicrodegrees)
        buffer.append(UInt8(ascii: ","))
        buffer.append(microdegrees: coordinate.latitudeMicrodegrees)
        buffer.append("]}")
    }

    private mutating func append(_ text: UnsafeRawBufferPointer, isNumber: Bool) {
        if isNumber { buffer.append(text) } else { buffer.append(quoted: text) }
    }

    private mutating func append(_ count: Int, label: CountLabel) {
        switch label {
        case .abbreviated: append(abbreviated: count)
        case .exact: buffer.append(integer: count)
        case .ninetyNine: if count < 100 { buffer.append(integer: count) } else { buffer.append("\"99+\"") }
        }
    }

    private mutating func append(abbreviated count: Int) {
        switch count {
        case ..<1_000: buffer.append(integer: count)
        case ..<999_500: append(count, dividedBy: 1_000, suffix: "k\"")
        default: append(count, dividedBy: 1_000_000, suffix: "M\"")
        }
    }

    /// One decimal below ten, none above; halves are rounded up and a zero after the point is dropped.
    private mutating func append(_ count: Int, dividedBy unit: Int, suffix: StaticString) {
        buffer.append(UInt8(ascii: "\""))
        let tenths = (count * 10 + unit / 2) / unit
        if count < unit * 10, tenths % 10 != 0, tenths < 100 {
            buffer.append(integer: tenths / 10)
            buffer.append(UInt8(ascii: "."))
            buffer.append(integer: tenths % 10)
        } else {
            buffer.append(integer: (count + unit / 2) / unit)
        }
        buffer.append(suffix)
    }
}
