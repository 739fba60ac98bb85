/// Upper bounds on inputs. A row beyond its limits is skipped; beyond the others the input is refused.
enum InputLimits {
    /// As many as a sheet of the common spreadsheets has; different names of properties in GeoJSON.
    static let columns = 16_384
    /// Bytes of one row, its quotes included: nobody wants a longer property in a tile.
    static let rowBytes = 16 << 20
    /// How deep brackets of a GeoJSON feature may nest, its own included. Readers of tiles have limits too, and
    /// PyramidTiles reads values that nest 64 deep.
    static let nestedBrackets = 60
    /// Points are numbered with 31 bits: the numbers of markers have one more, for clusters.
    static let points = Int(Int32.max)
    /// Bytes that a gzip input may inflate to in any case.
    static let inflatedBytesAlways = 1 << 30
    /// Beyond these, how many times the compressed bytes. Rows that are all the same come to 515, and what is
    /// made to fill disks comes to 1,029.
    static let inflationFactor = 800
    /// Bytes of the temporary file that a gzip input inflates to, at most.
    static let inflatedBytes = 256 << 30

    /// The bytes that so many compressed ones may inflate to, so that a few megabytes can't fill a disk.
    static func inflatedBytes(from compressedBytes: Int) -> Int {
        min(max(compressedBytes * inflationFactor, inflatedBytesAlways), inflatedBytes)
    }
}
