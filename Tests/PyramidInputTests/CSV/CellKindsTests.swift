import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Rows with fewer or more cells than the header, against an oracle that tries every reading of each.
struct CellKindsTests {
    /// Random files without quotes: complete rows, rows that lost or gained cells anywhere, and pieces of rows.
    private static func file(_ random: inout SeededRandom) -> (header: String, rows: [[String]]) {
        let headers = [
            "id,lat,lon,phone,note", "name,rating,lat,lon", "lat,lon", "a,b,lon,lat,c", "name,lat,lon,open,count,note",
            "id,rating,lat,lon,note,", "rating,lat,lon,,",
        ]
        // Delimiters at the ends of rows: mostly, sometimes or never.
        let endShare = random.next(below: 4)
        let header = headers[random.next(below: headers.count)]
        let names = header.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let texts = ["Ann", "12b", "x", "", "7", "4.5", "true"]
        func cell(_ name: String) -> String {
            switch name {
            case "lat", "lon":
                let whole = "\(40 + random.next(below: 30))"
                return random.next(below: 12) == 0 ? whole : "\(whole).\(1 + random.next(below: 9))"
            case "id", "count": return "\(random.next(below: 90))"
            case "rating": return "\(random.next(below: 5)).\(random.next(below: 10))"
            case "open": return random.next(below: 2) == 0 ? "true" : "False"
            case "phone": return random.next(below: 3) == 0 ? "" : "\(random.next(below: 90000))"
            case "": return random.next(below: 4) == 0 ? "4.5" : ""
            default: return texts[random.next(below: texts.count)]
            }
        }
        let rows = (0..<(2 + random.next(below: 12))).map { _ -> [String] in
            var row = names.map(cell)
            for _ in 0..<random.next(below: 3) where random.next(below: 2) == 0 {
                let index = random.next(below: row.count)
                if random.next(below: 2) == 0, row.count > 1 {
                    row.remove(at: index)
                } else {
                    row.insert(cell(names[random.next(below: names.count)]), at: index)
                }
            }
            if random.next(below: 3) < endShare { row.append("") }
            if random.next(below: 12) == 0 { row.append("") }
            return row
        }
        return (header, rows)
    }

    @Test(arguments: 0..<4)
    func `a ragged row is accepted if no other reading fits as well`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var (accepted, skipped) = (0, 0)
        for _ in 0..<400 {
            let (header, rows) = CellKindsTests.file(&random)
            let names = header.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let text = header + "\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()
            let oracle = CertaintyOracle(names, rows: rows)
            let expected = rows.map { row -> Bool in
                guard oracle.hasPlace(row) else { return false }
                return oracle.isComplete(row) || oracle.isCertain(row)
            }
            let outcome = CSVReading.outcome(Array(text.utf8), InputOptions(maxSkipped: .unlimited))
            let count = outcome.hasPrefix("badData") ? 0 : outcome.split(separator: ", ").count { $0.contains("/") }
            #expect(count == expected.count(where: \.self), "\(text)\(outcome)")
            for (row, isAccepted) in zip(rows, expected)
            where !oracle.isComplete(row) && oracle.hasPlace(row) {
                if isAccepted { accepted += 1 } else { skipped += 1 }
            }
        }
        #expect(accepted > 50 && skipped > 50)
    }

    @Test func `the order of the rows doesn't matter`() {
        let rows = ["1,48.1,11.5", "10,12,15", "2,48.2,11.6,5,ok", "3,48.3,11.7,,n", "4,48.4,11.8,4.5,Open, daily"]
        func points(_ rows: [String]) -> [String] {
            CSVReading.outcome(
                Array(("id,lat,lon,phone,note\n" + rows.map { $0 + "\n" }.joined()).utf8),
                InputOptions(maxSkipped: .unlimited)
            ).split(separator: ", ").map(String.init).sorted()
        }
        #expect(points(rows).count == 5)
        #expect(points(rows) == points(rows.reversed()))
    }
}

/// Whether a row with fewer or more cells than the header can be read in one way only: tries all ways.
struct CertaintyOracle {
    private enum Kind { case whole, decimal, boolean, text }

    private let names: [String]
    private let namedCount: Int
    private var wideCount: Int?
    private var known: [Set<Kind>]
    private var hasRows = false

    init(_ names: [String], rows: [[String]]) {
        self.names = names
        namedCount = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
        known = names.map { _ in [] }
        // How many cells complete rows have.
        let placed = rows.filter(hasPlace)
        let narrowCount = placed.count { namedCount <= $0.count && $0.count <= names.count }
        for count in Set(placed.map(\.count)).sorted() where count > names.count {
            let sameCount = placed.count { $0.count == count && isWide($0) }
            if sameCount > max(narrowCount, placed.count { $0.count == wideCount && isWide($0) }) { wideCount = count }
        }
        for row in rows where isComplete(row) && hasPlace(row) {
            hasRows = true
            for column in names.indices where column < row.count {
                if let kind = CertaintyOracle.kind(row[column]) { known[column].insert(kind) }
            }
        }
    }

    func isComplete(_ row: [String]) -> Bool {
        namedCount <= row.count && row.count <= names.count || isWide(row) && row.count == wideCount
    }

    private func isWide(_ row: [String]) -> Bool {
        row.count > names.count && row.dropFirst(names.count).allSatisfy { $0.trimmingBlanks.isEmpty }
    }

    private static func kind(_ cell: String) -> Kind? {
        let cell = cell.trimmingBlanks
        if cell.isEmpty { return nil }
        let digits = cell.hasPrefix("-") ? cell.dropFirst() : cell
        if !digits.isEmpty, digits.allSatisfy(\.isNumber) { return .whole }
        if digits.contains(where: \.isNumber), digits.allSatisfy({ $0.isNumber || $0 == "." }),
            digits.count(where: { $0 == "." }) == 1
        {
            return .decimal
        }
        return ["true", "false"].contains(cell.lowercased()) ? .boolean : .text
    }

    static func isNumber(_ cell: String) -> Bool { [.whole, .decimal].contains(kind(cell)) }

    private func degrees(_ cell: String, limit: Double) -> Bool {
        Double(cell.trimmingBlanks).map { abs($0) <= limit } ?? false
    }

    func hasPlace(_ row: [String]) -> Bool {
        guard let latitude = names.firstIndex(of: "lat"), let longitude = names.firstIndex(of: "lon"),
            max(latitude, longitude) < row.count
        else { return false }
        return degrees(row[latitude], limit: 90) && degrees(row[longitude], limit: 360)
    }

    private func isCoordinate(_ column: Int) -> Bool { names[column] == "lat" || names[column] == "lon" }

    private func fit(_ kind: Kind?, _ column: Int) -> (fit: Int, isKnown: Bool)? {
        guard let kind else { return isCoordinate(column) ? nil : (0, true) }
        let known: Set<Kind> =
            hasRows ? known[column] : isCoordinate(column) ? [.decimal, .text] : [.whole, .decimal, .boolean, .text]
        if known.contains(kind) { return (1, true) }
        let numbers: Set<Kind> = [.whole, .decimal]
        let mayBe = known.isEmpty || known.contains(.text) || numbers.contains(kind) && !known.isDisjoint(with: numbers)
        return mayBe ? (0, false) : nil
    }

    /// - Parameter row: has a place.
    func isCertain(_ row: [String]) -> Bool {
        var (own, odd) = (0, 0)
        for (column, cell) in row.prefix(names.count).enumerated() {
            guard let fit = fit(CertaintyOracle.kind(cell), column) else {
                if isWide(row) { continue }
                return false
            }
            own += fit.fit
            if isCoordinate(column), !fit.isKnown, !isWide(row) {
                guard CertaintyOracle.kind(cell) == .whole else { return false }
                odd += 1
            }
        }
        guard odd <= 1 else { return false }
        // The coordinates of another row.
        let spare = Array(row.dropFirst(names.count)).map(CertaintyOracle.kind)
        func fitting(_ name: String) -> [Int] {
            spare.indices.filter { index in
                spare[index] != .text && names.firstIndex(of: name).flatMap { fit(spare[index], $0) }?.fit == 1
            }
        }
        let (north, east) = (fitting("lat"), fitting("lon"))
        if north.contains(where: { first in east.contains { $0 != first } }) { return false }
        /// The fits of all readings of the cells from one on, in the columns from one on, that move a coordinate.
        func others(_ cell: Int, _ column: Int, _ fits: Int, moved: Bool) -> [Int] {
            guard column < names.count else {
                let isDone = row[cell...].allSatisfy { $0.trimmingBlanks.isEmpty }
                return isDone && moved && (cell == row.count || row.count > names.count) ? [fits] : []
            }
            let counts = row.count > names.count ? Array(1...row.count) : [0, 1]
            return counts.flatMap { count -> [Int] in
                guard cell + count <= row.count else { return [] }
                var gained = 0
                if count == 0 {
                    if isCoordinate(column) { return [] }
                } else if count == 1 {
                    guard let fit = fit(CertaintyOracle.kind(row[cell]), column) else { return [] }
                    if isCoordinate(column), !degrees(row[cell], limit: names[column] == "lat" ? 90 : 360) { return [] }
                    gained = fit.fit
                } else {
                    let pieces = row[cell..<cell + count].map(CertaintyOracle.kind)
                    let filled = pieces.compactMap(\.self)
                    if !isCoordinate(column), filled.count < 2 {
                        guard let value = filled.first, let fit = fit(value, column) else { return [] }
                        return others(cell + count, column + 1, fits + fit.fit, moved: moved)
                    }
                    let areWhole = pieces.allSatisfy { $0 == .whole }
                    let isNumber =
                        areWhole
                        && (isCoordinate(column) ? count == 2 : !known[column].isDisjoint(with: [.whole, .decimal]))
                    guard isNumber || !isCoordinate(column),
                        let fit = isNumber ? (fit: 1, isKnown: true) : fit(.text, column)
                    else { return [] }
                    gained = fit.fit
                }
                let isMoved = isCoordinate(column) && (cell != column || count != 1)
                return others(cell + count, column + 1, fits + gained, moved: moved || isMoved)
            }
        }
        return others(0, 0, 0, moved: false).allSatisfy { isWide(row) ? $0 <= own : $0 < own }
    }
}
