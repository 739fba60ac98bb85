/// How many points of a cluster have a combination of values in the columns by which clients filter.
public struct FacetCount: Hashable, Sendable {
    /// One value per column: `null` for no value, an array of two limits for a range, and an array of values for a set.
    public let values: [PropertyValue]
    public let count: Int

    public init(values: [PropertyValue], count: Int) {
        self.values = values
        self.count = count
    }
}
