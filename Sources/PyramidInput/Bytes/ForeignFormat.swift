import PyramidTiles

/// An unsupported format, recognised only to advise how to convert it.
struct ForeignFormat: Sendable {
    /// Something by which a format is recognised. White space and a byte order mark before text are skipped.
    private enum Sign: Sendable {
        case bytes([UInt8], at: Int = 0)
        /// The first characters of the text, one of these, in any case.
        case first([String])
        /// Text near the beginning, or near the end, where archives list their files; in any case.
        case contains(StaticString)
        /// A member of the JSON object at the beginning, which has no GeoJSON type, and how its value begins.
        case member(String, value: String = "")
    }

    private enum Cure: Sendable {
        /// A command that writes a readable format to standard output, and its introduction. `FILE` stands for the
        /// input.
        case pipe(String, introduction: OptionMessage = "convert it")
        /// A command that writes one file of the archive.
        case unzip
        case sentence(String)
    }

    /// With its article, such as "a Parquet file".
    let name: String
    /// All of them must be found.
    private let signs: [Sign]
    private let cure: Cure

    private init(_ name: String, _ signs: Sign..., cure: Cure) {
        self.name = name
        self.signs = signs
        self.cure = cure
    }

    /// GDAL writes GeoJSON features in degrees, whatever the coordinate system of the input.
    private static let ogr = Cure.pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ FILE")
    private static let spreadsheet = Cure.sentence("save it as \"CSV UTF-8\" in a spreadsheet program")
    private static let zip = Sign.bytes(Array("PK\u{3}\u{4}".utf8))
    private static let sqlite = Sign.bytes(Array("SQLite format 3\0".utf8))

    /// The first match wins.
    static let all: [ForeignFormat] = [
        // Tables and maps
        ForeignFormat(
            "a Parquet file", .bytes(Array("PAR1".utf8)),
            cure: .pipe("duckdb -c \"COPY (FROM 'FILE') TO '/dev/stdout' (FORMAT csv)\"")),
        ForeignFormat("a GeoPackage", sqlite, .bytes(Array("GP".utf8), at: 68), cure: ogr),
        ForeignFormat("an SQLite database", sqlite, cure: .pipe("sqlite3 -csv -header FILE 'SELECT * FROM TABLE'")),
        ForeignFormat("a shapefile", .bytes([0, 0, 0x27, 0x0a]), cure: ogr),
        ForeignFormat("a FlatGeobuf file", .bytes(Array("fgb\u{3}fgb".utf8)), cure: ogr),
        ForeignFormat("an old Excel file (xls)", .bytes([0xd0, 0xcf, 0x11, 0xe0]), cure: spreadsheet),

        // ZIP archives, the container of many formats
        ForeignFormat(
            "an Excel file (xlsx)", zip, .contains("xl/workbook"),
            cure: .pipe("xlsx2csv FILE", introduction: "save it as \"CSV UTF-8\" in Excel, or")),
        ForeignFormat("an OpenDocument spreadsheet", zip, .contains("opendocument.spreadsheet"), cure: spreadsheet),
        ForeignFormat("a KMZ file", zip, .contains(".kml"), cure: ogr),
        ForeignFormat("a ZIP archive", zip, cure: .unzip),

        // Other compression
        ForeignFormat("gzip data within gzip data", .bytes(Gzip.magic), cure: .pipe("gzip -dc FILE")),
        ForeignFormat("bzip2 data", .bytes(Array("BZh".utf8)), .bytes([0x31, 0x41], at: 4), cure: .pipe("bzcat FILE")),
        ForeignFormat("xz data", .bytes([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), cure: .pipe("xzcat FILE")),
        ForeignFormat("Zstandard data", .bytes([0x28, 0xb5, 0x2f, 0xfd]), cure: .pipe("zstdcat FILE")),

        // XML
        ForeignFormat("a KML file", .first(["<"]), .contains("<kml"), cure: ogr),
        ForeignFormat(
            "a GPX file", .first(["<"]), .contains("<gpx"),
            cure: .pipe("ogr2ogr -f GeoJSONSeq /vsistdout/ FILE waypoints")),
        ForeignFormat("a web page", .first(["<!doctype html", "<html"]), cure: webPage),
        ForeignFormat("an error answer of a server", .first(["<"]), .contains("exceptionreport"), cure: errorAnswer),
        ForeignFormat("XML", .first(["<?xml"]), cure: ogr),

        // JSON of other kinds
        ForeignFormat(
            "Esri JSON that is not complete (\"exceededTransferLimit\": true)", .member("features"),
            .member("exceededTransferLimit", value: "true"), .contains("\"attributes\""), cure: esri),
        ForeignFormat("Esri JSON", .member("features"), .contains("\"attributes\""), cure: esri),
        ForeignFormat(
            "Overpass JSON", .member("generator"), .member("elements"),
            cure: .pipe(
                "jq -c '.elements[] | (.center // .) as $at | select($at.lat) | {type: \"Feature\", id: "
                    + "\"\\(.type)/\\(.id)\", geometry: {type: \"Point\", coordinates: [$at.lon, $at.lat]}, "
                    + "properties: .tags}' FILE")),
        ForeignFormat(
            "JavaScript", .first(["var ", "let ", "const ", "export default"]), .contains("featurecollection"),
            cure: script),

        // Instead of the file
        ForeignFormat(
            "a Git LFS pointer, which stands for the file", .first(["version https://git-lfs.github.com/spec/"]),
            cure: .sentence("fetch the file: git lfs pull")),
        ForeignFormat(
            "an error answer of a server", .first(["too many requests", "404: not found", "service unavailable"]),
            cure: errorAnswer),

        ForeignFormat("text in UTF-32", .bytes([0xff, 0xfe, 0, 0]), cure: .pipe("iconv -f utf-32 -t utf-8 FILE")),
        ForeignFormat(
            "binary data that begins with NUL bytes", .bytes([0, 0]), cure: .sentence("is it the right file?")),
        // Without a byte order mark, one byte of UTF-16's first ASCII character is zero.
        ForeignFormat(
            "binary data or UTF-16 without a byte order mark, beginning with a NUL byte", .bytes([0]),
            cure: .pipe("iconv -f utf-16be -t utf-8 FILE", introduction: utf16)),
        ForeignFormat(
            "binary data or UTF-16 without a byte order mark, with a NUL byte at its beginning", .bytes([0], at: 1),
            cure: .pipe("iconv -f utf-16le -t utf-8 FILE", introduction: utf16)),
    ]

    /// GDAL reads Esri's JSON only if it has "geometryType" and "fields".
    private static let esri = Cure.pipe(
        "jq '.geometryType //= \"esriGeometryPoint\" | .fields //= (.features[0].attributes | to_entries | map({name: .key, "
            + "type: (\"esriFieldType\" + if .value | type == \"number\" then \"Double\" else \"String\" end)}))' FILE | "
            + "ogr2ogr -f GeoJSONSeq /vsistdout/ /vsistdin/")
    private static let script = Cure.pipe(
        "perl -0777 -pe 's/^[^[{]*//; s/[^]}]*$//' FILE", introduction: "keep only the JSON in it")
    private static let utf16: OptionMessage = "if it is UTF-16, convert it"
    private static let errorAnswer = Cure.sentence("read it, and download the data again")
    private static let webPage = Cure.sentence("is it an error page, or a page about the download?")
}

extension InputBytes {
    /// Advice for text that isn't UTF-8.
    var latin1Advice: OptionMessage {
        "if the text is Windows-1252 (Latin-1), convert it: "
            + "\(.buildFromOutput(of: command("iconv -f windows-1252 -t utf-8 FILE")))"
    }

    /// - Throws: ``InputError`` with advice if the format is recognised but can't be read.
    func requireReadableFormat() throws(InputError) {
        guard let format = ForeignFormat.all.first(where: { $0.isFormat(of: elements) }) else { return }
        throw InputError(.badData, in: name, "is \(format.name), expected CSV or GeoJSON\(format.advice(for: self))")
    }

    /// The input in a command: its name if that is plain, else `FILE`, because a command may put the name in quotes of
    /// another language.
    var shellWord: String { ShellWord.isPlain(name) ? name : "FILE" }

    /// The same for GDAL, which reads gzip data by a prefix.
    var gdalWord: String { isGzip ? "/vsigzip/\(shellWord)" : shellWord }

    /// A command in which `FILE` stands for the input. Programs other than GDAL that are given a file as a word of its own
    /// read the inflated text.
    /// - Parameter text: without words from outside, which could have `FILE` in them.
    func command(_ text: String) -> String {
        if text.hasPrefix("ogr2ogr") { return text.replacing("FILE", with: gdalWord) }
        let filter = text.replacing(" FILE", with: "")
        return isGzip && filter != text
            ? "gzip -dc \(shellWord) | \(filter)" : text.replacing("FILE", with: shellWord)
    }

    /// A command that writes the text.
    var shownText: String { isGzip ? "gzip -dc \(shellWord)" : "cat \(shellWord)" }

    /// Whether the file is gzip data, which was inflated.
    private var isGzip: Bool { name.hasSuffix(".gz") && !bytes.starts(with: Gzip.magic) }
}

extension ForeignFormat {
    /// How many bytes at each end of the input are searched for text. An archive's list of files can be long.
    private static let (headBytes, tailBytes) = (4096, 1 << 16)
    /// How many bytes are searched for members: objects can have long lists before the ones that tell.
    private static let memberBytes = 1 << 20

    fileprivate func isFormat(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = bytes.dropFirst(bytes.span.afterByteOrderMark()).drop { $0 <= 0x20 }
        return signs.allSatisfy { sign in
            switch sign {
            case .bytes(let magic, let offset): bytes.dropFirst(offset).starts(with: magic)
            case .first(let words): words.contains { text.starts(with: $0.utf8) { $0 | 0x20 == $1 || $0 == $1 } }
            case .contains(let word):
                bytes.span.extracting(first: ForeignFormat.headBytes).contains(word)
                    || bytes.span.extracting(last: ForeignFormat.tailBytes).contains(word)
            case .member(let name, let value):
                ForeignFormat.hasMember(name, value: value, bytes.span.extracting(first: ForeignFormat.memberBytes))
            }
        }
    }

    private static func hasMember(_ name: String, value: String, _ bytes: Span<UInt8>) -> Bool {
        var scanner = JSONScanner(at: bytes.afterByteOrderMark())
        guard scanner.next(bytes) == UInt8(ascii: "{") else { return false }
        scanner.position += 1
        let (name, value) = (Array(name.utf8), Array(value.utf8))
        var isFirst = true
        // What was found counts, even if the object goes on after these bytes.
        while let member = try? scanner.nextName(isFirst: isFirst, in: bytes), !bytes.isEqual(member, "type") {
            isFirst = false
            _ = scanner.next(bytes)
            let rest = bytes.extracting(scanner.position...)
            if bytes.isEqual(member, name), rest.count >= value.count,
                value.indices.allSatisfy({ rest[$0] == value[$0] })
            {
                return true
            }
            guard (try? scanner.scanValue(bytes)) != nil else { break }
        }
        return false
    }

    fileprivate func advice(for input: InputBytes) -> OptionMessage {
        switch cure {
        case .pipe(let command, let introduction):
            "; \(introduction): \(.buildFromOutput(of: input.command(command)))"
        case .unzip: "; \(ZIPDirectory.advice(for: input))"
        case .sentence(let sentence): "; \(sentence)"
        }
    }
}
