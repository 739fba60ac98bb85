import PyramidInput
import PyramidTiles

/// A marker as an encoder sees it: its place, id and properties, but neither its tile nor its format.
package protocol MarkerView: ~Copyable {
    /// Where the marker is shown.
    var coordinate: Coordinate { get }
    /// The same place on the map.
    var place: WorldPoint { get }
    /// `nil` for a point by itself.
    var cluster: ClusterFields? { get }
    /// Calls `body` with the point's id, or `nil` for a cluster or a point without an id. The value is valid during the
    /// call.
    mutating func withID(_ body: (PropertyView?) -> Void)
    /// Passes the properties to `visitor` in the order of writing, without those in ``cluster``.
    mutating func visitProperties<Visitor: PropertyVisitor & ~Copyable>(_ visitor: inout Visitor)
}

extension MarkerView where Self: ~Copyable {
    package var place: WorldPoint { WebMercator.project(coordinate) }
}

/// What every cluster has, besides its place.
package struct ClusterFields: Sendable {
    package let id: UInt64
    /// The box around the members.
    package let boundingBox: BoundingBox
    package let pointCount: Int
    /// The lowest zoom at which the cluster splits; `nil` if it never does.
    package let expansionZoom: Int?

    package init(id: UInt64, boundingBox: BoundingBox, pointCount: Int, expansionZoom: Int?) {
        self.id = id
        self.boundingBox = boundingBox
        self.pointCount = pointCount
        self.expansionZoom = expansionZoom
    }
}

extension ByteBuffer {
    /// The value as JSON.
    package mutating func append(_ value: PropertyView) {
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
