import PyramidTiles

/// A row's place, or why it has none.
package struct PlaceReading {
    /// Microdegrees.
    package private(set) var longitude: Int32 = 0
    package private(set) var latitude: Int32 = 0
    /// On which side the longitude was beyond 180 degrees, if it was moved by 360.
    package private(set) var wrapped: RowRemark?
    /// Whether degrees and minutes are one number.
    var isPacked = false
    /// The order of the numbers in one cell, if their notation allows both.
    package var order: PointOrder?
    var fault: RowFault?

    init(fault: RowFault) { self.fault = fault }

    /// Whether there are numbers, in range or not.
    var isReadable: Bool { fault.map { $0.problem == .coordinateOutOfRange } ?? true }

    /// - Parameters: in microdegrees; they may be out of range.
    init(longitude: Int, latitude: Int) {
        var east = longitude
        let limit = Axis.longitude.limitMicrodegrees
        if abs(longitude) > limit, abs(longitude) <= 2 * limit {
            east -= longitude.signum() * 2 * limit
            wrapped = longitude > 0 ? .wrappedEast : .wrappedWest
        }
        let isFarNorth = abs(latitude) > Axis.latitude.limitMicrodegrees
        guard !isFarNorth, abs(east) <= Axis.longitude.limitMicrodegrees else {
            fault = RowFault(
                problem: .coordinateOutOfRange, axis: isFarNorth ? .latitude : .longitude,
                isSwapped: DecimalDegrees.areSwapped(latitude: latitude, longitude: longitude),
                isFar: max(abs(latitude), abs(longitude)) >= DecimalDegrees.beyondRange)
            return
        }
        (self.longitude, self.latitude) = (Int32(truncatingIfNeeded: east), Int32(truncatingIfNeeded: latitude))
    }
}

extension RowRemarks {
    mutating func add(_ place: PlaceReading, rowAt start: Int) {
        if place.isPacked { add(.packedMinutes, rowAt: start) }
        if let order = place.order { add(order == .latitudeFirst ? .latitudeFirst : .longitudeFirst, rowAt: start) }
        if let wrapped = place.wrapped { add(wrapped, rowAt: start) }
    }
}
