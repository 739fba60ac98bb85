/// Limits on inputs. A row beyond its limits is skipped; an input beyond the others is refused.
enum InputLimits {
    /// As many as the common spreadsheet programs have; in GeoJSON, the number of different property names.
    static let columns = 16_384
    /// The bytes of a row, including quotes: nobody wants a longer property in a tile.
    static let rowBytes = 16 << 20
    /// The depth of brackets in a GeoJSON feature, including its own. Readers of tiles have limits too, and
    /// PyramidTiles reads values up to 64 deep.
    static let nestedBrackets = 60
    /// Points are numbered with 31 bits; markers have one more bit, for clusters.
    static let points = Int(Int32.max)
    /// The content that any gzip input may expand to, in bytes.
    static let inflatedBytesAlways = 1 << 30
    /// Larger content may be this many times the size of the gzip data. Identical rows reach a factor of 515, and files
    /// made to fill disks reach 1,029.
    static let inflationFactor = 800
    /// The most content that a gzip input may expand to, in bytes of the temporary file.
    static let inflatedBytes = 256 << 30

    /// The content that gzip data of this size may expand to, so that a few megabytes can't fill a disk.
    static func inflatedBytes(from compressedBytes: Int) -> Int {
        min(max(compressedBytes * inflationFactor, inflatedBytesAlways), inflatedBytes)
    }
}
