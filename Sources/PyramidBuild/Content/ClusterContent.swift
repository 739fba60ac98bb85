import PyramidClusters
import PyramidInput
import PyramidTiles

/// Writes the properties of clusters besides ``ClusterFields``: values of their anchors, and aggregates of their members'
/// values. Aggregates are exact and don't depend on the order of the points.
package struct ClusterContent: Sendable {
    private let options: ClusterContentOptions
    private let groupColumn: PointColumn?
    private let hasWeights: Bool
    private let anchorColumns: [PointColumn]
    private let accumulated: [AccumulatedColumn]
    private let counted: [CountedColumn]
    private let members: MemberList?
    /// `nil` if there are no columns to filter by.
    package private(set) var facets: FacetCombinations?
    /// The names of properties that clusters have besides flat counts; `nil` if values can be nested.
    private var takenNames: Set<String>?
    /// The columns that clusters aggregate, and the weights.
    package let values: PointValues
    /// Warnings about unusable values.
    package private(set) var warnings: [CountedWarning] = []

    private static let weightName = TableColumns.quoted(ClusterContentOptions.weightName)

    /// Reads the columns named by the options.
    /// - Parameters:
    ///   - resolved: for these points.
    ///   - precedence: of the points.
    ///   - knownTexts: values that points outside this table have.
    package init(
        _ resolved: ResolvedOptions, of points: PointTable, precedence: PointPrecedence,
        knownTexts: CountedTexts = CountedTexts()
    ) throws(InputError) {
        let (options, clustering) = (resolved.clusters, resolved.clustering)
        self.options = options
        groupColumn =
            if let name = clustering.groupColumn {
                try points.column(named: name, option: .groupBy)
            } else {
                nil
            }
        hasWeights = clustering.weightColumn != nil
        var values = PointValues()
        var reader = ColumnReader(points)
        for (count, texts) in zip(options.countBy, knownTexts.ofColumns) {
            let column = try points.column(named: count.name, option: .countBy)
            reader.knownTexts[column.index, default: []] += texts
        }
        if hasWeights { values.weights = precedence.weights }
        var columns: [PointColumn] = []
        for name in options.properties {
            columns.append(try points.column(named: name, option: .clusterProperties))
        }
        anchorColumns = columns
        var accumulated: [AccumulatedColumn] = []
        for accumulation in options.accumulate {
            let column = try points.column(named: accumulation.name, option: .accumulateAttribute)
            accumulated.append(AccumulatedColumn(column, accumulation, &reader, values: &values))
        }
        self.accumulated = accumulated
        var counted: [CountedColumn] = []
        for count in options.countBy {
            let column = try points.column(named: count.name, option: .countBy)
            counted.append(CountedColumn(column, limit: count.limit, &reader, values: &values))
            try InputError.requireOneSpelling(
                of: reader.texts(of: column).texts, inColumn: column.name, of: .countBy, in: points.inputs.name)
        }
        self.counted = counted
        facets = try FacetCombinations(
            options.filterBy, of: points, values: &values, known: knownTexts.combinations, jobs: resolved.build.jobs)
        self.values = values
        members = try MemberList(options, idColumn: resolved.build.input.idColumn, of: points)
        warnings = accumulated.compactMap(\.warning)
        if !resolved.storage.codec.holdsAnyValue {
            let taken = Set(resolved.added.map(\.name) + Cluster.PropertyName.allCases.map(\.rawValue))
            takenNames = taken
            if let facets {
                self.facets?.flat = FlatCounts(facets.columns, facets.combinations.texts, except: taken)
            }
        }
    }

    /// Whether clusters need their members one by one, for joined texts or lists.
    var needsMembers: Bool { members != nil || accumulated.contains(where: \.needsMembers) }

    /// The types of the columns that clusters copy, by property name.
    var columnTypes: [String: ValueKinds] {
        let columns = anchorColumns + (groupColumn.map { [$0] } ?? [])
        return Dictionary(columns.map { ($0.outputName, $0.propertyTypes) }) { $0.union($1) }
    }

    /// The aggregates of a single cluster.
    /// - Parameter point: returns one of its points, by a number from 0. Other targets can't specialise a generic sequence.
    package func aggregates(count: Int, _ point: (_ number: Int) -> Int = { $0 }) -> Aggregates {
        var aggregates = Aggregates(of: values)
        aggregates.begin()
        for number in 0..<count { aggregates.add(point: point(number), of: values) }
        aggregates.finish()
        return aggregates
    }

    /// The totals of all points.
    /// - Parameter cluster: the last one in `aggregates`, which holds all points.
    package func totals(_ aggregates: Aggregates, of cluster: Int = 0, unclusteredPoints: Int) -> ContentTotals {
        var totals = ContentTotals(
            accumulated: accumulated.map { $0.total(of: cluster, aggregates) },
            categories: counted.map { $0.total(of: cluster, aggregates) })
        totals.weight = aggregates.weights.last
        totals.unclusteredPoints = unclusteredPoints
        return totals
    }

    /// The members that another process must know one by one to write this cluster, or a cluster that it joins. For
    /// everything else, the aggregates are enough.
    /// - Parameter index: the cluster's entry in the table.
    package func neededMembers(of index: Int, in clusters: ClusterPyramid, points: PointTable, minPoints: Int) -> [Int]
    {
        let cluster = clusters.table.entries[index]
        let (pointCount, anchor) = (Int(cluster.pointCount), Int(cluster.anchorPoint))
        let members = { (body: (Int) -> Void) in clusters.forEachMember(of: cluster, body) }
        let isListed = options.memberLimit.map { pointCount <= $0 } ?? false
        if pointCount < minPoints || isListed || accumulated.contains(where: \.needsMembers) {
            var all: [Int] = []
            members { all.append($0) }
            return all.sorted()
        }
        guard let list = self.members, let count = listedCount(of: cluster, points) else { return [anchor] }
        return Set(list.listed(first: count, of: members) + [anchor]).sorted()
    }

    /// The counted columns, whose texts are in the order of their bytes.
    package var countedTexts: [TextColumn] { values.categories.map(\.column) }

    /// Visits the properties of a cluster.
    /// - Parameters:
    ///   - index: the cluster's entry in the table.
    ///   - nested: a buffer for values that are objects or arrays.
    func visitProperties<Visitor: PropertyVisitor & ~Copyable>(
        of index: Int, in clusters: ClusterPyramid, points: PointTable, scratch: inout RowScratch,
        nested: inout JSONObjectWriter, _ visitor: inout Visitor
    ) {
        let cluster = clusters.table.entries[index]
        let anchor = Int(cluster.anchorPoint)
        let members = { (body: (Int) -> Void) in clusters.forEachMember(of: cluster, body) }
        if hasWeights {
            visitor.visit(ClusterContent.weightName, .integer(clusters.table.aggregates.weights[index]))
        }
        if let groupColumn {
            points.visitProperty(groupColumn, of: anchor, isCanonical: true, scratch: &scratch, &visitor)
        }
        for column in anchorColumns { points.visitProperty(column, of: anchor, scratch: &scratch, &visitor) }
        for column in accumulated {
            column.visit(of: index, clusters.table.aggregates, members: members, &visitor)
        }
        for column in counted {
            column.visit(of: index, clusters.table.aggregates, nested: &nested, &visitor)
        }
        if var takenNames {
            if let facets {
                facets.visit(of: index, clusters.table.aggregates, nested: &nested, &visitor)
                takenNames.formUnion(facets.flat.names)
            }
            for column in counted {
                column.visitFlat(of: index, clusters.table.aggregates, except: &takenNames, &visitor)
            }
        }
        if let list = self.members, let count = listedCount(of: cluster, points) {
            list.visit(first: count, of: members, points: points, scratch: &scratch, nested: &nested, &visitor)
        }
    }

    /// How many members the cluster lists; `nil` if it has no list.
    private func listedCount(of cluster: ClusterTable.Entry, _ points: PointTable) -> Int? {
        let box = cluster.boundingBox(around: points.coordinate(Int(cluster.anchorPoint)))
        return options.listedCount(ofPoints: Int(cluster.pointCount), isCoincident: box.isOnePlace)
    }
}
