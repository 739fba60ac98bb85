import PyramidTiles

/// The combinations of values that points have in the columns by which clients filter, as TileJSON lists them, numbered in the
/// order of their bytes.
struct FacetNumbers: Sendable {
    private let columns: [FacetColumn]
    /// As JSON.
    let combinations: [[UInt8]]
    /// How many points have each.
    let counts: [Int]
    private let numbers: [[UInt8]: UInt32]
    /// The same by what TileJSON lists, as it stands.
    private let listedNumbers: [[UInt8]: UInt32]
    /// By column of vector tiles, where arrays are text: the listed texts that begin like an array, as JSON.
    private var bracketTexts: [Set<[UInt8]>]
    /// By column: the listed numbers and booleans. A text that is written like one of them is the same value.
    private var unquoted: [Set<[UInt8]>]
    /// By column: the ranges between its edges, as JSON.
    private let ranges: [[[UInt8]]]
    /// Whether they are in vector tiles: arrays are text, and numbers the nearest doubles.
    private let isMVT: Bool
    /// Whether different combinations became one, because their numbers have the same nearest double.
    let areMerged: Bool

    /// `nil` for more combinations than a tileset can have.
    init?(_ facets: Facets, isMVT: Bool) {
        guard facets.counts.count <= Facets.combinationLimit else { return nil }
        columns = facets.columns
        self.isMVT = isMVT
        let listed = facets.counts.keys.map { Array($0.utf8) }
        let compared = listed.map { FacetNumbers.compared($0, isMVT: isMVT) }
        let counts = Dictionary(
            zip(compared, facets.counts.values), uniquingKeysWith: { $0.saturatingAdd($1) })
        areMerged = counts.count < facets.counts.count
        let sorted = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        combinations = sorted.map(\.key)
        self.counts = sorted.map(\.value)
        let numbers = Dictionary(uniqueKeysWithValues: combinations.enumerated().map { ($1, UInt32($0)) })
        self.numbers = numbers
        listedNumbers = Dictionary(
            zip(listed, compared.map { numbers[$0] ?? 0 }), uniquingKeysWith: { first, _ in first })
        bracketTexts = [Set<[UInt8]>](repeating: [], count: facets.columns.count)
        unquoted = bracketTexts
        ranges = facets.columns.map { column in
            let limits = ["null"] + (column.edges ?? []).map(FacetColumn.text(ofEdge:)) + ["null"]
            return zip(limits, limits.dropFirst()).map { Array("[\($0),\($1)]".utf8) }
        }
        for combination in listed { addValues(of: combination) }
    }

    /// Collects the values of a combination that others are compared with.
    private mutating func addValues(of combination: [UInt8]) {
        combination.withUnsafeBytes { bytes in
            var json = JSONReader(bytes)
            do throws(JSONFault) {
                try json.expect(UInt8(ascii: "["), "a combination")
                for column in bracketTexts.indices {
                    guard try json.nextElement(isFirst: column == 0) else { return }
                    _ = json.peek()
                    let start = json.position
                    _ = try json.readValue(isKept: false)
                    let text = bytes[start..<json.position]
                    if isMVT, text.starts(with: #""["#.utf8) { bracketTexts[column].insert(Array(text)) }
                    if FacetColumn.isUnquoted(UnsafeRawBufferPointer(rebasing: text)) {
                        unquoted[column].insert(Array(text))
                    }
                }
            } catch {
                // No point has what isn't a combination.
            }
        }
    }

    /// Stands for all combinations that TileJSON doesn't list.
    var unlisted: UInt32 { UInt32(combinations.count) }

    func name(of number: UInt32) -> String {
        number == unlisted ? "unlisted values" : String(decoding: combinations[Int(number)], as: UTF8.self)
    }

    /// The number of a combination.
    func number(of combination: [UInt8]) -> UInt32 {
        listedNumbers[combination] ?? numbers[FacetNumbers.compared(combination, isMVT: isMVT)] ?? unlisted
    }

    /// A combination with its numbers as the format stores those of points.
    private static func compared(_ combination: [UInt8], isMVT: Bool) -> [UInt8] {
        if !isMVT { return combination }
        return combination.withUnsafeBytes { bytes in
            var (json, compared, isFirst) = (JSONReader(bytes), [UInt8](), true)
            do throws(JSONFault) {
                try json.expect(UInt8(ascii: "["), "a combination")
                while try json.nextElement(isFirst: isFirst) {
                    _ = json.peek()
                    let start = json.position
                    _ = try json.readValue(isKept: false)
                    compared.append(UInt8(ascii: isFirst ? "[" : ","))
                    compared += Array(bytes[start..<json.position]).throughMVT
                    isFirst = false
                }
            } catch {
                return combination
            }
            return compared + [UInt8(ascii: "]")]
        }
    }

    /// The combination that a point has by its values.
    /// - Parameter values: where the value of each column stands, if there is one.
    func number(ofPoint values: ArraySlice<Range<Int>?>, _ json: JSONReader) -> UInt32 {
        var combination: [UInt8] = []
        combination.reserveCapacity(64)
        for (column, range) in values.enumerated() {
            combination.append(column == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
            if let range, isPlainText(range, json, of: column) {
                combination.append(contentsOf: UnsafeRawBufferPointer(rebasing: json.bytes[range]))
            } else {
                combination += range.flatMap { value(at: $0, json, of: column) } ?? Array("null".utf8)
            }
        }
        combination.append(UInt8(ascii: "]"))
        return number(of: combination)
    }

    /// Whether the value is text that a combination has as it stands, as most are.
    private func isPlainText(_ range: Range<Int>, _ json: JSONReader, of column: Int) -> Bool {
        range.count > 2 && json.bytes[range.lowerBound] == UInt8(ascii: "\"")
            && json.bytes[range.lowerBound + 1] != UInt8(ascii: "[") && columns[column].edges == nil
            && columns[column].dates == nil && unquoted[column].isEmpty
            && !json.bytes[range].contains(UInt8(ascii: "\\"))
    }

    /// A value as JSON; `nil` for none.
    private func value(at range: Range<Int>, _ json: JSONReader, of column: Int) -> [UInt8]? {
        let isText = json.bytes[range.lowerBound] == UInt8(ascii: "\"")
        if let edges = columns[column].edges {
            guard !isText, let number = Double(json.text(of: range)) else { return nil }
            return ranges[column][edges.partitioningIndex { $0 > number }]
        }
        if isMVT, isText {
            let text = json.textBytes(of: range)
            // Only what is listed tells a text that begins like an array from one.
            if text.first == UInt8(ascii: "["),
                !bracketTexts[column].contains(scalar(at: range, json, of: column) ?? []),
                let set = text.withUnsafeBytes({ set(in: JSONReader($0), of: column) })
            {
                return set
            }
        }
        if isEmptyText(range, json) { return nil }
        if json.bytes[range.lowerBound] == UInt8(ascii: "[") {
            return set(in: JSONReader(json.bytes, at: range.lowerBound), of: column)
        }
        let text = isText ? json.textBytes(of: range) : []
        return unquoted[column].contains(text) ? text : scalar(at: range, json, of: column)
    }

    private func isEmptyText(_ range: Range<Int>, _ json: JSONReader) -> Bool {
        json.bytes[range].elementsEqual("\"\"".utf8)
    }

    private func scalar(at range: Range<Int>, _ json: JSONReader, of column: Int) -> [UInt8]? {
        let bytes = json.bytes[range]
        if let dates = columns[column].dates {
            let text = json.textBytes(of: range)
            let value =
                bytes.first == UInt8(ascii: "\"")
                ? text.withUnsafeBytes { dates.value(ofText: $0) }
                : Double(String(decoding: text, as: UTF8.self)).map { dates.value(ofNumber: $0) }
            guard case .bucket(let bucket) = value else { return nil }
            return Array("\"\(bucket)\"".utf8)
        }
        guard bytes.first == UInt8(ascii: "\"") else {
            return bytes.elementsEqual("null".utf8) ? nil : json.canonicalBytes(of: range)
        }
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        var quoted = ByteBuffer()
        json.textBytes(of: range).withUnsafeBytes { quoted.append(quoted: $0) }
        return quoted.withUnsafeBytes { Array($0) }
    }

    /// The different values of an array, in the order of their bytes, or `null` for none; `nil` if it is no array.
    private func set(in json: JSONReader, of column: Int) -> [UInt8]? {
        var (json, values, isFirst) = (json, Set<[UInt8]>(), true)
        do throws(JSONFault) {
            try json.expect(UInt8(ascii: "["), "an array")
            while try json.nextElement(isFirst: isFirst) {
                isFirst = false
                _ = json.peek()
                let start = json.position
                _ = try json.readValue(isKept: false)
                let range = start..<json.position
                if !isEmptyText(range, json), let value = scalar(at: range, json, of: column) { values.insert(value) }
            }
        } catch {
            return nil
        }
        guard !values.isEmpty else { return Array("null".utf8) }
        let sorted = values.sorted { $0.lexicographicallyPrecedes($1) }
        return [UInt8(ascii: "[")] + sorted.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
