import PyramidTiles

/// Text in UTF-16 (RFC 2781), as many Windows programs write it.
enum UTF16Text {
    /// By the byte order mark; `nil` without one. UTF-32's little-endian mark begins with UTF-16's.
    static func isBigEndian(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        if bytes.starts(with: [0xfe, 0xff]) { return true }
        return bytes.starts(with: [0xff, 0xfe]) && !bytes.starts(with: [0xff, 0xfe, 0, 0]) ? false : nil
    }
}

extension SpoolFile {
    /// The code units to convert at a time.
    private static let stepUnits = 1 << 17

    /// Appends text in UTF-16 as UTF-8, without its byte order mark.
    /// - Throws: ``InputError`` with the line of the first broken character.
    func convert(_ text: MappedRegion, isBigEndian: Bool) throws(InputError) {
        let bytes = text.bytes
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        func unit(_ index: Int) -> UInt16 { UInt16(bytes[2 * index + high]) << 8 | UInt16(bytes[2 * index + low]) }

        var piece: [UInt8] = []
        let count = bytes.count / 2
        var index = 1
        while index < count {
            piece.removeAll(keepingCapacity: true)
            let end = min(index + SpoolFile.stepUnits, count)
            while index < end {
                let first = unit(index)
                index += 1
                if let scalar = Unicode.Scalar(first) {
                    piece.append(contentsOf: scalar.utf8)
                    continue
                }
                guard UTF16.isLeadSurrogate(first), index < count, UTF16.isTrailSurrogate(unit(index)) else {
                    let line = 1 + (1..<index).count { unit($0) == UInt16(UInt8(ascii: "\n")) }
                    throw broken(line: line, "half of a surrogate pair")
                }
                piece.append(contentsOf: UTF16.decode(UTF16.EncodedScalar([first, unit(index)])).utf8)
                index += 1
            }
            try append(piece[...])
        }
        guard bytes.count % 2 == 0 else { throw broken(line: nil, "half of a character at its end") }
    }

    private func broken(line: Int?, _ found: String) -> InputError {
        InputError(.badData, in: name, line: line, "text in UTF-16 has \(found), expected whole characters")
    }
}
