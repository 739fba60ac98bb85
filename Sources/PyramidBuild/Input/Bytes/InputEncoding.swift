import PyramidTiles

/// The encoding of an input's text. A byte order mark at its beginning overrides it.
public enum InputEncoding: String, Codable, CaseIterable, Sendable {
    case utf8 = "utf-8"
    /// Western European text of Windows programs (WHATWG's index of windows-1252, but with the five bytes that it
    /// leaves undefined as errors).
    case windows1252 = "windows-1252"
    case iso8859_1 = "iso-8859-1"
    /// Without a byte order mark: little-endian, unless the first character is ASCII in big-endian order.
    case utf16 = "utf-16"
}

/// Text to be converted to UTF-8.
enum ForeignText {
    /// RFC 2781.
    case utf16(isBigEndian: Bool)
    /// One byte per character.
    case singleByte(InputEncoding)

    /// - Parameters:
    ///   - bytes: the whole text. A byte order mark counts more than `encoding`; UTF-32's little-endian one begins with
    ///     UTF-16's, and is left for a message.
    /// - Returns: `nil` if the text is UTF-8, or is to be read as such.
    init?(_ bytes: UnsafeRawBufferPointer, _ encoding: InputEncoding) {
        let utf32Marks: [[UInt8]] = [[0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]]
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) || utf32Marks.contains(where: { bytes.starts(with: $0) }) {
            return nil
        }
        if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
            self = .utf16(isBigEndian: bytes[0] == 0xfe)
            return
        }
        switch encoding {
        case .utf8: return nil
        case .utf16: self = .utf16(isBigEndian: bytes.count > 1 && bytes[0] == 0 && (1..<0x80).contains(bytes[1]))
        case .windows1252, .iso8859_1: self = .singleByte(encoding)
        }
    }

    /// The characters of Windows-1252 for the bytes 0x80 to 0x9F. An undefined byte stands for itself.
    private static let windows1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)

    /// Appends the characters at `position` and up to about `end` as UTF-8, and moves the position behind them. A byte
    /// order mark at the start of the text isn't appended.
    /// - Returns: why the character at the position can't be read; `nil` if all could be.
    func append(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, upTo end: Int, to text: inout [UInt8]
    ) -> OptionMessage? {
        switch self {
        case .singleByte(let encoding):
            let hasGaps = encoding == .windows1252
            text.reserveCapacity(end - position)
            while position < end {
                let byte = bytes[position]
                if byte < 0x80 {
                    text.append(byte)
                } else if hasGaps, byte < 0xa0 {
                    let scalar = ForeignText.windows1252[Int(byte - 0x80)]
                    guard scalar.value != UInt32(byte) else {
                        return "has the byte 0x\(byte.hexadecimal), which is no character of \(encoding.rawValue): use "
                            + "\(.encoding) iso-8859-1, or convert the text with iconv"
                    }
                    text.append(contentsOf: scalar.utf8)
                } else {
                    text.append(0xc0 | byte >> 6)
                    text.append(0x80 | byte & 0x3f)
                }
                position += 1
            }
        case .utf16(let isBigEndian):
            func unit(_ offset: Int) -> UInt16 {
                let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            if position == 0, bytes.count > 1, unit(0) == 0xfeff { position = 2 }
            while position < end {
                guard position + 2 <= bytes.count else {
                    return "text in UTF-16 has half of a character at its end, expected whole characters"
                }
                let first = unit(position)
                if let scalar = Unicode.Scalar(first) {
                    text.append(contentsOf: scalar.utf8)
                    position += 2
                    continue
                }
                guard UTF16.isLeadSurrogate(first), position + 4 <= bytes.count,
                    UTF16.isTrailSurrogate(unit(position + 2))
                else { return "text in UTF-16 has half of a surrogate pair, expected whole characters" }
                text.append(contentsOf: UTF16.decode(UTF16.EncodedScalar([first, unit(position + 2)])).utf8)
                position += 4
            }
        }
        return nil
    }
}

extension SpoolFile {
    /// The bytes to convert at a time.
    private static let stepBytesToConvert = 1 << 18

    /// Appends text as UTF-8, without its byte order mark.
    /// - Throws: ``InputError`` with the line of the first broken character.
    func convert(_ region: MappedRegion, from foreign: ForeignText) throws(InputError) {
        let bytes = region.bytes
        var piece: [UInt8] = []
        var position = 0
        while position < bytes.count {
            piece.removeAll(keepingCapacity: true)
            let end = min(position + SpoolFile.stepBytesToConvert, bytes.count)
            let problem = foreign.append(bytes, at: &position, upTo: end, to: &piece)
            try append(piece[...])
            if let problem { throw InputError(.badData, in: name, line: try lastLine(), problem) }
        }
    }

    /// The number of the line at which the content so far ends.
    private func lastLine() throws(InputError) -> Int {
        let region = try map()
        return withExtendedLifetime(region) {
            var lines = LineCounter()
            return lines.line(
                at: region.bytes.count, in: region.bytes.assumingMemoryBound(to: UInt8.self).span)
        }
    }
}
