/// What a column's name says about a coordinate.
struct CoordinateName {
    var column: Int
    var axis: Axis
    /// Whether it says latitude or longitude ("lat", "lng"), not only "y" or "x".
    var isPlain: Bool
    /// What stands before: "pickup" in "pickup_latitude", else empty.
    var prefix: String

    private static let words: [(axis: Axis, isPlain: Bool, words: [String])] = [
        (.latitude, true, ["latitude", "lat"]), (.longitude, true, ["longitude", "long", "lon", "lng"]),
        (.latitude, false, ["ycoord", "y_coord", "y"]), (.longitude, false, ["xcoord", "x_coord", "x"]),
    ]
    private static let units = ["_decimal_degrees", "_degrees", "_deg", "_decimal", "_dd", "_wgs84"]

    /// `nil` where the name has nothing to do with coordinates.
    init?(_ name: String, column: Int) {
        // "Latitude (deg)" reads like "latitude_deg".
        let characters = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
        var text = String(characters).split(separator: "_").joined(separator: "_")
        if let unit = CoordinateName.units.first(where: { text.hasSuffix($0) }) { text.removeLast(unit.count) }
        for (axis, isPlain, words) in CoordinateName.words {
            for word in words where text.hasSuffix(word) {
                let prefix = text.dropLast(word.count)
                // "flat" and "along" are no coordinates, "pickupLatitude" is one.
                guard prefix.isEmpty || prefix.hasSuffix("_") || word.hasSuffix("itude") else { continue }
                self.column = column
                self.axis = axis
                self.isPlain = isPlain
                self.prefix = String(prefix.hasSuffix("_") ? prefix.dropLast() : prefix)
                return
            }
        }
        return nil
    }

    /// A column that is said to hold a coordinate, whatever its name.
    init(_ axis: Axis, _ name: String, column: Int) {
        if let reading = CoordinateName(name, column: column), reading.axis == axis {
            self = reading
        } else {
            self.column = column
            self.axis = axis
            isPlain = true
            prefix = ""
        }
    }
}
