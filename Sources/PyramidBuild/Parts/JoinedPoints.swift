import PyramidStore
import PyramidTiles

/// The points whose rows the parts hand over.
struct JoinedPoints {
    let points: PointTable
    let quadtree: LinearQuadtree
    /// By row, part after part: the number of its point.
    private let pointOfRow: [UInt32]

    init(
        _ parts: [OpenedPart], _ options: BuildOptions, _ progress: @escaping (BuildProgress) -> Void
    ) throws {
        var input = options.input
        input.reservedNames.formUnion(options.takenNames)
        let rows = try parts.map { try $0.rows() }
        var points = try PointTable(
            reading: rows, options: input, cutting: InputCutting(jobs: options.jobs)
        ) { progress(.reading(bytes: $0, of: $1)) }
        let rowCount = parts.reduce(0) { $0 + $1.manifest.rowCount }
        guard points.count == rowCount else {
            throw StoreError(
                path: parts[0].path,
                reason: .damaged("hands over rows that can't be read: \(points.count) of \(rowCount) in all parts can"))
        }
        progress(.sorting(points: points.count))
        let sections = try PointSections(options.clustering, of: points)
        let (quadtree, order) = points.sort(in: sections, jobs: options.jobs)
        var pointOfRow = [UInt32](repeating: 0, count: points.count)
        for (point, row) in order.enumerated() { pointOfRow[Int(row)] = UInt32(point) }
        self.points = points
        self.quadtree = quadtree
        self.pointOfRow = pointOfRow
    }

    /// The markers of the cut zoom.
    /// - Parameter categories: by part and by column of which values are counted: the number of each of the part's texts.
    func carried(
        _ parts: [OpenedPart], _ content: ClusterContent, _ standing: PointStanding, _ categories: [[[UInt32]]]
    ) throws -> CarriedClusters {
        var all: [(anchor: UInt32, points: [UInt32], cluster: CarriedCluster?)] = []
        var base = 0
        for (part, categories) in zip(parts, categories) {
            let candidates = try part.candidates(
                measureCount: content.values.measures.count, categories: categories)
            for candidate in candidates {
                all.append(
                    (
                        pointOfRow[base + candidate.anchorRow],
                        candidate.rows.map { pointOfRow[base + $0] }.sorted(), candidate.cluster
                    ))
            }
            base += part.manifest.rowCount
        }
        all.sort { $0.anchor < $1.anchor }
        var carried = CarriedClusters()
        carried.candidateOfPoint = [UInt32](repeating: 0, count: quadtree.unclustered.lowerBound)
        for (number, candidate) in all.enumerated() {
            carried.anchorPoint.append(candidate.anchor)
            carried.pointCounts.append(candidate.cluster?.pointCount ?? 1)
            let weight: UInt64 =
                if let cluster = candidate.cluster {
                    standing.weights.isEmpty ? UInt64(cluster.pointCount) : UInt64(cluster.aggregates.weight)
                } else {
                    standing.weight(of: Int(candidate.anchor))
                }
            carried.weights.append(weight)
            carried.points += candidate.points
            carried.firstPoint.append(UInt32(carried.points.count))
            for point in candidate.points { carried.candidateOfPoint[Int(point)] = UInt32(number) }
            if let cluster = candidate.cluster { carried.clusters.append(cluster) }
        }
        assert(
            {
                carried.checkInvariants()
                return true
            }())
        return carried
    }
}

/// What the parts say of all points together.
struct JoinedFacts {
    let facts: TilesetFacts

    /// - Parameters:
    ///   - categories: as in ``JoinedPoints/carried(_:_:_:_:)``.
    ///   - columns: a report with the columns.
    init(
        _ parts: [OpenedPart], _ content: ClusterContent, _ categories: [[[UInt32]]], _ columns: InputReport
    ) throws {
        var report = InputReport()
        report.columns = columns.columns
        report.renamedColumns = columns.renamedColumns
        var rowsDigest: UInt64 = 0
        var totals = Aggregates(of: content.values)
        for (part, categories) in zip(parts, categories) {
            let input = part.manifest.input
            report.rowsRead += input.rowsRead
            report.rowsAccepted += input.rowsAccepted
            report.rowsClamped += input.rowsClamped
            for (reason, count) in input.rowsSkipped {
                guard let problem = RowProblem(rawValue: reason) else { continue }
                report.rowsSkipped[problem, default: 0] += count
            }
            rowsDigest &+= UInt64(input.digest) ?? 0
            totals.append(
                try part.totals(measureCount: content.values.measures.count, categories: categories))
        }
        report.digest = InputReport.digest(ofRows: rowsDigest, key: RowSyntax.geoJSON.key)
        totals.begin()
        for index in parts.indices { totals.merge(index) }
        totals.finish()
        let boxes = parts.compactMap(\.bounds)
        facts = TilesetFacts(
            report: report,
            bounds: BoundingBox(
                west: boxes.map(\.west).min() ?? 0, south: boxes.map(\.south).min() ?? 0,
                east: boxes.map(\.east).max() ?? 0, north: boxes.map(\.north).max() ?? 0),
            totals: content.totals(
                totals, of: parts.count,
                unclusteredPoints: parts.reduce(0) { $0 + $1.manifest.unclusteredPoints }))
    }
}
