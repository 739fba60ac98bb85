/// The numbers that the encoder and the decoder share.
package enum MVT {
    /// The units of a tile's side. MapLibre rescales places to as many, and drops what is outside.
    package static let extent: UInt32 = 8192

    /// What every tile begins with, after the length of its layer: the version and the name.
    /// - Parameter name: at most 127 bytes.
    static func layerStart(_ name: String) -> [UInt8] { [0x78, 0x02, 0x0a, UInt8(name.utf8.count)] + Array(name.utf8) }

    /// Whether bytes begin as our tiles do, as far as they go.
    /// - Parameter layer: the name of their layer.
    package static func isStart(_ bytes: [UInt8], layer name: String) -> Bool {
        guard bytes.first == key(3, .bytes) else { return false }
        let layerStart = layerStart(name)
        let layer = bytes.dropFirst().drop { $0 >= 0x80 }.dropFirst().prefix(layerStart.count)
        return layerStart.starts(with: layer)
    }

    /// Wire types (https://protobuf.dev/programming-guides/encoding).
    enum WireType: UInt8 {
        case varint = 0
        case eightBytes = 1
        case bytes = 2
        case fourBytes = 5
    }

    /// What precedes a field.
    static func key(_ field: UInt8, _ type: WireType) -> UInt8 { field << 3 | type.rawValue }
}

/// A place in units of a tile.
package enum MVTPlace {
    /// Whole world units in a unit of a tile; 1 at zooms at which a tile's are smaller.
    package static func worldUnits(atZoom zoom: Int) -> UInt32 { zoom < 19 ? 1 << UInt32(19 - zoom) : 1 }

    /// The nearest unit of the tile that contains the coordinate, halves up, but within the tile.
    package static func unit(of coordinate: UInt32, atZoom zoom: Int) -> UInt32 {
        let bits = UInt64(32 - zoom)
        let offset = UInt64(coordinate) & ((1 << bits) - 1)
        return min(UInt32(((offset << 13) + (1 << (bits - 1))) >> bits), MVT.extent - 1)
    }

    /// The world coordinate of a unit of a tile's column or row: exact up to zoom 19, the nearest below beyond it.
    package static func worldCoordinate(ofUnit unit: UInt32, in tile: Int, atZoom zoom: Int) -> UInt32 {
        let bits = UInt64(32 - zoom)
        return UInt32(truncatingIfNeeded: (UInt64(tile) << bits) + ((UInt64(unit) << bits) >> 13))
    }

    /// The place that a tile shows in the stead of another.
    package static func shown(_ point: WorldPoint, atZoom zoom: Int) -> WorldPoint {
        func shown(_ coordinate: UInt32) -> UInt32 {
            worldCoordinate(
                ofUnit: unit(of: coordinate, atZoom: zoom), in: Int(UInt64(coordinate) >> UInt64(32 - zoom)),
                atZoom: zoom)
        }
        return WorldPoint(x: shown(point.x), y: shown(point.y))
    }
}
