import PyramidTiles

/// How many points of a record match.
struct MatchingPoints {
    /// The box around them, or a larger one.
    private(set) var boundingBox: BoundingBox
    private(set) var count = 0
    private(set) var isExact = true
    /// By number of their combination; `nil` if unknown.
    private(set) var facets: [Int: Int]? = [:]
    /// The only one, if it is known.
    private(set) var point: Feature?
    /// The first zoom that takes them apart; `nil` if none does.
    private(set) var expansionZoom: Int?
    /// Of the record's points, how many are in the file, matching or not.
    private var foundCount = 0
    private static let limit = Int.max / 2
    /// How many members have matching points.
    private var memberCount = 0

    init(boundingBox: BoundingBox) { self.boundingBox = boundingBox }

    mutating func count(_ point: Feature, _ matcher: FacetMatcher, _ table: inout CombinationTable) {
        guard matcher.accepts(point) else { return }
        count = 1
        self.point = point
        facets = [table.number(of: matcher.combination(of: point)): 1]
    }

    /// Adds a member of the cluster.
    mutating func add(_ member: MatchingPoints, of marker: Marker) {
        // A damaged file can state any counts.
        foundCount = min(foundCount + marker.pointCount, MatchingPoints.limit)
        if !member.isExact { isExact = false }
        guard member.count > 0 else { return }
        memberCount += 1
        count = min(count + member.count, MatchingPoints.limit)
        facets = member.facets.flatMap { facets?.merging($0) { min($0 + $1, MatchingPoints.limit) } }
        (point, onlyMember) = memberCount == 1 ? (member.point, (member.boundingBox, member.expansionZoom)) : (nil, nil)
    }

    /// The box and the zoom of the only member with matching points.
    private var onlyMember: (BoundingBox, Int?)?

    /// Ends the counting, after all members were added.
    /// - Parameter lastZoom: the last one at which the cluster is shown as it is.
    mutating func finish(
        _ cluster: Cluster, after lastZoom: Int, _ matcher: FacetMatcher, _ table: inout CombinationTable
    ) {
        if foundCount == cluster.pointCount, isExact {
            (boundingBox, expansionZoom) = onlyMember ?? (boundingBox, lastZoom + 1)
            return
        }
        expansionZoom = cluster.expansionZoom
        let kept = foundCount == cluster.pointCount ? nil : cluster.facets.flatMap { matcher.accepted(of: $0) }
        facets = kept.map {
            Dictionary($0.map { (table.number(of: $0.values), $0.count) }, uniquingKeysWith: +)
        }
        let known = kept?.reduce(0) { $0 + $1.count } ?? (matcher.filter == .all ? cluster.pointCount : nil)
        if known != 1 || count != 1 { point = nil }
        (count, isExact) = (known ?? cluster.pointCount, known != nil)
    }
}

/// The combinations of values of a file, so that clusters count by number.
struct CombinationTable {
    private var combinations: [[PropertyValue]] = []
    private var numbers: [[PropertyValue]: Int] = [:]

    mutating func number(of combination: [PropertyValue]) -> Int {
        if let number = numbers[combination] { return number }
        numbers[combination] = combinations.count
        combinations.append(combination)
        return combinations.count - 1
    }

    func facets(_ counts: [Int: Int]) -> [FacetCount] {
        counts.sorted { $0.key < $1.key }.map { FacetCount(values: combinations[$0.key], count: $0.value) }
    }
}
