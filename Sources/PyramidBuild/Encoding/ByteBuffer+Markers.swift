import PyramidTiles

/// Values of markers as text.
extension ByteBuffer {
    /// West, south, east and north in degrees, as a JSON array.
    mutating func append(_ box: BoundingBox) {
        append(UInt8(ascii: "["))
        append(microdegrees: box.west)
        append(UInt8(ascii: ","))
        append(microdegrees: box.south)
        append(UInt8(ascii: ","))
        append(microdegrees: box.east)
        append(UInt8(ascii: ","))
        append(microdegrees: box.north)
        append(UInt8(ascii: "]"))
    }

    /// `point_count_abbreviated`, without quotes.
    mutating func append(label count: Int, _ label: CountLabel) {
        guard !label.isNumber(count) else { return append(integer: count) }
        switch label {
        case .ninetyNine: append("99+")
        case .abbreviated where count < 999_500: append(count, dividedBy: 1_000, suffix: UInt8(ascii: "k"))
        case .abbreviated, .exact: append(count, dividedBy: 1_000_000, suffix: UInt8(ascii: "M"))
        }
    }

    /// With one decimal for less than ten units, unless it is zero; otherwise in whole units. Halves are rounded up.
    private mutating func append(_ count: Int, dividedBy unit: Int, suffix: UInt8) {
        let tenths = (count * 10 + unit / 2) / unit
        if count < unit * 10, tenths % 10 != 0, tenths < 100 {
            append(integer: tenths / 10)
            append(UInt8(ascii: "."))
            append(integer: tenths % 10)
        } else {
            append(integer: (count + unit / 2) / unit)
        }
        append(suffix)
    }
}

extension CountLabel {
    /// Whether the label of a count is the count itself.
    func isNumber(_ count: Int) -> Bool {
        switch self {
        case .abbreviated: count < 1_000
        case .exact: true
        case .ninetyNine: count < 100
        }
    }
}
