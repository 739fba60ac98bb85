import PyramidTiles

/// Adds up what the markers of a zoom carry, to compare it with the totals in the manifest.
///
/// Sums, minima, maxima and counts are compared if points have the column too. Means and joined texts don't add up, so
/// they aren't checked.
struct ContentTally: Sendable {
    private let options: ClusterContentOptions
    private let hasGroups: Bool
    private let hasUnclustered: Bool
    private let weightColumn: String?
    private let clusterMaxZoom: Int
    /// Whether anything of markers is added up or checked here.
    private let addsUp: Bool
    /// The index of each watched property in ``watchedNames``.
    private let watched: [Watched: Int]
    /// The same, where clients filter.
    private let facetColumns: Range<Int>
    /// The names of lists that clusters have by options alone, of options that weren't given.
    private let foreignNames: [String]
    /// The names of the properties whose values are read.
    let watchedNames: [[UInt8]]
    private var weight = 0
    private var accumulated: [FixedDecimal?]
    /// By accumulation: how far its total can be off, in units of `FixedDecimal`, because doubles in tiles aren't
    /// exact.
    private var slack: [Int128]
    private let isExact: Bool
    private var categories: [[String: Int]]
    /// By column: whether some cluster counts several values together.
    private var isAbridged: [Bool]
    /// The sum of the `point_count` of points, which they have if hidden points are counted.
    private(set) var keptCount = 0

    /// A property whose value is read.
    private enum Watched: Hashable {
        case added(AddedProperty.Option)
        /// Of points: the n-th accumulated column, and the column of weights.
        case accumulatedColumn(Int), weightColumn
        /// The n-th name of ``foreignNames``.
        case foreign(Int)
    }

    init(_ manifest: Manifest) {
        options = manifest.content.clusters
        let clustering = manifest.options
        hasGroups = clustering.groupColumn != nil
        hasUnclustered = clustering.unclustered != nil
        weightColumn = clustering.weightColumn
        var names = AddedProperty.all(options, clustering).map { (Watched.added($0.option), $0.name) }
        names += options.accumulate.enumerated().map { (.accumulatedColumn($0), $1.name) }
        if let weightColumn { names.append((.weightColumn, weightColumn)) }
        let added = Set(names.map(\.1))
        foreignNames = [ClusterContentOptions.membersName, ClusterContentOptions.facetsName].filter {
            !added.contains($0)
        }
        names += foreignNames.enumerated().map { (.foreign($0), $1) }
        let filterNames = options.filterBy.map(\.name)
        facetColumns = names.count..<names.count + filterNames.count
        clusterMaxZoom = clustering.clusterMaxZoom
        addsUp =
            !options.accumulate.isEmpty || !options.countBy.isEmpty || weightColumn != nil
            || options.memberLimit != nil
        watchedNames = (names.map(\.1) + filterNames).map { Array($0.utf8) }
        watched = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element.0, $0.offset) })
        accumulated = [FixedDecimal?](repeating: nil, count: options.accumulate.count)
        slack = [Int128](repeating: 0, count: options.accumulate.count)
        isExact = manifest.content.storage.codec.holdsAnyValue
        categories = [[String: Int]](repeating: [:], count: options.countBy.count)
        isAbridged = [Bool](repeating: false, count: options.countBy.count)
    }

    /// The JSON of a property's value; `nil` if the feature lacks it or it isn't watched.
    private func value(_ name: Watched, of feature: DecodedFeature) -> Range<Int>? {
        feature.watched.isEmpty ? nil : watched[name].flatMap { feature.watched[$0] }
    }

    /// The group of a marker. Only markers of one group can merge.
    func group(of feature: DecodedFeature, _ json: JSONReader) -> MarkerGroup {
        guard hasGroups || hasUnclustered else { return MarkerGroup() }
        if feature.cluster == nil, let range = value(.added(.unclustered), of: feature), json.isEqual(range, "true") {
            return MarkerGroup(isUnclustered: true)
        }
        guard let range = value(.added(.group), of: feature) else { return MarkerGroup() }
        return MarkerGroup(
            idMask: ClusterGroup.idMask(of: compared(range, json)), isRounded: isRounded(range, json))
    }

    /// Whether a tile has only the nearest double of a number, so that other numbers can look the same. Vector tiles have other
    /// types for whole numbers: a double that is whole is rounded, too.
    private func isRounded(_ range: Range<Int>, _ json: JSONReader) -> Bool {
        let bytes = json.bytes.assumingMemoryBound(to: UInt8.self).span
        return !isExact && DecimalLiteral(bytes, in: range).map { !$0.isInteger } ?? false
    }

    func isRounded(_ id: DecodedFeature.ID?, _ json: JSONReader) -> Bool {
        if case .number(let number) = id { isRounded(number.range, json) } else { false }
    }

    /// A value as groups and categories compare it.
    private func compared(_ range: Range<Int>, _ json: JSONReader) -> [UInt8] {
        json.canonicalBytes(of: range)
    }

    /// The combination of values that a point has.
    func combination(of feature: DecodedFeature, _ json: JSONReader, _ facets: FacetNumbers) -> UInt32 {
        facets.number(
            ofPoint: feature.watched.isEmpty
                ? ArraySlice(repeating: nil, count: facetColumns.count) : feature.watched[facetColumns], json)
    }

    /// Adds a marker.
    /// - Parameter json: reads the feature's tile.
    /// - Returns: what is wrong with a value; `nil` if nothing is.
    mutating func add(_ feature: DecodedFeature, _ json: JSONReader, atZoom zoom: Int) -> String? {
        if feature.cluster != nil,
            let index = foreignNames.indices.first(where: { value(.foreign($0), of: feature) != nil })
        {
            return "has a \"\(foreignNames[index])\", which no option adds"
        }
        guard addsUp || feature.pointCountOfPoint != nil else { return nil }
        // Wrong values are added up too, so that one error causes one finding.
        var problem: String?
        func add(_ other: String?) { problem = problem ?? other }
        for (index, accumulation) in options.accumulate.enumerated() {
            guard feature.cluster != nil else {
                if let range = value(.accumulatedColumn(index), of: feature) { addPoint(json, range, to: index) }
                continue
            }
            guard let range = value(.added(.accumulated(index)), of: feature) else { continue }
            if !addCluster(json, range, to: index) {
                add("has a \"\(accumulation.property)\" that isn't a number")
            }
        }
        for index in options.countBy.indices { add(countProblem(feature, json, index)) }
        if let range = feature.pointCountOfPoint {
            var reader = JSONReader(json.bytes, at: range.lowerBound)
            keptCount = keptCount.saturatingAdd((try? reader.readInteger(in: 1...Int(UInt32.max), "a count")) ?? 0)
        }
        add(weightProblem(feature, json))
        add(memberProblem(feature, json))
        return problem
    }

    /// Adds up the counts by category.
    /// - Returns: what is wrong with the counts of a cluster; `nil` if nothing is, and for points.
    private mutating func countProblem(_ feature: DecodedFeature, _ json: JSONReader, _ index: Int) -> String? {
        let range = value(.added(.counted(index)), of: feature)
        guard let cluster = feature.cluster else {
            let category = range.map { String(decoding: compared($0, json), as: UTF8.self) } ?? ""
            categories[index][category, default: 0] += 1
            return nil
        }
        let counts = range.flatMap { json.counts(in: $0) } ?? []
        if counts.count > options.countBy[index].limit { isAbridged[index] = true }
        for (name, count) in counts { categories[index][name, default: 0] += count }
        let sum = counts.reduce(0) { $0.saturatingAdd($1.count) }
        guard sum != cluster.pointCount else { return nil }
        return "has a \"\(options.countBy[index].name)\" that counts \(sum) points, expected \(cluster.pointCount)"
    }

    /// Adds up the weights.
    /// - Returns: what is wrong with the weight of a cluster; `nil` if nothing is, and for points.
    private mutating func weightProblem(_ feature: DecodedFeature, _ json: JSONReader) -> String? {
        guard weightColumn != nil else { return nil }
        guard feature.cluster != nil else {
            weight = weight.saturatingAdd(
                value(.weightColumn, of: feature).flatMap { FixedDecimal(json.text(of: $0))?.pointWeight }.map {
                    Int($0)
                }
                    ?? 1)
            return nil
        }
        guard let range = value(.added(.weight), of: feature) else { return "has no point_weight" }
        var reader = JSONReader(json.bytes, at: range.lowerBound)
        guard let sum = try? reader.readInteger(in: 0...Int.max, "a sum") else {
            return "has a point_weight that isn't a sum of weights"
        }
        weight = weight.saturatingAdd(sum)
        return nil
    }

    /// What is wrong with the member list of a cluster.
    private func memberProblem(_ feature: DecodedFeature, _ json: JSONReader) -> String? {
        guard options.memberLimit != nil, let cluster = feature.cluster else { return nil }
        let expected = options.listedCount(
            ofPoints: cluster.pointCount, isCoincident: cluster.isCoincident)
        let found = value(.added(.members), of: feature).map { json.elementCount(in: $0) ?? 0 }
        guard found != expected else { return nil }
        return "lists \(found.map(String.init) ?? "no") members, expected \(expected.map(String.init) ?? "none")"
    }

    mutating func add(_ other: ContentTally) {
        keptCount = keptCount.saturatingAdd(other.keptCount)
        weight = weight.saturatingAdd(other.weight)
        for (index, accumulation) in options.accumulate.enumerated() {
            if let value = other.accumulated[index] {
                take(value, into: index, accumulation.operation, slack: other.slack[index])
            }
        }
        for index in options.countBy.indices {
            categories[index].merge(other.categories[index]) { $0.saturatingAdd($1) }
            isAbridged[index] = isAbridged[index] || other.isAbridged[index]
        }
    }

    /// Sentences on where the totals differ from the manifest's.
    /// - Parameter shownColumns: the columns that points have; the totals of others can't be checked.
    func problems(_ totals: ContentTotals, shownColumns: Set<String>) -> [String] {
        var problems: [String] = []
        if let total = totals.weight, weight != total, shownColumns.contains(weightColumn ?? "") {
            problems.append("markers weigh \(weight) in total, expected \(total)")
        }
        for (index, (accumulation, total)) in zip(options.accumulate, totals.accumulated).enumerated()
        where accumulation.operation.hasTotal && shownColumns.contains(accumulation.name) {
            // Even a column without values has a count.
            let nothing = accumulation.operation == .count ? "0" : "nothing"
            let (found, total) = (accumulated[index]?.description ?? nothing, total ?? "nothing")
            if found != total, !isNear(index, total) {
                problems.append(
                    "\(accumulation.operation.rawValue) of \"\(accumulation.name)\" is \(found), expected \(total)")
            }
        }
        for (index, count) in options.countBy.enumerated() where shownColumns.contains(count.name) {
            guard index < totals.categories.count else { continue }
            let (found, total) = (compared(categories[index]), compared(totals.categories[index]))
            let differing = Set(found.keys).union(total.keys).filter { name in
                // Some counts of a value may be in `other`.
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

    /// The counts by names that are equal where the format's numbers are.
    private func compared(_ counts: [String: Int]) -> [String: Int] {
        if isExact { return counts }
        return Dictionary(
            counts.map { (String(decoding: Array($0.utf8).throughMVT, as: UTF8.self), $1) },
            uniquingKeysWith: { $0.saturatingAdd($1) })
    }

    private mutating func addPoint(_ json: JSONReader, _ range: Range<Int>, to index: Int) {
        let operation = options.accumulate[index].operation
        if operation == .count {
            // An empty text is no value.
            if !compared(range, json).isEmpty { take(FixedDecimal(1), into: index, operation) }
        } else if operation.needsNumbers, let value = FixedDecimal(json.text(of: range)) {
            take(value, into: index, operation, slack: slack(of: value, range, json))
        }
    }

    /// - Returns: `false` if the value must be a number and isn't.
    private mutating func addCluster(_ json: JSONReader, _ range: Range<Int>, to index: Int) -> Bool {
        let operation = options.accumulate[index].operation
        guard operation.needsNumbers || operation == .count else { return true }
        guard let value = FixedDecimal(sum: UnsafeRawBufferPointer(rebasing: json.bytes[range])) else { return false }
        take(value, into: index, operation, slack: slack(of: value, range, json))
        return true
    }

    /// How far a number can be off. A double has 53 significant bits. This is a unit in the last one, not half, as the decimals
    /// are rounded too.
    private func slack(of value: FixedDecimal, _ range: Range<Int>, _ json: JSONReader) -> Int128 {
        isRounded(range, json) ? abs(value.scaled) >> 52 + 1 : 0
    }

    /// Whether the found total is as near to the expected one as doubles allow.
    private func isNear(_ index: Int, _ total: String) -> Bool {
        guard slack[index] > 0, let found = accumulated[index], let expected = FixedDecimal(sum: total) else {
            return false
        }
        let (difference, overflow) = found.scaled.subtractingReportingOverflow(expected.scaled)
        return !overflow && difference.magnitude <= slack[index].magnitude
    }

    /// - Parameter slack: how far the value can be off.
    private mutating func take(
        _ value: FixedDecimal, into index: Int, _ operation: Accumulation.Operation, slack valueSlack: Int128 = 0
    ) {
        slack[index] = [.min, .max].contains(operation) ? max(slack[index], valueSlack) : slack[index] + valueSlack
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
