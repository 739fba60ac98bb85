/// Limits on inputs. A row that exceeds a row limit is skipped; an input that exceeds another limit is refused.
package enum InputLimits {
    /// The maximum number of columns, as in common spreadsheet programs; in GeoJSON, of different property names.
    package static let columns = 16_384
    /// The maximum bytes of a row, quotes included: much more than anyone wants in a tile.
    package static let rowBytes = 16 << 20
    /// The maximum depth of brackets in a GeoJSON feature, including its own. Readers of tiles have limits too:
    /// PyramidTiles reads values up to 64 deep.
    static let nestedBrackets = 60
    /// Points are numbered with 31 bits; one more bit distinguishes clusters.
    package static let points = Int(Int32.max)
    /// The bytes that any gzip input may expand to.
    static let inflatedBytesAlways = 1 << 30
    /// Beyond that, content may be at most this many times the size of the gzip data. Identical rows reach a factor of
    /// 515, files made to fill disks 1,029.
    static let inflationFactor = 800
    /// The bytes of temporary file that no gzip input may exceed.
    static let inflatedBytes = 256 << 30

    /// The bytes that gzip data of this size may expand to, so that a few megabytes can't fill a disk.
    static func inflatedBytes(from compressedBytes: Int) -> Int {
        min(max(compressedBytes * inflationFactor, inflatedBytesAlways), inflatedBytes)
    }
}
