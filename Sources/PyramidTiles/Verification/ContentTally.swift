/// What the values add up to that the markers of a zoom level carry, to be held against the totals of the manifest.
///
/// Sums, least and greatest values and counts are held against the totals where points show the column themselves. Means
/// and joined texts don't add up and are not checked.
struct ContentTally: Sendable {
    let options: ClusterContentOptions
    private var accumulated: [FixedDecimal?]
    private var categories: [[String: Int]]
    /// Whether a cluster counts some values together.
    private var isAbridged: [Bool]
    /// How many points the markers stand for that name each parent, and those that name none.
    private var pointsByParent: [UInt64: Int] = [:]
    private var pointsWithoutParent = 0
    /// What the counts of points that are no clusters add up to.
    private(set) var keptCount = 0

    init(_ options: ClusterContentOptions) {
        self.options = options
        accumulated = [FixedDecimal?](repeating: nil, count: options.accumulate.count)
        categories = [[String: Int]](repeating: [:], count: options.countBy.count)
        isAbridged = [Bool](repeating: false, count: options.countBy.count)
    }

    /// The properties whose values are asked for, in the order in which ``add(_:_:)`` takes them.
    var watchedNames: [[UInt8]] {
        let members = options.memberLimit == nil ? [] : [ClusterContentOptions.membersName]
        let parents = options.hasParents ? [ClusterContentOptions.parentName] : []
        return (options.accumulate.map(\.name) + options.countBy.map(\.name) + members + parents).map { Array($0.utf8) }
    }

    /// Takes in a marker.
    /// - Parameter json: the reader of the tile that the feature was read from.
    /// - Returns: what is wrong with a value; `nil` where nothing is.
    mutating func add(_ feature: DecodedFeature, _ json: JSONReader) -> String? {
        for (index, accumulation) in options.accumulate.enumerated() {
            guard let range = feature.watched[index] else { continue }
            let problem =
                feature.cluster == nil
                ? addPoint(json, range, to: index)
                : addCluster(json, range, to: index)
            if problem { return "has a \"\(accumulation.name)\" that is no number" }
        }
        for (index, count) in options.countBy.enumerated() {
            let range = feature.watched[options.accumulate.count + index]
            guard let cluster = feature.cluster else {
                categories[index][range.map { json.text(of: $0) } ?? "", default: 0] += 1
                continue
            }
            let counts = range.flatMap { json.counts(in: $0) } ?? []
            let sum = counts.reduce(0) { $0.saturatingAdd($1.count) }
            if sum != cluster.pointCount {
                return "has a \"\(count.name)\" that counts \(sum) points, expected \(cluster.pointCount)"
            }
            if counts.count > count.limit { isAbridged[index] = true }
            for (name, count) in counts { categories[index][name, default: 0] += count }
        }
        if let range = feature.pointCountOfPoint {
            var reader = JSONReader(json.bytes, at: range.lowerBound)
            keptCount = keptCount.saturatingAdd((try? reader.readInteger(in: 1...Int(UInt32.max), "a count")) ?? 0)
        }
        addParent(feature, json)
        return memberProblem(feature, json)
    }

    private mutating func addParent(_ feature: DecodedFeature, _ json: JSONReader) {
        guard options.hasParents else { return }
        let pointCount = feature.cluster?.pointCount ?? 1
        guard let range = feature.watched.last.flatMap({ $0 }) else {
            pointsWithoutParent = pointsWithoutParent.saturatingAdd(pointCount)
            return
        }
        var reader = JSONReader(json.bytes, at: range.lowerBound)
        // What is no id is the parent of nobody.
        let id = (try? reader.readInteger(in: 0...GeoJSONFeatureReader.integerLimit, "an id")) ?? 0
        pointsByParent[UInt64(id)] = pointsByParent[UInt64(id), default: 0].saturatingAdd(pointCount)
    }

    /// Where the parents that the markers name are not the clusters of the zoom level above, as sentences.
    func problems(withParents above: ZoomMarkers) -> [String] {
        guard options.hasParents else { return [] }
        var counts: [UInt64: Int] = [:]
        for index in above.records.indices where !above.records[index].isPoint {
            counts[above.records[index].identity] = above.pointCount(index)
        }
        let differing = Set(counts.keys).union(pointsByParent.keys).filter { counts[$0] != pointsByParent[$0] }
        var problems = differing.sorted().prefix(10).map { id in
            "markers of \(pointsByParent[id, default: 0]) points name the parent \(id), "
                + "expected \(counts[id, default: 0]) as at zoom \(above.zoom)"
        }
        let points = above.records.count { $0.isPoint }
        if points != pointsWithoutParent {
            problems.append(
                "markers of \(pointsWithoutParent) points name no parent, expected the \(points) that stand alone at "
                    + "zoom \(above.zoom)")
        }
        return problems
    }

    /// What is wrong with the list of a cluster's members.
    private func memberProblem(_ feature: DecodedFeature, _ json: JSONReader) -> String? {
        guard options.memberLimit != nil, let cluster = feature.cluster else { return nil }
        let expected = options.listedCount(
            ofPoints: cluster.pointCount, isCoincident: cluster.boundingBox.isPoint)
        let list = feature.watched[options.accumulate.count + options.countBy.count]
        let found = list.map { json.elementCount(in: $0) ?? 0 }
        guard found != expected else { return nil }
        return "lists \(found.map(String.init) ?? "no") members, expected \(expected.map(String.init) ?? "none")"
    }

    mutating func add(_ other: ContentTally) {
        pointsByParent.merge(other.pointsByParent) { $0.saturatingAdd($1) }
        keptCount = keptCount.saturatingAdd(other.keptCount)
        pointsWithoutParent += other.pointsWithoutParent
        for (index, accumulation) in options.accumulate.enumerated() {
            if let value = other.accumulated[index] { take(value, into: index, accumulation.operation) }
        }
        for index in options.countBy.indices {
            categories[index].merge(other.categories[index]) { $0.saturatingAdd($1) }
            isAbridged[index] = isAbridged[index] || other.isAbridged[index]
        }
    }

    /// Where the sums differ from the manifest's, as sentences.
    /// - Parameter shownColumns: those that points carry; of the others no sum is known.
    func problems(_ totals: ContentTotals, shownColumns: Set<String>) -> [String] {
        var problems: [String] = []
        for (index, accumulation) in options.accumulate.enumerated() where shownColumns.contains(accumulation.name) {
            guard let total = index < totals.accumulated.count ? totals.accumulated[index] : nil else { continue }
            // A column without a value has a count all the same.
            let nothing = accumulation.operation == .count ? "0" : "nothing"
            let found = accumulated[index]?.description ?? nothing
            if found != total {
                problems.append(
                    "\(accumulation.operation.rawValue) of \"\(accumulation.name)\" is \(found), expected \(total)")
            }
        }
        for (index, count) in options.countBy.enumerated() where shownColumns.contains(count.name) {
            guard index < totals.categories.count else { continue }
            let (found, total) = (categories[index], totals.categories[index])
            let differing = Set(found.keys).union(total.keys).filter { name in
                // What is counted together is missing elsewhere.
                isAbridged[index]
                    ? name != CategoryCount.other && found[name, default: 0] > total[name, default: 0]
                    : found[name, default: 0] != total[name, default: 0]
            }
            if let name = differing.min() {
                problems.append(
                    "\"\(name)\" of \"\(count.name)\" is counted \(found[name, default: 0]) times, "
                        + "expected \(total[name, default: 0])")
            }
        }
        return problems
    }

    /// - Returns: whether the value is not what it must be.
    private mutating func addPoint(_ json: JSONReader, _ range: Range<Int>, to index: Int) -> Bool {
        let operation = options.accumulate[index].operation
        if operation == .count {
            take(FixedDecimal(1), into: index, operation)
        } else if operation.needsNumbers, let value = FixedDecimal(json.text(of: range)) {
            take(value, into: index, operation)
        }
        return false
    }

    private mutating func addCluster(_ json: JSONReader, _ range: Range<Int>, to index: Int) -> Bool {
        let operation = options.accumulate[index].operation
        guard operation.needsNumbers || operation == .count else { return false }
        guard let value = FixedDecimal(sum: UnsafeRawBufferPointer(rebasing: json.bytes[range])) else { return true }
        take(value, into: index, operation)
        return false
    }

    private mutating func take(_ value: FixedDecimal, into index: Int, _ operation: Accumulation.Operation) {
        guard let before = accumulated[index] else {
            accumulated[index] = value
            return
        }
        accumulated[index] =
            switch operation {
            case .min: Swift.min(before, value)
            case .max: Swift.max(before, value)
            default: before + value
            }
    }
}

extension JSONReader {
    /// A string without its quotes and escapes, or any other value as it stands.
    fileprivate func text(of range: Range<Int>) -> String {
        var reader = JSONReader(bytes, at: range.lowerBound)
        if bytes[range.lowerBound] == UInt8(ascii: "\""), let text = try? reader.readText() { return string(text) }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// How many elements an array has; `nil` for any other value.
    fileprivate func elementCount(in range: Range<Int>) -> Int? {
        var reader = JSONReader(bytes, at: range.lowerBound)
        var count = 0
        do {
            try reader.expect(UInt8(ascii: "["), "an array")
            while try reader.nextElement(isFirst: count == 0) {
                _ = try reader.readValue(isKept: false)
                count += 1
            }
            return count
        } catch {
            return nil
        }
    }

    /// The members of an object of counts; `nil` for any other value.
    fileprivate func counts(in range: Range<Int>) -> [(name: String, count: Int)]? {
        var reader = JSONReader(bytes, at: range.lowerBound)
        var counts: [(name: String, count: Int)] = []
        do {
            try reader.expect(UInt8(ascii: "{"), "an object of counts")
            while let key = try reader.nextKey(isFirst: counts.isEmpty) {
                counts.append((string(key), try reader.readInteger(in: 1...Int(UInt32.max), "a count")))
            }
            return counts
        } catch {
            return nil
        }
    }
}
