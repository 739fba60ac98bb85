/// Writes the scalars of JSON (RFC 8259), without a locale and without Foundation.
extension ByteBuffer {
    /// Appends an integer in decimal digits.
    public mutating func append(integer value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(unsigned: value.magnitude, minimumDigits: 1)
    }

    mutating func append(unsigned value: UInt64) { append(unsigned: UInt(value), minimumDigits: 1) }

    /// Appends microdegrees as degrees: at most six decimals, without zeros at the end.
    public mutating func append(microdegrees value: Int32) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let (degrees, decimals) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        append(unsigned: UInt(degrees), minimumDigits: 1)
        guard decimals > 0 else { return }
        append(upTo: 7) { place in
            place[0] = UInt8(ascii: ".")
            ByteBuffer.write(UInt(decimals), digits: 6, to: place + 1)
            var count = 7
            while place[count - 1] == UInt8(ascii: "0") { count -= 1 }
            return count
        }
    }

    /// Appends a GeoJSON point.
    package mutating func append(geometryAt coordinate: Coordinate) {
        append(#"{"type":"Point","coordinates":["#)
        append(microdegrees: coordinate.longitudeMicrodegrees)
        append(UInt8(ascii: ","))
        append(microdegrees: coordinate.latitudeMicrodegrees)
        append("]}")
    }

    /// Appends text in quotes, with only the escapes that JSON demands. `text` must be valid UTF-8.
    public mutating func append(quoted text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        let bytes = text.assumingMemoryBound(to: UInt8.self).span
        var (position, hasNonASCII) = (0, false)
        while true {
            let stop = JSONTextStops.first(in: bytes, from: position, &hasNonASCII)
            append(UnsafeRawBufferPointer(rebasing: text[position..<stop]))
            if stop == bytes.count { break }
            append(JSONEscape.escape(for: bytes[stop]))
            position = stop + 1
        }
        append(UInt8(ascii: "\""))
    }

    public mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    /// Appends all eight digits, in lower case.
    mutating func append(hexadecimal value: UInt32) {
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            append(hexDigit(UInt8(truncatingIfNeeded: value >> shift & 15)))
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private mutating func append(unsigned value: UInt, minimumDigits: Int) {
        var digits = 1
        var limit: UInt = 10
        while value >= limit, digits < ByteBuffer.mostDigits {
            digits += 1
            limit &*= 10
        }
        digits = max(digits, minimumDigits)
        append(upTo: digits) { place in
            ByteBuffer.write(value, digits: digits, to: place)
            return digits
        }
    }

    /// Writes exactly `digits` digits, with leading zeros.
    @inline(__always)
    private static func write(_ value: UInt, digits: Int, to place: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var index = digits
        // Two digits at a time halve the number of divisions, each of which waits for the one before.
        while index >= 2 {
            let pair = rest % 100
            rest /= 100
            place[index - 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair / 10)
            place[index - 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair % 10)
            index -= 2
        }
        if index == 1 { place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
    }

    /// The digits of the greatest 64-bit number.
    private static let mostDigits = 20
}
