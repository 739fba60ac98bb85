/// What the encoder and the decoder of Mapbox Vector Tiles share.
package enum MVT {
    /// A tile's width and height in its own units. MapLibre rescales places to this extent, and drops what is
    /// outside.
    @inlinable package static var extent: UInt32 { 8192 }

    /// The first bytes of a layer: the version and the name.
    /// - Parameter name: at most 127 bytes.
    package static func layerStart(_ name: String) -> [UInt8] {
        [0x78, 0x02, 0x0a, UInt8(name.utf8.count)] + Array(name.utf8)
    }

    /// Whether bytes begin as our tiles do; shorter ones are compared as far as they go.
    /// - Parameter layer: the name of their layer.
    package static func isStart(_ bytes: [UInt8], layer name: String) -> Bool {
        guard bytes.first == key(3, .bytes) else { return false }
        let layerStart = layerStart(name)
        let layer = bytes.dropFirst().drop { $0 >= 0x80 }.dropFirst().prefix(layerStart.count)
        return layerStart.starts(with: layer)
    }

    /// Wire types (https://protobuf.dev/programming-guides/encoding).
    @usableFromInline
    package enum WireType: UInt8 {
        case varint = 0
        case eightBytes = 1
        case bytes = 2
        case fourBytes = 5
    }

    /// The byte that precedes a field.
    @inlinable
    package static func key(_ field: UInt8, _ type: WireType) -> UInt8 {
        // Other modules can't inline the raw value.
        switch type {
        case .varint: field << 3
        case .eightBytes: field << 3 | 1
        case .bytes: field << 3 | 2
        case .fourBytes: field << 3 | 5
        }
    }
}

/// Conversion between places and a tile's units.
package enum MVTPlace {
    /// How many world units a tile's unit spans; 1 at zooms at which it is smaller than a world unit.
    package static func worldUnits(atZoom zoom: Int) -> UInt32 { zoom < 19 ? 1 << UInt32(19 - zoom) : 1 }

    /// The unit nearest to a world coordinate, in the tile that contains it; halves are rounded up.
    @inlinable
    package static func unit(of coordinate: UInt32, atZoom zoom: Int) -> UInt32 {
        let bits = UInt64(32 - zoom)
        let offset = UInt64(coordinate) & ((1 << bits) - 1)
        return min(UInt32(((offset << 13) + (1 << (bits - 1))) >> bits), MVT.extent - 1)
    }

    /// The world coordinate of a unit of a tile's column or row: exact up to zoom 19, rounded down at higher zooms.
    package static func worldCoordinate(ofUnit unit: UInt32, in tile: Int, atZoom zoom: Int) -> UInt32 {
        let bits = UInt64(32 - zoom)
        return UInt32(truncatingIfNeeded: (UInt64(tile) << bits) + ((UInt64(unit) << bits) >> 13))
    }

    /// Where a tile shows a place, after rounding to its units.
    package static func shown(_ point: WorldPoint, atZoom zoom: Int) -> WorldPoint {
        func shown(_ coordinate: UInt32) -> UInt32 {
            worldCoordinate(
                ofUnit: unit(of: coordinate, atZoom: zoom), in: Int(UInt64(coordinate) >> UInt64(32 - zoom)),
                atZoom: zoom)
        }
        return WorldPoint(x: shown(point.x), y: shown(point.y))
    }
}
