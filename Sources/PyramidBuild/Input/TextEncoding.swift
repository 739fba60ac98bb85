import PyramidTiles

extension InputBytes {
    /// Bytes that no text in UTF-8 begins with, whatever its format.
    private static let foreignBeginnings: [(bytes: [UInt8], found: String)] = [
        ([0xff, 0xfe], "text is UTF-16 or UTF-32 (byte order mark)"),
        ([0xfe, 0xff], "text is UTF-16 or UTF-32 (byte order mark)"),
        ([0, 0, 0xfe, 0xff], "text is UTF-16 or UTF-32 (byte order mark)"),
        (Gzip.magic, "is gzip data within gzip data"),
        (Array("PK\u{3}\u{4}".utf8), "is a ZIP archive, as spreadsheets are too"),
    ]

    /// - Throws: ``InputError`` where the first bytes show that this is no UTF-8.
    func requireText() throws(InputError) {
        for (beginning, found) in InputBytes.foreignBeginnings where bytes.starts(with: beginning) {
            throw InputError(.badData, in: name, line: 1, "\(found), expected CSV or GeoJSON in UTF-8")
        }
        // Without a mark one byte of the first ASCII character is zero.
        if bytes.prefix(2).contains(0) {
            throw InputError(.badData, in: name, line: 1, "text begins with a NUL byte as UTF-16 does, expected UTF-8")
        }
    }
}

extension Span<UInt8> {
    /// The first byte after a byte order mark, which is tolerated.
    var afterByteOrderMark: Int { count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf ? 3 : 0 }
}
