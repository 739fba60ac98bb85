/// What an input may be at most. Beyond the limit of a row the row is skipped; beyond the others the input is refused.
enum InputLimits {
    /// As many as a sheet of the common spreadsheets has; different names of properties in GeoJSON.
    static let columns = 16_384
    /// Bytes of one row, its quotes included: a longer property has no place in a tile.
    static let rowBytes = 16 << 20
    /// Brackets of a GeoJSON feature that lie in each other, its own included. Readers of tiles have limits too, and
    /// PyramidTiles reads values that nest 64 deep.
    static let nestedBrackets = 60
    /// Points are numbered with 32 bits, and one number stands for "none".
    static let points = Int(UInt32.max) - 1
    /// Bytes that a gzip input may inflate to, so that a few megabytes can't fill every disk.
    static let inflatedBytes = 256 << 30
}
