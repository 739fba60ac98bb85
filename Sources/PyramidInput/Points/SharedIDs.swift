import PyramidTiles

/// Ids of GeoJSON features that several features have. They don't identify a point, so these points have none.
struct SharedIDs: Sendable {
    /// The hashes of the ids, sorted. A feature whose id has the same hash as one of them loses it, too.
    private let hashes: [UInt64]
    /// The number of features that have them.
    let featureCount: Int

    /// - Parameter hashes: sorted.
    init(hashes: [UInt64] = [], featureCount: Int = 0) { (self.hashes, self.featureCount) = (hashes, featureCount) }

    var isEmpty: Bool { hashes.isEmpty }
    /// The number of different ids.
    var count: Int { hashes.count }

    /// O(log n)
    func contains(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        let index = hashes.partitioningIndex { $0 >= hash }
        return index < hashes.count && hashes[index] == hash
    }

    /// The warning about them; `nil` if there are none.
    var warning: OptionMessage? {
        guard !isEmpty else { return nil }
        let ids = count == 1 ? "1 id stands" : "\(NumberText.grouped(count)) ids stand"
        return "\(ids) in several features; their \(NumberText.grouped(featureCount)) points have no id now. Name a "
            + "property with a unique id for each point with \(.idColumn), which also skips repeated points"
    }
}
