import PyramidTiles

/// What a worker needs to look at tiles that are there already, kept from one to the next.
public struct ExistingTile {
    /// The file that was kept last.
    public internal(set) var stored: [UInt8] = []
    private(set) var json: [UInt8] = []
    /// `nil` before the first tile, and after one that could not be inflated.
    private var inflater: GzipInflater?

    public init() {}

    /// Inflates the file.
    /// - Returns: whether it is sound.
    mutating func inflate(limitBytes: Int) -> Bool {
        do throws(GzipError) {
            let inflater = if let inflater { inflater } else { try GzipInflater() }
            self.inflater = nil
            try inflater.inflateMember(stored, into: &json, limitBytes: limitBytes)
            self.inflater = inflater
            return true
        } catch {
            return false
        }
    }
}
