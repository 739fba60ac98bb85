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
        var rowCounts = [Int](repeating: 0, count: parts.count)
        for start in points.rowStarts { rowCounts[points.inputs.position(of: start).input] += 1 }
        for (part, count) in zip(parts, rowCounts) where count != part.manifest.rowCount {
            throw StoreError(
                path: part.path,
                reason: .damaged("hands over \(count) rows that can be read, expected \(part.manifest.rowCount)"))
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

    private static func misfit(_ part: OpenedPart) -> StoreError {
        StoreError(path: part.path, reason: .damaged("has markers that don't fit its rows; build the part again"))
    }

    /// The markers of the cut zoom.
    /// - Parameter categories: by part and by column of which values are counted: the number of each of the part's texts.
    func carried(
        _ parts: [OpenedPart], _ content: ClusterContent, _ standing: PointStanding, _ categories: [[[UInt32]]]
    ) throws -> CarriedClusters {
        let clusteredCount = quadtree.unclustered.lowerBound
        var isTaken = [Bool](repeating: false, count: clusteredCount)
        var all: [(anchor: UInt32, points: [UInt32], cluster: CarriedCluster?)] = []
        var base = 0
        for (part, categories) in zip(parts, categories) {
            let candidates = try part.candidates(
                measureCount: content.values.measures.count, categories: categories)
            for candidate in candidates {
                let anchor = pointOfRow[base + candidate.anchorRow]
                let points = candidate.rows.map { pointOfRow[base + $0] }.sorted()
                guard part.tile.codes.contains(quadtree.codes[Int(anchor)]),
                    points.allSatisfy({ $0 < clusteredCount && !isTaken[Int($0)] })
                else { throw JoinedPoints.misfit(part) }
                for point in points { isTaken[Int(point)] = true }
                all.append((anchor, points, candidate.cluster))
            }
            for row in base..<base + part.manifest.rowCount {
                let point = Int(pointOfRow[row])
                guard point >= clusteredCount || isTaken[point] else { throw JoinedPoints.misfit(part) }
            }
            base += part.manifest.rowCount
        }
        all.sort { $0.anchor < $1.anchor }
        var carried = CarriedClusters()
        carried.candidateOfPoint = [UInt32](repeating: 0, count: clusteredCount)
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
        let boxes = parts.compactMap(\.manifest.boundingBox)
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
