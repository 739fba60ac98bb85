/// A vector tile but for the place of its first feature. Tiles with one feature and the same outline show the same marker.
package struct MVTOutline {
    package private(set) var place = WorldPoint(x: 0, y: 0)
    private let bytes: [UInt8]
    /// All but the geometry and the lengths that depend on it.
    private var pieces: [Range<Int>] = []

    /// - Returns: `nil` if the bytes aren't a layer whose first feature is a point.
    package init?(_ bytes: [UInt8], at tile: TileCoordinate) {
        self.bytes = bytes
        let isRead = bytes.withUnsafeBytes { (try? read($0, tile)) != nil }
        guard isRead else { return nil }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ tile: TileCoordinate) throws(JSONFault) {
        var reader = ProtobufReader(bytes, in: 0..<bytes.count)
        let layer = try reader.skip(to: 3)
        guard reader.isAtEnd else { throw JSONFault(offset: reader.position, expected: "the end") }
        reader = ProtobufReader(bytes, in: layer.content)
        let feature = try reader.skip(to: 2)
        reader = ProtobufReader(bytes, in: feature.content)
        let geometry = try reader.skip(to: 4)
        pieces = [
            0..<layer.start, layer.content.lowerBound..<feature.start, feature.content.lowerBound..<geometry.start,
            geometry.content.upperBound..<feature.content.upperBound,
            feature.content.upperBound..<layer.content.upperBound,
        ]
        reader = ProtobufReader(bytes, in: geometry.content)
        place = try reader.readPlace(in: tile)
    }

    package func isSame(as other: MVTOutline) -> Bool {
        bytes.withUnsafeBytes { bytes in
            other.bytes.withUnsafeBytes { otherBytes in
                zip(pieces, other.pieces).allSatisfy {
                    UnsafeRawBufferPointer(rebasing: bytes[$0])
                        .isSame(as: UnsafeRawBufferPointer(rebasing: otherBytes[$1]))
                }
            }
        }
    }
}
