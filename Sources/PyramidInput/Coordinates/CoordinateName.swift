import PyramidTiles

/// A column's name read as a coordinate, or as a part of one (``ColumnNames``).
struct CoordinateName {
    let column: Int
    let axis: Axis
    var word = ColumnNames.Word.degrees
    /// The text before it, such as "pickup" in "pickup_latitude"; else empty.
    var prefix = ""
    /// `nil` for a coordinate as a whole.
    var part: ColumnNames.Part?
    var unit: ColumnNames.Unit?
    /// Whether the name may mean something else than its part: "lat_min" may be the least latitude.
    var isAbbreviated = false
    var letter: AngleText.Direction?

    /// The coordinate to which columns belong together.
    var key: String { "\(axis) \(prefix)" }
    var power: Int { if case .power(let power) = unit { power } else { 0 } }
    var isPlain: Bool { part == nil && letter == nil && power == 0 }
    var angle: AngleColumns { AngleColumns(column, letter: letter, power: power) }

    /// Whether the prefix says that these are decimal degrees, perhaps beside others, as in the files of GBIF.
    var isDecimal: Bool { ["decimal", "dec", "dd"].contains(prefix) }

    /// The names that have to do with coordinates.
    static func all(_ names: [String]) -> [CoordinateName] {
        var all = names.enumerated().compactMap { CoordinateName($0.element, column: $0.offset) }
        let withMinutes = Set(all.filter { $0.part == .minutes }.map(\.key))
        // "lat_s" beside "lon_s" is a start, and no south.
        let letters = Dictionary(grouping: names.compactMap { withoutLetter(normalised($0)) }, by: \.letter)
            .filter { Set($0.value.map(\.axis)).count > 1 }
        for index in all.indices {
            // "lat_s" beside "lat_m".
            if all[index].letter == .south, withMinutes.contains(all[index].key) {
                (all[index].letter, all[index].part, all[index].isAbbreviated) = (nil, .seconds, true)
            }
            if all[index].part == .degrees, !all[index].isAbbreviated || withMinutes.contains(all[index].key) {
                (all[index].part, all[index].unit) = (nil, .degrees)
            }
        }
        all.removeAll { name in name.letter.map { letters[$0] != nil } ?? false }
        // What has minutes, directions or powers in its name comes behind a plain name.
        func isPlain(_ name: CoordinateName) -> Bool {
            name.isPlain && !(name.unit == .degrees && withMinutes.contains(name.key))
        }
        let plain = Set(all.filter(isPlain).map(\.key))
        return all.filter { $0.part != nil || isPlain($0) || !plain.contains($0.key) }
    }

    private init(_ axis: Axis, column: Int) { (self.axis, self.column) = (axis, column) }

    /// A column given as a coordinate in the options, whatever its name.
    init(_ axis: Axis, given column: Int, among names: [String]) {
        let reading = CoordinateName.all(names).first { $0.column == column && $0.axis == axis && $0.part == nil }
        self = reading ?? CoordinateName(axis, column: column)
    }

    /// `nil` if the name has nothing to do with coordinates.
    init?(_ name: String, column: Int = 0) {
        let text = CoordinateName.normalised(name)
        if let axis = CoordinateName.directions[text] {
            self.init(axis, column: column)
            part = .direction
            return
        }
        if let whole = CoordinateName(whole: text, column: column) {
            self = whole
            return
        }
        // "Latitude (S)", "LON_W".
        if let (letter, axis) = CoordinateName.withoutLetter(text), letter.axis == axis, letter != .eastOrWest,
            let whole = CoordinateName(whole: String(text.dropLast(2)), column: column)
        {
            self = whole
            self.letter = letter
            return
        }
        // "LatM", "lat_sec", "GPSLatitudeRef".
        for (suffix, part) in CoordinateName.parts where text.hasSuffix(suffix) {
            let stem = text.dropLast(suffix.count)
            let name = String(stem.hasSuffix("_") ? stem.dropLast() : stem)
            guard let whole = CoordinateName(whole: name, column: column), whole.word == .degrees, whole.power == 0
            else { continue }
            self = whole
            (self.part, isAbbreviated) = (part, suffix.count <= (part == .degrees ? 1 : 4))
            return
        }
        return nil
    }

    private init?(whole text: String, column: Int) {
        var text = text
        var unit: ColumnNames.Unit?
        if let found = CoordinateName.units.first(where: { text.hasSuffix($0.text) }),
            // "latitude5" is no "latitud" times 10^5.
            found.text.hasPrefix("_")
                || !CoordinateName.words.contains(where: { text.dropLast().hasSuffix($0.text) })
        {
            text.removeLast(found.text.count)
            unit = found.meaning
        }
        for (word, meaning) in CoordinateName.words where text.hasSuffix(word) {
            let prefix = text.dropLast(word.count)
            // "pickupLatitude" is a coordinate, but "flat" and "along" are not. Other scripts have no blanks.
            guard
                prefix.isEmpty || prefix.hasSuffix("_") || word.contains("itud") || word.hasSuffix("grad")
                    || word.unicodeScalars.allSatisfy({ $0.value > 0x370 }),
                meaning.word != .size || prefix.isEmpty
            else { continue }
            self.init(meaning.axis, column: column)
            self.word = meaning.word
            self.prefix = String(prefix.hasSuffix("_") ? prefix.dropLast() : prefix)
            self.unit = unit
            return
        }
        return nil
    }

    /// The last letter of a coordinate's name, a direction on any axis.
    private static func withoutLetter(_ text: String) -> (letter: AngleText.Direction, axis: Axis)? {
        guard text.dropLast().hasSuffix("_"),
            let letter = text.utf8.last.flatMap({ AngleText.Direction(rawValue: $0 & 0xdf) }),
            let whole = CoordinateName(whole: String(text.dropLast(2)), column: 0), whole.word == .degrees
        else { return nil }
        return (letter, whole.axis)
    }

    /// The name in lower case, with one `_` for anything but letters and digits: "Latitude (deg)" becomes
    /// "latitude_deg".
    private static func normalised(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }).split(separator: "_")
            .joined(separator: "_")
    }

    /// What a name says of a column with both coordinates.
    static func point(_ name: String) -> (kind: Int, order: PointOrder?)? {
        let text = normalised(name)
        let stem = text.replacing(/^(geo|gps)_|_(geo|gps)$/, with: "")
        return points[text] ?? points[stem].flatMap { $0.kind == 1 ? $0 : nil }
    }

    /// The direction that a word means on an axis.
    static func direction(_ word: String, on axis: Axis) -> AngleText.Direction? {
        directionWords[word.lowercased()].flatMap { $0.axis == axis ? $0 : nil }
    }
}

/// ``ColumnNames``, name by name, the longer ones first, because some end like others.
extension CoordinateName {
    private static let words = byName(ColumnNames.words)
    private static let units = byName(ColumnNames.units)
    private static let parts = byName(ColumnNames.parts)
    private static let directions = Dictionary(uniqueKeysWithValues: byName(ColumnNames.directions))
    private static let directionWords = Dictionary(uniqueKeysWithValues: byName(ColumnNames.directionWords))
    private static let points = Dictionary(uniqueKeysWithValues: byName(ColumnNames.points))

    private static func byName<Meaning>(_ rows: [(Meaning, String)]) -> [(text: String, meaning: Meaning)] {
        rows.flatMap { meaning, names in names.split(separator: " ").map { (String($0), meaning) } }
            .sorted { $0.text.count > $1.text.count }
    }
}

/// The columns of one coordinate, whose cells are read as one text: degrees, then minutes, seconds and a direction where
/// there are such columns. It holds no references, see ``CSVRowRule``.
package struct AngleColumns: Equatable, Sendable {
    /// In the order of the text; -1 for none.
    package private(set) var cells: SIMD4<Int32>
    /// The direction that the name states, such as west in "LON_W".
    let letter: AngleText.Direction?
    /// Of ten, by which the whole numbers were multiplied: 7 in "latitudeE7".
    let power: Int
    /// Whether the last of the cells has a direction.
    private(set) var hasDirection = false
    /// Whether one cell has all.
    private(set) var isPlain: Bool

    init(_ degrees: Int, letter: AngleText.Direction? = nil, power: Int = 0) {
        cells = [Int32(truncatingIfNeeded: degrees), -1, -1, -1]
        (self.letter, self.power, isPlain) = (letter, power, letter == nil && power == 0)
    }

    var degrees: Int { Int(cells[0]) }
    package var columns: [Int] { (0..<4).compactMap { cells[$0] < 0 ? nil : Int(cells[$0]) } }
    package var last: Int { Int(cells.max()) }

    package mutating func append(_ column: Int, isDirection: Bool = false) {
        guard let free = (0..<4).first(where: { cells[$0] < 0 }) else { return }
        cells[free] = Int32(truncatingIfNeeded: column)
        (hasDirection, isPlain) = (hasDirection || isDirection, false)
    }
}
