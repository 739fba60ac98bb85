/// One of the two numbers of a coordinate.
enum Axis: String, Sendable {
    case longitude, latitude

    /// Millionths of a degree from zero, at most.
    var limitMicrodegrees: Int64 { self == .longitude ? 180_000_000 : 90_000_000 }

    /// For messages.
    var expected: String { self == .longitude ? "degrees from -180 to 180" : "degrees from -90 to 90" }
}
