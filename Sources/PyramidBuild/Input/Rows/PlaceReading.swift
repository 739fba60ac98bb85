import PyramidTiles

/// A row's place, or why it has none.
struct PlaceReading {
    /// Microdegrees.
    private(set) var longitude: Int32 = 0
    private(set) var latitude: Int32 = 0
    /// Whether the longitude was beyond -180 to 180, and was moved by 360 degrees.
    private(set) var isWrapped = false
    /// Whether degrees and minutes are one number.
    var isPacked = false
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
        let limit = Axis.longitude.limitMicrodegrees
        if abs(longitude) > limit, abs(longitude) <= 2 * limit {
            east -= longitude.signum() * 2 * limit
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
