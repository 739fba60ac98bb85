/// One of the user's own points, as a tile shows it.
public struct Feature: Hashable, Sendable {
    /// The value of the id column, a string or a number; `nil` where the pyramid was built without one.
    public let id: PropertyValue?
    public let coordinate: Coordinate
    /// The input's columns: strings, and numbers where the whole column is numbers. Empty cells are left out.
    public let properties: [String: PropertyValue]

    public init(id: PropertyValue? = nil, coordinate: Coordinate, properties: [String: PropertyValue] = [:]) {
        self.id = id
        self.coordinate = coordinate
        self.properties = properties
    }
}
