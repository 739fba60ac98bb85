/// What an input may be at most. Beyond the limit of a row the row is skipped; beyond the others the input is refused.
enum InputLimits {
    /// As many as a sheet of the common spreadsheets has.
    static let columns = 16_384
    /// Bytes of one row, its quotes included: a longer property has no place in a tile.
    static let rowBytes = 16 << 20
    /// Points are numbered with 32 bits, and one number stands for "none".
    static let points = Int(UInt32.max) - 1
    /// Bytes that a gzip input may inflate to, so that a few megabytes can't fill every disk.
    static let inflatedBytes = 256 << 30
}
