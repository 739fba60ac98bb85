import PyramidTiles

/// Values of markers as text.
extension ByteBuffer {
    /// West, south, east and north in degrees, as a JSON array.
    package mutating func append(_ box: BoundingBox) {
        append(UInt8(ascii: "["))
        append(microdegrees: box.west)
        append(UInt8(ascii: ","))
        append(microdegrees: box.south)
        append(UInt8(ascii: ","))
        append(microdegrees: box.east)
        append(UInt8(ascii: ","))
        append(microdegrees: box.north)
        append(UInt8(ascii: "]"))
    }
}
