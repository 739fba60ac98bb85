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
    /// The direction that the name states.
    var letter: AngleText.Direction?
    /// Whether the direction counts only if the other coordinate's name states one as well, or if an option names the column.
    private var hasDoubtfulLetter = false
    /// Whether it may be a plural: "lats".
    private var mayBePlural = false

    /// The coordinate to which columns belong together.
    var key: String { "\(axis) \(prefix)" }
    var power: Int { if case .power(let power) = unit { power } else { 0 } }
    var isPlain: Bool { part == nil && letter == nil && power == 0 }
    var angle: AngleColumns { AngleColumns(column, letter: letter, power: power) }

    /// Whether the prefix says that the column has the coordinate's direction: "hemisphere_lat".
    var hasDirectionPrefix: Bool { CoordinateName.partWords[prefix] == .direction }

    /// Whether the prefix says that these are decimal degrees, perhaps beside others, as in the files of GBIF.
    var isDecimal: Bool { ["decimal", "dec", "dd"].contains(prefix) }

    /// The names that have to do with coordinates.
    /// - Parameter given: a column given as a coordinate in the options.
    static func all(_ names: [String], given: Int? = nil) -> [CoordinateName] {
        var readings = names.enumerated().map { CoordinateName(undirected: normalised($0.element), column: $0.offset) }
        readSigns(of: names, &readings)
        readPrefixes(&readings)
        // "lat_n_s" has directions, it isn't south.
        let directed = names.enumerated().compactMap { CoordinateName(directed: $0.element, column: $0.offset) }
            .filter { readings[$0.column]?.part != .direction }
        let withMinutes = Set((readings.compactMap(\.self) + directed).filter { $0.part == .minutes }.map(\.key))
        // "lat_s" beside "lon_s" is a start, not south; "lat_s" beside "lat_n" is the edge of a box.
        let axes = Dictionary(grouping: directed, by: \.letter).mapValues { Set($0.map(\.axis)) }
        let letters = Dictionary(grouping: directed, by: \.key).mapValues { Set($0.compactMap(\.letter)) }
        func isDirection(_ name: CoordinateName) -> Bool {
            axes[name.letter]?.count == 1 && letters[name.key]?.count == 1 && name.letter?.axis == name.axis
                // "lat_s" beside "lat_m" has seconds.
                && !(name.letter == .south && name.part == nil && name.unit == nil && withMinutes.contains(name.key))
        }
        let certain = directed.filter(isDirection)
        let areBoth = Set(certain.map(\.axis)).count > 1
        for name in certain
        where areBoth || !name.mayBePlural && (!name.hasDoubtfulLetter || name.column == given) {
            readings[name.column] = name
        }
        var all = readings.compactMap(\.self)
        settleParts(&all, withMinutes, names)
        // What has minutes, directions or powers in its name comes behind a plain name.
        func isPlain(_ name: CoordinateName) -> Bool {
            name.isPlain && !(name.unit == .degrees && withMinutes.contains(name.key))
        }
        let plain = Set(all.filter { isPlain($0) && $0.word == .degrees }.map(\.key))
        return all.filter { $0.part != nil || isPlain($0) || !plain.contains($0.key) }
    }

    /// Decides which columns have degrees, now that the others are known.
    /// - Parameter withMinutes: the coordinates that have columns of minutes.
    private static func settleParts(_ all: inout [CoordinateName], _ withMinutes: Set<String>, _ names: [String]) {
        for index in all.indices
        where all[index].part == .degrees && (!all[index].isAbbreviated || withMinutes.contains(all[index].key)) {
            (all[index].part, all[index].unit) = (nil, .degrees)
        }
        // "Latitude N/S" has all if no other column has the degrees.
        let others = Set(all.filter { $0.part != .direction }.map(\.key))
        for index in all.indices
        where all[index].part == .direction && !others.contains(all[index].key)
            && subject(of: names[all[index].column]) != nil
        {
            all[index].part = nil
        }
        // "lat_dd" beside "lat_mm" has whole degrees, unless another column has them.
        for index in all.indices
        where all[index].unit == .decimal && withMinutes.contains(all[index].key)
            && !all.contains(where: { $0.key == all[index].key && $0.part == nil && $0.column != all[index].column })
        {
            all[index].unit = nil
        }
    }

    /// Reads a sign of minutes or seconds at the end of a name, if the name of another column is the same without it.
    private static func readSigns(of names: [String], _ readings: inout [CoordinateName?]) {
        let whole = readings.compactMap(\.self).filter { $0.part == nil || $0.part == .degrees }
        for name in Dictionary(grouping: whole, by: \.key).values.filter({ $0.count > 1 }).joined() {
            readings[name.column] = CoordinateName(
                undirected: normalised(names[name.column], readsSign: true), column: name.column)
        }
    }

    /// Reads "min_lat" as "lat_min", if there is "lat" or "deg_lat".
    private static func readPrefixes(_ readings: inout [CoordinateName?]) {
        for axis in [Axis.latitude, .longitude] {
            let whole = readings.compactMap(\.self).filter { $0.axis == axis && $0.part == nil && $0.word == .degrees }
            func part(_ prefix: String) -> ColumnNames.Part? { prefix == "dd" ? .degrees : partWords[prefix] }
            let parts = Set(whole.compactMap { $0.prefix.isEmpty ? .degrees : part($0.prefix) })
            guard parts.isSuperset(of: [.degrees, .minutes]) else { continue }
            for name in whole {
                guard let part = part(name.prefix), part != .direction else { continue }
                readings[name.column]?.part = part
                readings[name.column]?.isAbbreviated = name.prefix.count <= (part == .degrees ? 1 : 4)
                readings[name.column]?.prefix = ""
            }
        }
    }

    /// A column whose name says nothing.
    init(_ axis: Axis, column: Int) { (self.axis, self.column) = (axis, column) }

    /// A column given as a coordinate in the options, whatever its name.
    init(_ axis: Axis, given column: Int, among names: [String]) {
        self =
            CoordinateName.all(names, given: column).first { $0.isWhole(axis, column) }
            ?? CoordinateName(axis, column: column)
    }

    func isWhole(_ axis: Axis, _ column: Int) -> Bool { self.column == column && self.axis == axis && part == nil }

    /// `nil` if the name has nothing to do with coordinates.
    init?(_ name: String, column: Int = 0) {
        guard
            let reading = CoordinateName(undirected: CoordinateName.normalised(name), column: column)
                ?? CoordinateName(directed: name, column: column)
        else { return nil }
        self = reading
    }

    /// A name without a direction.
    private init?(undirected text: String, column: Int) {
        if let axis = CoordinateName.directions[text] {
            self.init(axis, column: column)
            part = .direction
            return
        }
        if let whole = CoordinateName(whole: text, column: column) {
            self = whole
            return
        }
        // "LatM", "lat_sec", "GPSLatitudeRef", "lat_hemisphere_n_s".
        let reading = CoordinateName.withPart(text) { stem, part in
            CoordinateName(whole: stem, column: column)
                ?? (part == .direction
                    ? CoordinateName(undirected: stem, column: column).flatMap { $0.part == part ? $0 : nil } : nil)
        }
        guard let reading else { return nil }
        self = reading
    }

    /// A name with a direction on any axis: "Latitude (S)", "LON_W", "Longitude West (deg)", "lonW", "West Longitude".
    private init?(directed name: String, column: Int) {
        var text = CoordinateName.normalised(name)
        // "latS".
        let isCamel = name.dropLast().last?.isLowercase == true && name.last?.isUppercase == true
        if isCamel, let last = text.popLast() { text += "_\(last)" }
        self.init(directedText: text, column: column)
    }

    private init?(directedText text: String, column: Int) {
        let unit = CoordinateName.unit(of: text)
        for (text, unit) in [(text, nil)] + (unit.map { [(String(text.dropLast($0.text.count)), $0.meaning)] } ?? []) {
            let word = text.reversed().prefix { $0 != "_" }.reversed()
            var stem = text.dropLast(word.count + 1)
            var letter = stem.isEmpty ? nil : CoordinateName.directionWords[String(word)]
            if letter == nil, ColumnNames.wordsBeforeLetter.contains(String(word.dropLast())) {
                (stem, letter) = (text.dropLast(), word.last.flatMap { CoordinateName.directionWords[String($0)] })
            }
            if let letter, let whole = CoordinateName(whole: String(stem), column: column), whole.word != .axis {
                self = whole
                (self.letter, self.unit) = (letter, unit ?? whole.unit)
                hasDoubtfulLetter = whole.word == .size
                mayBePlural = stem.count + 1 == text.count && letter == .south
                return
            }
        }
        if let whole = CoordinateName(whole: text, column: column), whole.word == .degrees {
            let word = String(whole.prefix.reversed().prefix { $0 != "_" }.reversed())
            guard let letter = CoordinateName.directionWords[word] else { return nil }
            self = whole
            (self.letter, hasDoubtfulLetter) = (letter, true)
            prefix = String(prefix.dropLast(word.count + 1))
            return
        }
        let reading = CoordinateName.withPart(text) { stem, _ in CoordinateName(directedText: stem, column: column) }
        guard let reading else { return nil }
        self = reading
    }

    /// A name that ends with the word for a part.
    /// - Parameter reading: reads the text before that.
    private static func withPart(
        _ text: String, reading: (_ stem: String, _ part: ColumnNames.Part) -> CoordinateName?
    ) -> CoordinateName? {
        for (suffix, part) in CoordinateName.parts where text.hasSuffix(suffix) {
            let stem = text.dropLast(suffix.count)
            // "longitude_w" isn't "longitud" and "e_w".
            guard !suffix.contains("_") || stem.hasSuffix("_") else { continue }
            guard var name = reading(String(stem.hasSuffix("_") ? stem.dropLast() : stem), part),
                name.word != .axis, name.power == 0
            else { continue }
            (name.part, name.isAbbreviated) = (part, suffix.count <= (part == .degrees ? 1 : 4))
            return name
        }
        return nil
    }

    private init?(whole text: String, column: Int) {
        var text = text
        var unit: ColumnNames.Unit?
        if let found = CoordinateName.unit(of: text) {
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

    private static func unit(of text: String) -> (text: String, meaning: ColumnNames.Unit)? {
        units.first { text.hasSuffix($0.text) }.flatMap { unit in
            // "latitude5" isn't "latitud" times 10^5.
            unit.text.hasPrefix("_") || !words.contains { text.dropLast().hasSuffix($0.text) } ? unit : nil
        }
    }

    /// The name in lower case, with one `_` for anything but letters and digits: "Latitude (deg)" becomes "latitude_deg".
    /// - Parameter readsSign: whether a sign of minutes or seconds at the end becomes a word.
    private static func normalised(_ name: String, readsSign: Bool = false) -> String {
        guard name.utf8.count <= nameLimitBytes else { return "" }
        let end = name.reversed().prefix { !$0.isLetter && !$0.isNumber }
        let signs = end.filter { !$0.isWhitespace && !"()[]".contains($0) }
        let unit = ["\"": " sec", "″": " sec", "'": " min", "′": " min"][signs.count == 1 ? signs[0] : " "]
        return String(
            (name + (readsSign ? unit ?? "" : "")).lowercased()
                .map { ($0.isLetter || $0.isNumber) && $0 != "º" ? $0 : "_" }
        ).split(separator: "_").joined(separator: "_")
    }

    /// More than any name of a coordinate has.
    private static let nameLimitBytes = 256

    /// The parts of a name that has a coordinate's word: in "gps_lat_card", "gps" before it, and "card" behind it.
    static func subject(of name: String) -> (axis: Axis, prefix: String, rest: String)? {
        let words = normalised(name).split(separator: "_").map(String.init)
        guard let index = words.firstIndex(where: { axes[$0] != nil }), let axis = axes[words[index]] else {
            return nil
        }
        return (axis, words[..<index].joined(separator: "_"), words[(index + 1)...].joined(separator: "_"))
    }

    /// What a name says of a column with both coordinates.
    static func point(_ name: String) -> (kind: Int, order: PointOrder?)? {
        let text = normalised(name)
        let stem = text.replacing(/^(geo|gps)_|_(geo|gps)$/, with: "")
        return points[text] ?? points[stem].flatMap { $0.kind == 1 ? $0 : nil }
    }

    /// The direction that a cell means; points and degree signs don't count: "S.", "°S".
    static func direction(_ cell: String) -> AngleText.Direction? {
        let word = cell.lowercased()
        return directionWords[word] ?? directionWords[word.filter { !".°º˚ ".contains($0) }]
    }
}

/// ``ColumnNames``, name by name, the longer ones first, because some end like others.
extension CoordinateName {
    private static let words = byName(ColumnNames.words)
    private static let axes = Dictionary(
        uniqueKeysWithValues: words.filter { $0.meaning.word == .degrees }.map { ($0.text, $0.meaning.axis) })
    private static let units = byName(ColumnNames.units)
    private static let parts = byName(ColumnNames.parts)
    private static let partWords = Dictionary(uniqueKeysWithValues: parts)
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
    /// Those of degrees, minutes and seconds.
    var numbers: [Int] { hasDirection ? columns.dropLast() : columns }

    package mutating func append(_ column: Int, isDirection: Bool = false) {
        guard let free = (0..<4).first(where: { cells[$0] < 0 }) else { return }
        cells[free] = Int32(truncatingIfNeeded: column)
        (hasDirection, isPlain) = (hasDirection || isDirection, false)
    }
}
