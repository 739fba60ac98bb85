import PyramidTiles

/// An unsupported format, recognised only to advise how to convert it.
struct ForeignFormat: Sendable {
    /// Something by which a format is recognised. White space and a byte order mark before text are skipped.
    private enum Sign: Sendable {
        case bytes([UInt8], at: Int = 0)
        /// The first characters of the text, in any case.
        case first(String)
        /// Text near the beginning, or near the end, where archives list their files; in any case.
        case contains(String)
    }

    private enum Cure: Sendable {
        /// A command that writes a readable format to standard output, and its introduction. `FILE` stands for the
        /// input.
        case pipe(String, introduction: String = "convert it")
        case sentence(String)
    }

    /// With its article, such as "a Parquet file".
    let name: String
    /// All of them must be found.
    private let signs: [Sign]
    private let cure: Cure?

    private init(_ name: String, _ signs: Sign..., cure: Cure?) {
        self.name = name
        self.signs = signs
        self.cure = cure
    }

    /// GDAL writes GeoJSON features in degrees, whatever the coordinate system of the input.
    private static let ogr = Cure.pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ FILE")
    private static let zip = Sign.bytes(Array("PK\u{3}\u{4}".utf8))

    /// The first match wins.
    static let all: [ForeignFormat] = [
        // Tables and maps
        ForeignFormat(
            "a Parquet file", .bytes(Array("PAR1".utf8)),
            cure: .pipe("duckdb -c \"COPY (FROM 'FILE') TO '/dev/stdout' (FORMAT csv)\"")),
        ForeignFormat(
            "a GeoPackage", .bytes(Array("SQLite format 3\0".utf8)), .bytes(Array("GP".utf8), at: 68), cure: ogr),
        ForeignFormat(
            "an SQLite database", .bytes(Array("SQLite format 3\0".utf8)),
            cure: .pipe("sqlite3 -csv -header FILE 'SELECT * FROM TABLE'")),
        ForeignFormat("a shapefile", .bytes([0, 0, 0x27, 0x0a]), cure: ogr),
        ForeignFormat(
            "a dBase table, as beside a shapefile", .bytes([3]),
            cure: .pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ NAME.shp", introduction: "convert the .shp beside it")),
        ForeignFormat("a FlatGeobuf file", .bytes(Array("fgb\u{3}fgb".utf8)), cure: ogr),
        ForeignFormat(
            "an old Excel file (xls)", .bytes([0xd0, 0xcf, 0x11, 0xe0]),
            cure: .sentence("save it as CSV in a spreadsheet program")),

        // ZIP archives, the container of many formats
        ForeignFormat(
            "an Excel file (xlsx)", zip, .contains("xl/workbook"),
            cure: .pipe("xlsx2csv FILE", introduction: "save it as \"CSV UTF-8\" in Excel, or")),
        ForeignFormat(
            "an OpenDocument spreadsheet", zip, .contains("opendocument.spreadsheet"),
            cure: .sentence("save it as CSV in a spreadsheet program")),
        ForeignFormat("a KMZ file", zip, .contains(".kml"), cure: ogr),
        ForeignFormat(
            "a zipped shapefile", zip, .contains(".shp"),
            cure: .pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ /vsizip/FILE")),
        ForeignFormat("a ZIP archive", zip, cure: .pipe("unzip -p FILE")),

        // Other compression
        ForeignFormat("gzip data within gzip data", .bytes(Gzip.magic), cure: .pipe("gzip -dc FILE")),
        ForeignFormat(
            "bzip2 data", .bytes(Array("BZh".utf8)), .bytes([0x31, 0x41, 0x59], at: 4), cure: .pipe("bzcat FILE")),
        ForeignFormat("xz data", .bytes([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), cure: .pipe("xzcat FILE")),
        ForeignFormat("Zstandard data", .bytes([0x28, 0xb5, 0x2f, 0xfd]), cure: .pipe("zstdcat FILE")),
        ForeignFormat("a 7z archive", .bytes([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), cure: .pipe("7z x -so FILE")),

        // XML
        ForeignFormat("a KML file", .first("<"), .contains("<kml"), cure: ogr),
        ForeignFormat(
            "a GPX file", .first("<"), .contains("<gpx"),
            cure: .pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ FILE waypoints")),
        ForeignFormat("a web page", .first("<!doctype html"), cure: webPage),
        ForeignFormat("a web page", .first("<html"), cure: webPage),
        ForeignFormat("XML", .first("<?xml"), cure: ogr),

        // Other encodings. Without a byte order mark, one byte of UTF-16's first ASCII character is zero.
        ForeignFormat("text in UTF-32", .bytes([0xff, 0xfe, 0, 0]), cure: .pipe("iconv -f utf-32 -t utf-8 FILE")),
        ForeignFormat("text in UTF-32", .bytes([0, 0, 0xfe, 0xff]), cure: .pipe("iconv -f utf-32 -t utf-8 FILE")),
        ForeignFormat("binary data that begins with NUL bytes", .bytes([0, 0]), cure: nil),
        ForeignFormat(
            "binary data or UTF-16 without a byte order mark, beginning with a NUL byte", .bytes([0]),
            cure: .pipe("iconv -f utf-16be -t utf-8 FILE")),
        ForeignFormat(
            "binary data or UTF-16 without a byte order mark, with a NUL byte at its beginning", .bytes([0], at: 1),
            cure: .pipe("iconv -f utf-16le -t utf-8 FILE")),
    ]

    private static let webPage = Cure.sentence("is it an error page, or a page about the download?")
}

extension InputBytes {
    /// - Throws: ``InputError`` with advice if the format is recognised but can't be read.
    func requireReadableFormat() throws(InputError) {
        guard let format = ForeignFormat.all.first(where: { $0.isFormat(of: elements) }) else { return }
        throw InputError(.badData, in: name, "is \(format.name), expected CSV or GeoJSON\(format.advice(for: self))")
    }

    /// The input in a command: its name if that is plain, else `FILE`, because a command may put the name in quotes of
    /// another language.
    var shellWord: String { ShellWord.isPlain(name) ? name : "FILE" }
}

extension ForeignFormat {
    /// How many bytes at each end of the input are searched for text. An archive's list of files can be long.
    private static let (headBytes, tailBytes) = (4096, 1 << 16)

    fileprivate func isFormat(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        signs.allSatisfy { sign in
            switch sign {
            case .bytes(let magic, let offset): bytes.dropFirst(offset).starts(with: magic)
            case .first(let text):
                bytes.dropFirst(bytes.span.afterByteOrderMark).drop { $0 <= 0x20 }.prefix(text.utf8.count)
                    .elementsEqual(text.utf8) { $0 == $1 || $0 | 0x20 == $1 }
            case .contains(let text):
                ForeignFormat.contains(Array(text.utf8), bytes.prefix(ForeignFormat.headBytes))
                    || ForeignFormat.contains(Array(text.utf8), bytes.suffix(ForeignFormat.tailBytes))
            }
        }
    }

    /// - Parameter text: in lower case.
    private static func contains(_ text: [UInt8], _ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard bytes.count >= text.count else { return false }
        return (bytes.startIndex...bytes.endIndex - text.count).contains { start in
            text.indices.allSatisfy { bytes[start + $0] == text[$0] || bytes[start + $0] | 0x20 == text[$0] }
        }
    }

    fileprivate func advice(for input: InputBytes) -> OptionMessage {
        switch cure {
        case .pipe(let command, let introduction):
            "; \(introduction): \(.buildFromOutput(of: command.replacing("FILE", with: input.shellWord)))"
        case .sentence(let sentence): "; \(sentence)"
        case nil: ""
        }
    }
}
