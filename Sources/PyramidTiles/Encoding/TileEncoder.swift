/// Writes tiles one after the other into a buffer that it keeps: ``begin(_:)``, any number of markers, ``finish()``.
public protocol TileEncoder: ~Copyable, SendableMetatype {
    /// Whether a tile has the same bytes at every zoom at which it has the same markers, so that they can be used again.
    static var isSameAtEveryZoom: Bool { get }

    init(_ options: EncodingOptions)

    /// Begins a tile and forgets the one before.
    mutating func begin(_ tile: TileCoordinate)
    mutating func append<Marker: MarkerView & ~Copyable>(_ marker: inout Marker)
    mutating func finish()

    /// The tile's bytes, complete after ``finish()``.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result

    /// Appends a feature that ``appendLastFeature(to:)`` has kept, perhaps from a tile of another zoom.
    /// - Parameter place: where it is shown, as before.
    mutating func append(feature: Range<Int>, of features: borrowing ByteBuffer, at place: WorldPoint)
    /// The types of the property that holds ids, in all tiles so far.
    var idTypes: PropertyTypes { get }
    /// Keeps the feature that was appended last, in a form that suits all zooms.
    /// - Returns: where it is now.
    func appendLastFeature(to features: inout ByteBuffer) -> Range<Int>
}

/// What shapes the bytes of tiles besides their markers.
public struct EncodingOptions: Sendable {
    /// What `point_count_abbreviated` holds.
    public var countLabel: CountLabel
    /// The property of points for ids that the format has no place for.
    public var idProperty: String
    /// What clusters in MVT tiles carry besides the usual.
    public var mvtProperties: [MVTProperty]
    /// The name of the layer of MVT tiles, at most 127 bytes.
    public var layer: String

    public init(
        countLabel: CountLabel = .abbreviated, idProperty: String = "id", mvtProperties: [MVTProperty] = [],
        layer: String = TileStorage.defaultLayer
    ) {
        self.countLabel = countLabel
        self.idProperty = idProperty
        self.mvtProperties = mvtProperties
        self.layer = layer
    }
}

/// A marker as an encoder sees it: what it is, but not how it is written or where it goes.
public protocol MarkerView: ~Copyable {
    /// Where the marker is shown.
    var coordinate: Coordinate { get }
    /// The same place on the map.
    var place: WorldPoint { get }
    /// `nil` for a point by itself.
    var cluster: ClusterFacts? { get }
    /// Calls `body` with the id of a point, `nil` if it has none; the value is valid during the call.
    mutating func withID(_ body: (PropertyView?) -> Void)
    /// Hands over all properties but those that follow from ``cluster``, in the order in which they are written.
    mutating func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor)
}

extension MarkerView where Self: ~Copyable {
    /// How many points the marker stands for.
    @inlinable public var pointCount: Int { cluster?.pointCount ?? 1 }

    @inlinable public var place: WorldPoint { WebMercator.project(coordinate) }
}

/// What every cluster has besides the place where it is shown.
public struct ClusterFacts: Sendable {
    public let id: UInt64
    /// The box around the members.
    public let boundingBox: BoundingBox
    public let pointCount: Int
    /// The first zoom, going in, at which the cluster is no longer whole; `nil` if no zoom takes it apart.
    public let expansionZoom: Int?

    public init(id: UInt64, boundingBox: BoundingBox, pointCount: Int, expansionZoom: Int?) {
        self.id = id
        self.boundingBox = boundingBox
        self.pointCount = pointCount
        self.expansionZoom = expansionZoom
    }
}

/// Takes the properties of a marker one after the other.
public protocol PropertyVisitor: ~Copyable {
    /// - Parameters:
    ///   - quotedName: the property's name as JSON, quotes and colon included; valid during the call.
    ///   - value: valid during the call.
    mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView)
}

extension PropertyVisitor where Self: ~Copyable {
    @inlinable
    public mutating func visit(_ quotedName: [UInt8], _ value: PropertyView) {
        quotedName.withUnsafeBytes { visit($0, value) }
    }

    @inlinable
    public mutating func visit(_ quotedName: StaticString, _ value: PropertyView) {
        visit(UnsafeRawBufferPointer(start: quotedName.utf8Start, count: quotedName.utf8CodeUnitCount), value)
    }
}

/// A property's value in its type. Bytes are UTF-8 and valid for as long as the view is.
public enum PropertyView {
    case text(UnsafeRawBufferPointer)
    /// Text that needs no escapes in JSON, so that it can be copied without a second look.
    case plainText(UnsafeRawBufferPointer)
    /// A JSON number, to be written as it stands.
    case number(UnsafeRawBufferPointer)
    case integer(Int)
    case decimal(FixedDecimal)
    case bool(Bool)
    /// Any JSON value, to be written as it stands: objects and arrays, and strings that need escapes.
    case json(UnsafeRawBufferPointer)
}

extension ByteBuffer {
    /// The value as JSON.
    public mutating func append(_ value: PropertyView) {
        switch value {
        case .text(let text): append(quoted: text)
        case .plainText(let text):
            append(UInt8(ascii: "\""))
            append(text)
            append(UInt8(ascii: "\""))
        case .number(let json), .json(let json): append(json)
        case .integer(let number): append(integer: number)
        case .decimal(let number):
            var text = number.description
            text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        case .bool(let value): append(value ? "true" : "false" as StaticString)
        }
    }
}

/// Writes a JSON object property by property into a buffer.
public struct JSONObjectWriter: ~Copyable, PropertyVisitor {
    public private(set) var buffer = ByteBuffer(capacity: 256)
    private var isFirst = true

    public init() {}

    /// Forgets what was written.
    public mutating func removeAll() { buffer.removeAll() }

    public mutating func append(_ text: StaticString) { buffer.append(text) }
    public mutating func append(_ value: PropertyView) { buffer.append(value) }

    public mutating func beginObject() {
        buffer.append(UInt8(ascii: "{"))
        isFirst = true
    }

    public mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView) {
        separate()
        buffer.append(quotedName)
        buffer.append(value)
    }

    /// A property whose name is given as it is, in UTF-8.
    public mutating func append(name: UnsafeRawBufferPointer, _ value: PropertyView) {
        separate()
        buffer.append(quoted: name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(value)
    }

    private mutating func separate() {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    public mutating func endObject() { buffer.append(UInt8(ascii: "}")) }
}
