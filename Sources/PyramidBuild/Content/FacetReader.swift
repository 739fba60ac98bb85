import PyramidInput
import PyramidTiles

/// Reads the combinations of values that points have in some columns, as JSON arrays.
package struct FacetReader: PropertyVisitor {
    private struct Column {
        /// As JSON, with quotes and colon.
        let quotedName: [UInt8]
        let ranges: FacetRanges?
        let dates: FacetDates?
        /// The kinds of its values, if texts are compared with them.
        let kinds: ValueKinds
        /// Where the current point's value is in ``FacetReader/values``; empty for no value.
        var value = 0..<0
        var hasNumbers = false
        var isNested = false
        var unusedDates = UnusedDates()
        var dateNumbers = DateNumbers()
    }

    /// What was found.
    package struct Result: Sendable {
        /// The combinations, each once.
        package fileprivate(set) var texts: [[UInt8]] = []
        /// By point.
        package fileprivate(set) var indices: [UInt32] = []
        /// By column: whether it has numbers.
        fileprivate(set) var hasNumbers: [Bool]
        /// By column: whether it has values that can't be filtered by.
        fileprivate(set) var isNested: [Bool]
        /// By column.
        fileprivate(set) var unusedDates: [UnusedDates]
        /// By column.
        fileprivate(set) var dateNumbers: [DateNumbers]
        /// Whether all points were read: not if they have far too many combinations.
        fileprivate(set) var isWhole = true
    }

    private var columns: [Column]
    private var values: [UInt8] = []
    /// Of the current point.
    private var rowStart: UInt64 = 0
    private var combination: [UInt8] = []
    private var texts = InternedTexts()

    private init(_ columns: [(PointColumn, FacetColumn)]) {
        self.columns = columns.map { column, facet in
            Column(
                quotedName: column.quotedName, ranges: facet.edges.map { FacetRanges($0) }, dates: facet.dates,
                kinds: facet.edges == nil && facet.dates == nil ? column.content : [])
        }
    }

    /// - Parameter columns: each once.
    static func read(_ columns: [(PointColumn, FacetColumn)], of points: PointTable, jobs: Int) -> Result {
        let work = SharedWork(jobs: jobs)
        let chunks = (0..<points.count).split(into: max(jobs, 1))
        let read = work.map(chunks) { chunk in
            var reader = FacetReader(columns)
            return reader.read(chunk, of: points)
        }
        var result = Result(
            hasNumbers: columns.map { _ in false }, isNested: columns.map { _ in false },
            unusedDates: columns.map { _ in UnusedDates() }, dateNumbers: columns.map { _ in DateNumbers() })
        var texts = InternedTexts()
        result.indices.reserveCapacity(points.count)
        for chunk in read {
            let numbers = chunk.texts.map { texts.number(of: $0) }
            for index in chunk.indices { result.indices.append(numbers[Int(index)]) }
            for column in columns.indices {
                if chunk.hasNumbers[column] { result.hasNumbers[column] = true }
                if chunk.isNested[column] { result.isNested[column] = true }
                result.unusedDates[column].add(chunk.unusedDates[column])
                result.dateNumbers[column].add(chunk.dateNumbers[column])
            }
            if !chunk.isWhole { result.isWhole = false }
        }
        result.texts = texts.all
        return result
    }

    private mutating func read(_ chunk: Range<Int>, of points: PointTable) -> Result {
        var indices: [UInt32] = []
        indices.reserveCapacity(chunk.count)
        var scratch = points.makeScratch()
        for point in chunk {
            values.removeAll(keepingCapacity: true)
            for column in columns.indices { columns[column].value = 0..<0 }
            rowStart = points.rowStarts[point]
            points.scan(point, scratch: &scratch)
            points.visitProperties(of: point, scratch: &scratch, &self)
            combination.removeAll(keepingCapacity: true)
            for column in columns {
                combination.append(combination.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
                if column.value.isEmpty { combination += "null".utf8 } else { combination += values[column.value] }
            }
            combination.append(UInt8(ascii: "]"))
            indices.append(texts.number(of: combination))
            if texts.all.count > FacetReader.mostTexts { break }
        }
        return Result(
            texts: texts.all, indices: indices, hasNumbers: columns.map(\.hasNumbers),
            isNested: columns.map(\.isNested), unusedDates: columns.map(\.unusedDates),
            dateNumbers: columns.map(\.dateNumbers), isWhole: indices.count == chunk.count)
    }

    /// Reading stops at this number: the limit is long exceeded.
    static let mostTexts = 20 * Facets.combinationLimit

    package mutating func visit(_ quotedName: UnsafeRawBufferPointer, _ value: PropertyView) {
        guard let index = columns.firstIndex(where: { column in quotedName.elementsEqual(column.quotedName) }) else {
            return
        }
        let start = values.count
        switch value.withoutQuotes(amongKinds: columns[index].kinds) {
        case _ where columns[index].dates != nil: addDates(value, ofColumn: index)
        case .number(let number):
            columns[index].hasNumbers = true
            if let ranges = columns[index].ranges {
                values += ranges.text(of: number)
            } else if !CanonicalNumber.write(number, into: &combination) {
                values += number
            } else {
                values += combination
            }
        case _ where columns[index].ranges != nil: break
        case .text(let text) where text.isEmpty, .plainText(let text) where text.isEmpty: break
        case .text(let text):
            var quoted = ByteBuffer(capacity: text.count + 16)
            quoted.append(quoted: text)
            quoted.withUnsafeBytes { values += $0 }
        case .plainText(let text):
            values.append(UInt8(ascii: "\""))
            values += text
            values.append(UInt8(ascii: "\""))
        case .bool(let flag): values += (flag ? "true" : "false").utf8
        case .json(let json) where json.first == UInt8(ascii: "\""): values += json
        case .json(let json):
            if let set = FacetReader.set(json) { values += set } else { columns[index].isNested = true }
        case .integer, .decimal: break
        }
        columns[index].value = start..<values.count
    }

    /// Appends the bucket of a date as JSON. For an array of dates, appends an array of buckets.
    private mutating func addDates(_ value: PropertyView, ofColumn index: Int) {
        switch value {
        case .number(let number):
            let double = Double(String(decoding: number, as: UTF8.self)) ?? .nan
            if let notation = columns[index].dates?.notation, notation == .seconds || notation == .milliseconds {
                columns[index].dateNumbers.add(double, number, rowAt: rowStart)
            }
            if let bucket = bucket(columns[index].dates?.value(ofNumber: double), of: number, index) {
                values += bucket
            }
        case .text(let text) where text.isEmpty, .plainText(let text) where text.isEmpty: break
        case .text(let text), .plainText(let text):
            if let bucket = bucket(columns[index].dates?.value(ofText: text), of: text, index) { values += bucket }
        case .json(let json):
            let value = PropertyValue(json: Array(json))
            guard case .array(let elements) = value else {
                if case .object = value { columns[index].isNested = true }
                if let bucket = bucket(columns[index].dates?.value(of: value), of: json, index) { values += bucket }
                return
            }
            let buckets = elements.filter { $0 != .null && $0 != "" }.compactMap {
                bucket(columns[index].dates?.value(of: $0), of: json, index)
            }
            let sorted = Set(buckets).sorted { $0.lexicographicallyPrecedes($1) }
            guard !sorted.isEmpty else { return }
            values += [UInt8(ascii: "[")] + sorted.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        case .bool, .integer, .decimal: _ = bucket(FacetDates.Value.none, of: nil, index)
        }
    }

    /// A bucket as JSON; `nil` for none.
    private mutating func bucket(
        _ value: FacetDates.Value?, of text: UnsafeRawBufferPointer?, _ column: Int
    ) -> [UInt8]? {
        let text = text.map { Array($0) } ?? []
        switch value ?? .none {
        case .bucket(let bucket): return Array("\"\(bucket)\"".utf8)
        case .coarse: columns[column].unusedDates.coarse.add(text)
        case .none: columns[column].unusedDates.unreadable.add(text)
        }
        return nil
    }

    /// A JSON array as a set: each value once, in the order of their bytes; empty for an empty set.
    /// - Returns: `nil` if it is no array of strings, numbers and booleans.
    private static func set(_ json: UnsafeRawBufferPointer) -> [UInt8]? {
        var reader = JSONReader(json)
        guard (try? reader.expect(UInt8(ascii: "["), "")) != nil else { return nil }
        var values: Set<[UInt8]> = []
        var canonical: [UInt8] = []
        while (try? reader.nextElement(isFirst: values.isEmpty && reader.position == 1)) == true {
            let first = reader.peek()
            let start = reader.position
            guard first != UInt8(ascii: "["), first != UInt8(ascii: "{"),
                let value = try? reader.readValue(isKept: true)
            else { return nil }
            let text = UnsafeRawBufferPointer(rebasing: json[start..<reader.position])
            switch value {
            case .null, .string(""): continue
            case .number where CanonicalNumber.write(text, into: &canonical): values.insert(canonical)
            default: values.insert(Array(text))
            }
        }
        guard !values.isEmpty else { return [] }
        let sorted = values.sorted { $0.lexicographicallyPrecedes($1) }
        return [UInt8(ascii: "[")] + sorted.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// By column: how many values combinations have.
    static func valueCounts(_ combinations: [[UInt8]]) -> [Int] {
        var values: [Set<PropertyValue>] = []
        for combination in combinations {
            guard case .array(let found) = PropertyValue(json: combination) else { continue }
            while values.count < found.count { values.append([]) }
            for (column, value) in found.enumerated() { values[column].insert(value) }
        }
        return values.map(\.count)
    }
}

extension PropertyView {
    /// The number or boolean that a text is written like, if its column has such values: `"24"` is the same as `24`.
    fileprivate func withoutQuotes(amongKinds kinds: ValueKinds) -> PropertyView {
        guard kinds.contains(.text), kinds.contains(.number) || kinds.contains(.boolean) else { return self }
        let text: UnsafeRawBufferPointer
        switch self {
        case .text(let own), .plainText(let own): text = own
        case .json(let json) where json.first == UInt8(ascii: "\""):
            text = UnsafeRawBufferPointer(rebasing: json.dropFirst().dropLast())
        default: return self
        }
        guard FacetColumn.isUnquoted(text) else { return self }
        let isBoolean = text.first.map { $0 >= UInt8(ascii: "a") } ?? false
        if isBoolean { return kinds.contains(.boolean) ? .bool(text.first == UInt8(ascii: "t")) : self }
        return kinds.contains(.number) ? .number(text) : self
    }
}

/// The values of a column of dates that are in no span.
package struct UnusedDates: Sendable {
    package struct Values: Sendable {
        package private(set) var count = 0
        /// The first one in the order of bytes.
        package private(set) var example: [UInt8] = []

        fileprivate mutating func add(_ text: [UInt8], count added: Int = 1) {
            if added > 0, count == 0 || text.lexicographicallyPrecedes(example) { example = text }
            count += added
        }
    }

    /// Values that are no dates, and dates that aren't precise enough.
    package fileprivate(set) var unreadable = Values(), coarse = Values()

    package mutating func add(_ other: UnusedDates) {
        unreadable.add(other.unreadable.example, count: other.unreadable.count)
        coarse.add(other.coarse.example, count: other.coarse.count)
    }
}

/// Counts how many numbers of a column could be years or days, though they are read as seconds or milliseconds.
struct DateNumbers: Sendable {
    /// Numbers that can't be years, or can't be days.
    struct Others: Sendable {
        private(set) var count = 0
        /// The first one in the inputs.
        private(set) var first: (rowStart: UInt64, text: [UInt8])?

        mutating func add(_ other: Others) {
            count += other.count
            if let start = other.first?.rowStart, start < first?.rowStart ?? .max { first = other.first }
        }

        fileprivate mutating func add(_ text: UnsafeRawBufferPointer, rowAt start: UInt64) {
            count += 1
            if start < first?.rowStart ?? .max { first = (start, Array(text)) }
        }
    }

    private var count = 0
    private var notYears = Others(), notDays = Others()

    /// What most numbers could be, years or days, and the others, which rule that out; `nil` if most could be neither.
    var mostAre: (notation: DateNotation, others: Others)? {
        if notYears.count * 2 < count { return (.years, notYears) }
        return notDays.count * 2 < count ? (.days, notDays) : nil
    }

    mutating func add(_ other: DateNumbers) {
        count += other.count
        notYears.add(other.notYears)
        notDays.add(other.notDays)
    }

    fileprivate mutating func add(_ number: Double, _ text: UnsafeRawBufferPointer, rowAt start: UInt64) {
        count += 1
        if DateNotation.years.date(ofNumber: number) == nil { notYears.add(text, rowAt: start) }
        if DateNotation.days.date(ofNumber: number) == nil { notDays.add(text, rowAt: start) }
    }
}

extension PropertyValue {
    /// `null` if it can't be read.
    package init(json: [UInt8]) {
        self = json.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            return (try? reader.readValue(isKept: true)) ?? .null
        }
    }
}

/// Different texts, each with its number.
struct InternedTexts {
    private(set) var all: [[UInt8]] = []
    /// By hash; texts of equal hash have the next free one.
    private var numbers: [UInt64: UInt32] = [:]

    mutating func number(of text: [UInt8]) -> UInt32 {
        var hash = text.withUnsafeBytes { StableHash.hash($0) }
        while let number = numbers[hash] {
            if all[Int(number)] == text { return number }
            hash &+= 1
        }
        numbers[hash] = UInt32(all.count)
        all.append(text)
        return UInt32(all.count - 1)
    }
}

/// The ranges between edges, as JSON.
private struct FacetRanges {
    private let edges: [Double]
    private let texts: [[UInt8]]

    init(_ edges: [Double]) {
        self.edges = edges
        let limits = ["null"] + edges.map(FacetColumn.text(ofEdge:)) + ["null"]
        texts = zip(limits, limits.dropFirst()).map { Array("[\($0),\($1)]".utf8) }
    }

    /// - Parameter number: a JSON number.
    func text(of number: UnsafeRawBufferPointer) -> [UInt8] {
        let value = Double(String(decoding: number, as: UTF8.self)) ?? .infinity
        return texts[edges.partitioningIndex { $0 > value }]
    }
}
