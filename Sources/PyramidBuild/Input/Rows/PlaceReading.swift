import PyramidTiles

/// A row's place, or why it has none.
struct PlaceReading {
    /// Microdegrees.
    private(set) var longitude: Int32 = 0
    private(set) var latitude: Int32 = 0
    /// Whether the longitude was over 180, and 360 degrees were taken from it.
    private(set) var isWrapped = false
    /// The order of the numbers in one cell, if their notation allows both.
    var order: PointOrder?
    var fault: RowFault?

    init() {}

    init(fault: RowFault) { self.fault = fault }

    /// Whether there are numbers, in range or not.
    var isReadable: Bool { fault.map { $0.problem == .coordinateOutOfRange } ?? true }

    /// Takes coordinates in microdegrees, or notes that they are out of range.
    mutating func take(longitude: Int, latitude: Int) {
        var east = longitude
        if longitude > Axis.longitude.limitMicrodegrees, longitude <= 2 * Axis.longitude.limitMicrodegrees {
            east -= 2 * Axis.longitude.limitMicrodegrees
            isWrapped = true
        }
        let isFarNorth = abs(latitude) > Axis.latitude.limitMicrodegrees
        guard !isFarNorth, abs(east) <= Axis.longitude.limitMicrodegrees else {
            fault = .outOfRange(isFarNorth ? .latitude : .longitude, latitude: latitude, longitude: longitude)
            return
        }
        (self.longitude, self.latitude) = (Int32(truncatingIfNeeded: east), Int32(truncatingIfNeeded: latitude))
    }
}
