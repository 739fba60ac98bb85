import PyramidTiles

extension InputError {
    /// Throws if two texts differ in bytes and are the same in Unicode, as é is of one code point or of two. As names in
    /// JSON or in options, one would take the other's place.
    /// - Parameters:
    ///   - texts: in an order that doesn't depend on the order of the rows.
    ///   - what: where the texts are, with a verb.
    package static func requireOneSpelling(
        of texts: [[UInt8]], _ what: OptionMessage, in input: String, line: Int? = nil
    ) throws(InputError) {
        guard texts.contains(where: { $0.contains { $0 >= 0x80 } }) else { return }
        var known: [String: [UInt8]] = [:]
        for text in texts {
            let earlier = known.updateValue(text, forKey: String(decoding: text, as: UTF8.self))
            guard let earlier, earlier != text else { continue }
            let pair = [earlier, text].sorted { $0.lexicographicallyPrecedes($1) }
            throw InputError(
                .badData, in: input, line: line,
                "\(what) \(quoted(pair[0])) in two spellings, with \(difference(pair[0], pair[1])) and with "
                    + "\(difference(pair[1], pair[0])), which are the same text in Unicode; spell it in one way "
                    + "everywhere, such as the form NFC")
        }
    }

    /// Throws if a value of a column has two spellings.
    package static func requireOneSpelling(
        of values: [[UInt8]], inColumn name: String, of option: OptionName, in input: String
    ) throws(InputError) {
        try requireOneSpelling(of: values, "the column \(list([name])) of \(option) has the value", in: input)
    }

    /// The code points of a text where it differs from another.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> String {
        let (one, other) = (scalars(of: one), scalars(of: other))
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one[start...].reversed(), other[start...].reversed()).prefix { $0 == $1 }.count
        return one[start...].dropLast(end).map(\.codePoint).joined(separator: " ")
    }

    private static func scalars(of text: [UInt8]) -> [Unicode.Scalar] {
        Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    }
}

extension Unicode.Scalar {
    /// Such as `U+00E9`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
