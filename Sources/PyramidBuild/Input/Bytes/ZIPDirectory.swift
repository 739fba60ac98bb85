import PyramidTiles

/// The files of a ZIP archive, as its central directory lists them: enough to show some and to suggest one. Its content
/// may be damaged or made to do harm, so only lengths that fit are followed.
///
/// Source: [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), 4.3.12 to 4.3.16.
struct ZIPDirectory {
    private(set) var fileCount = 0
    /// The names of the first few files.
    private(set) var firstNames: [String] = []
    /// The file that most probably has points; `nil` if none looks like it and there are several.
    private(set) var best: String?

    private static let shownFiles = 5
    private static let (endBytes, entryBytes) = (22, 46)
    private static let (end, end64, locator64) = (magic(5, 6), magic(6, 6), magic(6, 7))
    private static let entry = magic(1, 2)

    private static func magic(_ third: UInt64, _ fourth: UInt64) -> UInt64 { 0x4b50 | third << 16 | fourth << 24 }

    /// `nil` if the archive has no list of files, or a damaged one.
    /// - Parameter ending: of the file to suggest; `nil` for one that the program reads.
    init?(_ bytes: Span<UInt8>, ending: String? = nil) {
        guard let end = ZIPDirectory.end(of: bytes) else { return nil }
        var (directoryEnd, byteCount, count) = (end, bytes.number(4, at: end + 12), bytes.number(2, at: end + 10))
        // Zip64: a second record of the end, and before this one its locator of 20 bytes.
        if end >= 76, bytes.number(4, at: end - 20) == ZIPDirectory.locator64,
            bytes.number(4, at: end - 76) == ZIPDirectory.end64
        {
            directoryEnd = end - 76
            (byteCount, count) = (bytes.number(8, at: directoryEnd + 40), bytes.number(8, at: directoryEnd + 32))
        }
        // Counted back from its end, the directory is found even if something stands before the archive.
        guard byteCount <= directoryEnd, let byteCount = Int(exactly: byteCount) else { return nil }
        var position = directoryEnd - byteCount
        var bestRank = (kind: Int.max, size: UInt64(0))
        for _ in 0..<count {
            guard position + ZIPDirectory.entryBytes <= directoryEnd,
                bytes.number(4, at: position) == ZIPDirectory.entry
            else { return nil }
            let nameStart = position + ZIPDirectory.entryBytes
            let nameEnd = nameStart + Int(bytes.number(2, at: position + 28))
            guard nameEnd <= directoryEnd else { return nil }
            let name = String(
                decoding: bytes.extracting(nameStart..<nameEnd).withUnsafeBufferPointer(Array.init), as: UTF8.self)
            let rank = (ZIPDirectory.kind(of: name, ending), bytes.number(4, at: position + 24))
            position = nameEnd + Int(bytes.number(2, at: position + 30) + bytes.number(2, at: position + 32))
            guard !name.hasSuffix("/"), !name.hasPrefix("__MACOSX/") else { continue }
            fileCount += 1
            if firstNames.count < ZIPDirectory.shownFiles { firstNames.append(name) }
            if rank.0 < bestRank.kind || rank.0 == bestRank.kind && rank.0 < .max && rank.1 > bestRank.size {
                (best, bestRank) = (name, rank)
            }
        }
        if fileCount == 1 { best = firstNames[0] }
    }

    /// The position of the record at the archive's end. A comment of up to 64 KiB may follow it.
    private static func end(of bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= endBytes else { return nil }
        let last = bytes.count - endBytes
        return (max(last - 0xffff, 0)...last).reversed().first {
            bytes.number(4, at: $0) == end && $0 + endBytes + Int(bytes.number(2, at: $0 + 20)) <= bytes.count
        }
    }

    /// How likely a file of this name has points: 0 for the stops of a timetable (GTFS), `Int.max` for other files than
    /// those that the program reads.
    private static func kind(of name: String, _ ending: String?) -> Int {
        var base = (name.split(separator: "/").last ?? "").lowercased()
        if let ending { return base.hasSuffix(ending) ? 0 : .max }
        if base.hasSuffix(".gz") { base.removeLast(3) }
        if base == "stops.txt" { return 0 }
        return endings.firstIndex { $0.contains { base.hasSuffix($0) } }.map { $0 + 1 } ?? .max
    }

    /// Of equally likely files, the largest one counts.
    private static let endings = [
        [".csv", ".tsv", ".geojson", ".geojsonl", ".geojsons"], [".json", ".ndjson", ".jsonl", ".tab"], [".txt"],
    ]
}

extension Span<UInt8> {
    /// A number of up to eight bytes, the lowest first.
    fileprivate func number(_ byteCount: Int, at offset: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { $0 | UInt64(self[offset + $1]) << ($1 * 8) }
    }
}

extension ZIPDirectory {
    /// What the archive holds, and a command that writes one of its files.
    /// - Parameters:
    ///   - command: with `FILE` for the archive and `MEMBER` for the file in it, after a blank or a slash.
    ///   - ending: of that file; then the other files belong to it.
    static func advice(for input: InputBytes, command: String, ending: String?) -> OptionMessage {
        let elements = input.elements
        guard let directory = ZIPDirectory(elements.span, ending: ending) else {
            return "its list of files is missing or damaged; is it cut off?"
        }
        guard directory.fileCount > 0 else { return "it has no files" }
        let member = directory.best.flatMap(word)
        // Names from outside are put in last: they could have these words in them.
        let start = command.replacing("MEMBER", with: "").replacing("FILE", with: input.shellWord)
        // Without a name, programs read the only file.
        let suggestion = SuggestedCommand.buildFromOutput(
            of: directory.fileCount == 1 && member == nil ? String(start.dropLast()) : start + (member ?? "MEMBER"))
        guard ending == nil else { return "convert it: \(suggestion)" }
        let more = directory.fileCount - directory.firstNames.count
        let list = InputError.list(directory.firstNames) + (more > 0 ? " and \(NumberText.grouped(more)) more" : "")
        guard directory.fileCount > 1 else { return "it has \(list); read it: \(suggestion)" }
        return "it has \(NumberText.grouped(directory.fileCount)) files, \(list); "
            + (member == nil ? "read the MEMBER that has points" : "read one of them") + ": \(suggestion)"
    }

    /// The name as a word of a shell command; `nil` if unzip would read it as a pattern or as an option, or if it can't
    /// be shown.
    private static func word(_ name: String) -> String? {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && $0.value != 0xfffd
                && !"*?[]\\".unicodeScalars.contains($0)
        }
        return isPlain && name.utf8.count <= 200 && !name.hasPrefix("-") ? ShellWord.quoted(name) : nil
    }
}
