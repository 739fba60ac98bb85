/// A column's name read as a coordinate, or as a part of one (``ColumnNames``).
struct CoordinateName {
    /// What a name says, the surest first.
    enum Word: String {
        /// Latitude or longitude: "lat", "lng".
        case degrees
        /// Just y or x.
        case axis
        /// Words for latitude and longitude that also mean width and length.
        case size
    }

    /// The names that have to do with coordinates.
    static func all(_ names: [String]) -> [CoordinateName] {
        var all = names.enumerated().compactMap { CoordinateName($0.element, column: $0.offset) }
        let withMinutes = Set(all.filter { $0.part == .minutes }.map(\.key))
        // "lat_s" beside "lon_s" is a start, and no south.
        let letters = Dictionary(grouping: names.compactMap { CoordinateName.ending($0) }, by: \.letter)
            .filter { Set($0.value.map(\.axis)).count > 1 }
        for index in all.indices {
            // "lat_s" beside "lat_m".
            if all[index].letter == .south, withMinutes.contains(all[index].key) {
                (all[index].letter, all[index].part, all[index].isAbbreviated) = (nil, .seconds, true)
            }
            if all[index].part == .degrees, !all[index].isAbbreviated || withMinutes.contains(all[index].key) {
                (all[index].part, all[index].saysDegrees) = (nil, true)
            }
        }
        all.removeAll { name in name.letter.map { letters[$0] != nil } ?? false }
        // What has minutes, directions or powers in its name comes behind a plain name.
        func isPlain(_ name: CoordinateName) -> Bool {
            name.part == nil && name.letter == nil && name.power == 0
                && !(name.saysDegrees && withMinutes.contains(name.key))
        }
        let plain = Set(all.filter(isPlain).map(\.key))
        return all.filter { $0.part != nil || isPlain($0) || !plain.contains($0.key) }
    }

    /// The coordinate that a name is without its last letter, a direction on any axis.
    private static func ending(_ name: String) -> (axis: Axis, letter: AngleText.Direction)? {
        let text = normalised(name)
        guard text.dropLast().hasSuffix("_"),
            let letter = text.utf8.last.flatMap({ AngleText.Direction(rawValue: $0 & 0xdf) }),
            let whole = CoordinateName(whole: String(text.dropLast(2)), column: 0), whole.word == .degrees
        else { return nil }
        return (whole.axis, letter)
    }

    /// The coordinate to which columns belong together.
    var key: String { "\(axis) \(prefix)" }

    /// What a column has if it hasn't the whole coordinate.
    enum Part: String { case degrees, minutes, seconds, direction }

    let column: Int
    let axis: Axis
    var word = Word.degrees
    /// The text before it, such as "pickup" in "pickup_latitude"; else empty.
    var prefix = ""
    /// `nil` for a coordinate as a whole.
    var part: Part?
    /// Whether the name says that the column has degrees, perhaps with minutes beside them.
    var saysDegrees = false
    /// Whether the name says that nothing is beside it: "lat_dd".
    var isWhole = false
    /// Whether the name may mean something else than its part: "lat_min" may be the least latitude.
    var isAbbreviated = false
    var letter: AngleText.Direction?
    var power = 0

    /// Whether the prefix says that these are decimal degrees, perhaps beside others, as in the files of GBIF.
    var isDecimal: Bool { ["decimal", "dec", "dd"].contains(prefix) }

    private init(_ axis: Axis, column: Int) { (self.axis, self.column) = (axis, column) }

    /// `nil` if the name has nothing to do with coordinates.
    init?(_ name: String, column: Int) {
        let text = CoordinateName.normalised(name)
        guard
            let found = CoordinateName(whole: text, column: column) ?? CoordinateName(letterIn: text, column: column)
                ?? CoordinateName(partIn: text, column: column)
        else { return nil }
        self = found
    }

    /// A column given as a coordinate in the options, whatever its name.
    init(_ axis: Axis, given column: Int, among names: [String]) {
        let reading = CoordinateName.all(names).first { $0.column == column && $0.axis == axis && $0.part == nil }
        self = reading ?? CoordinateName(axis, column: column)
    }

    private init?(whole text: String, column: Int) {
        var (text, unit) = (text, "")
        if let found = Table.shared.units.first(where: { text.hasSuffix($0.text) }),
            // "latitude5" is no "latitud" times 10^5.
            found.text.hasPrefix("_") || !Table.shared.words.contains(where: { text.dropLast().hasSuffix($0.text) })
        {
            text.removeLast(found.text.count)
            unit = found.meaning
        }
        for word in Table.shared.words where text.hasSuffix(word.text) {
            let prefix = text.dropLast(word.text.count)
            // "pickupLatitude" is a coordinate, but "flat" and "along" are not. Other scripts have no blanks.
            guard
                prefix.isEmpty || prefix.hasSuffix("_") || word.text.contains("itud") || word.text.hasSuffix("grad")
                    || word.text.unicodeScalars.allSatisfy({ $0.value > 0x370 }),
                word.word != .size || prefix.isEmpty
            else { continue }
            self.init(word.axis, column: column)
            self.word = word.word
            self.prefix = String(prefix.hasSuffix("_") ? prefix.dropLast() : prefix)
            (saysDegrees, isWhole) = (unit == "degrees", unit == "decimal")
            power = unit.last?.wholeNumberValue ?? 0
            return
        }
        return nil
    }

    /// "Latitude (S)", "LON_W".
    private init?(letterIn text: String, column: Int) {
        guard text.dropLast().hasSuffix("_"),
            let letter = text.utf8.last.flatMap({ AngleText.Direction(rawValue: $0 & 0xdf) }),
            letter != .eastOrWest, let whole = CoordinateName(whole: String(text.dropLast(2)), column: column),
            whole.axis == letter.axis, whole.word == .degrees
        else { return nil }
        self = whole
        self.letter = letter
    }

    /// "LatM", "lat_sec", "GPSLatitudeRef", "N/S".
    private init?(partIn text: String, column: Int) {
        if let axis = Table.shared.directions[text] {
            self.init(axis, column: column)
            part = .direction
            return
        }
        for (suffix, part) in Table.shared.parts where text.hasSuffix(suffix) {
            let stem = text.dropLast(suffix.count)
            let name = String(stem.hasSuffix("_") ? stem.dropLast() : stem)
            guard let whole = CoordinateName(whole: name, column: column), whole.word == .degrees, whole.power == 0
            else {
                continue
            }
            self = whole
            (self.part, isAbbreviated) = (part, part == .degrees ? suffix.count == 1 : suffix.count <= 4)
            return
        }
        return nil
    }

    /// The name in lower case, with one `_` for anything but letters and digits: "Latitude (deg)" becomes
    /// "latitude_deg".
    static func normalised(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }).split(separator: "_")
            .joined(separator: "_")
    }

    /// What a name says of a column with both coordinates.
    static func point(_ name: String) -> (kind: Int, order: PointOrder?)? {
        let text = normalised(name)
        let stem =
            text.hasPrefix("geo_") || text.hasPrefix("gps_")
            ? String(text.dropFirst(4))
            : text.hasSuffix("_geo") || text.hasSuffix("_gps") ? String(text.dropLast(4)) : text
        return Table.shared.points[text] ?? Table.shared.points[stem].flatMap { $0.kind == 1 ? $0 : nil }
    }

    /// The direction that a word means on an axis.
    static func direction(_ word: String, on axis: Axis) -> AngleText.Direction? {
        Table.shared.directionWords[word.lowercased()].flatMap { $0.axis == axis ? $0 : nil }
    }
}

/// ``ColumnNames``, parsed.
private struct Table {
    static let shared = Table()

    private(set) var words: [(text: String, axis: Axis, word: CoordinateName.Word)] = []
    private(set) var units: [(text: String, meaning: String)] = []
    private(set) var parts: [(text: String, part: CoordinateName.Part)] = []
    private(set) var directions: [String: Axis] = [:]
    private(set) var directionWords: [String: AngleText.Direction] = [:]
    private(set) var points: [String: (kind: Int, order: PointOrder?)] = [:]

    private init() {
        for line in ColumnNames.table.split(separator: "\n") {
            let halves = line.split(separator: ":")
            let (head, names) = (
                halves[0].split(separator: " ").map(String.init), halves[1].split(separator: " ").map(String.init)
            )
            let axis = Axis(rawValue: head[1])
            for name in names {
                switch head[0] {
                case "unit": units.append((name, head[1]))
                case "part": CoordinateName.Part(rawValue: head[1]).map { parts.append((name, $0)) }
                case "direction": directions[name] = axis
                case "word":
                    directionWords[name] = head[1].utf8.first.flatMap { AngleText.Direction(rawValue: $0 & 0xdf) }
                case "point":
                    points[name] = (Int(head[1]) ?? 1, head.count > 2 ? PointOrder(rawValue: head[2]) : nil)
                default:
                    if let axis, let word = CoordinateName.Word(rawValue: head[0]) { words.append((name, axis, word)) }
                }
            }
        }
        // The longer words first, because some end like others.
        words.sort { $0.text.count > $1.text.count }
        parts.sort { $0.text.count > $1.text.count }
    }
}
