import PyramidTiles

/// The files of a ZIP archive, as its central directory lists them. Its content may be damaged or made to do harm, so only
/// lengths that fit are followed.
///
/// Source: [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), 4.3.12 and 4.3.16.
enum ZIPDirectory {
    private static let (endBytes, entryBytes, longestComment) = (22, 46, 0xffff)

    /// `nil` if the archive has no such directory, or a damaged one; also for Zip64, of over 65,535 files or 4 GiB.
    private static func names(_ bytes: Span<UInt8>) -> [String]? {
        guard let last = Optional(bytes.count - endBytes), last >= 0,
            let end = (max(last - longestComment, 0)...last).reversed().first(where: {
                bytes.number(4, at: $0) == 0x0605_4b50 && $0 + endBytes + bytes.number(2, at: $0 + 20) == bytes.count
            })
        else { return nil }
        // Counted back from its end, the directory is found even if something stands before the archive.
        var position = end - bytes.number(4, at: end + 12)
        var names: [String] = []
        for _ in 0..<bytes.number(2, at: end + 10) {
            guard position >= 0, position + entryBytes <= end, bytes.number(4, at: position) == 0x0201_4b50 else {
                return nil
            }
            let nameStart = position + entryBytes
            let nameEnd = nameStart + bytes.number(2, at: position + 28)
            guard nameEnd <= end else { return nil }
            names.append(String(decoding: (nameStart..<nameEnd).map { bytes[$0] }, as: UTF8.self))
            position = nameEnd + bytes.number(2, at: position + 30) + bytes.number(2, at: position + 32)
        }
        return names.filter { !$0.hasSuffix("/") && !$0.hasPrefix("__MACOSX/") }
    }

    /// By how likely a file of this name has points: the stops of a timetable (GTFS) first.
    private static let endings = [
        "stops.txt", ".csv", ".tsv", ".geojson", ".geojsonl", ".ndjson", ".shp", ".json", ".txt",
    ]
    private static let shownFiles = 5

    /// What the archive holds, and a command that writes one of its files.
    static func advice(for input: InputBytes) -> OptionMessage {
        let elements = input.elements
        guard let names = names(elements.span) else { return "its list of files can't be read; is it cut off?" }
        guard !names.isEmpty else { return "it has no files" }
        let best =
            endings.lazy.compactMap { ending in
                names.first { $0.hasSuffix(ending) || $0.hasSuffix(ending + ".gz") }
            }.first ?? (names.count == 1 ? names[0] : "")
        // unzip reads some names as patterns or options.
        let member = ShellWord.isPlain(best) ? best : "MEMBER"
        let more = names.count - shownFiles
        let list =
            InputError.list(Array(names.prefix(shownFiles))) + (more > 0 ? " and \(NumberText.grouped(more)) more" : "")
        let archive = input.shellWord
        let command =
            best.hasSuffix(".shp")
            ? "ogr2ogr -f GeoJSONSeq /vsistdout/ /vsizip/\(archive)/\(member)" : "unzip -p \(archive) \(member)"
        return "it has \(NumberText.counted(names.count, "file")), \(list); read the one that has points: "
            + "\(.buildFromOutput(of: command))"
    }
}

extension Span<UInt8> {
    /// A number of up to four bytes, the lowest first.
    fileprivate func number(_ byteCount: Int, at offset: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(self[offset + $1]) << ($1 * 8) }
    }
}
