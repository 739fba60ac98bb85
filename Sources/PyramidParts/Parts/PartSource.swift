import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// What the parts hand over: the markers of the cut zoom, the rows that are needed to cluster them, and files.
struct PartSource: CandidateSource {
    let parts: [OpenedPart]
    /// By part: the files it has written.
    let files: [[PartFile.Entry]]
    let options: BuildOptions
    let points: PointTable
    let quadtree: LinearQuadtree
    /// By row, part after part: the index of its point.
    private let pointOfRow: [UInt32]
    /// By part and by counted column: the values in the part.
    let texts: [CountedTexts]
    /// What a build that joins its own parts has: the inputs, without rows, and the list of the files that the parts have
    /// written to the tileset. `nil` if other processes have built the parts.
    let own: (table: PointTable, collector: FileListCollector)?

    var collector: FileListCollector? { own?.collector }

    /// Reads and sorts the rows.
    /// - Parameters:
    ///   - parts: all parts of the world, in the order of the Z curve.
    ///   - options: the parts' options, with those of the join.
    init(
        _ parts: [OpenedPart], of own: (table: PointTable, collector: FileListCollector)? = nil,
        _ options: BuildOptions, _ progress: @escaping (BuildProgress) -> Void
    ) throws {
        (self.parts, self.options, self.own) = (parts, options, own)
        if own == nil { try parts.requireSameRows() }
        files = try own == nil ? parts.checkedFiles(jobs: options.jobs) : parts.map { try $0.file.entries() }
        try parts.requireFittingBundles(files)
        if own == nil { try parts.requireDistinctIDs(.small(beside: options.outputPath)) }
        var points = try own?.table.with(parts.places()) ?? parts.readRows(options, progress)
        progress(.sorting(points: points.count))
        let groups = try PointGroups(options.clustering, of: points)
        let (quadtree, order) = points.sort(in: groups, jobs: options.jobs)
        var pointOfRow = [UInt32](repeating: 0, count: points.count)
        for (point, row) in order.enumerated() { pointOfRow[Int(row)] = UInt32(point) }
        self.points = points
        self.quadtree = quadtree
        self.pointOfRow = pointOfRow
        texts = try parts.map { try $0.texts() }
    }

    /// The files that hold the rows.
    var inputs: [InputBytes] { own?.table.inputs.inputs ?? parts.compactMap(\.input) }

    var knownTexts: CountedTexts {
        CountedTexts(
            ofColumns: options.clusters.countBy.indices.map { column in texts.flatMap { $0.ofColumns[column] } },
            combinations: texts.flatMap(\.combinations))
    }

    /// By part and by counted column: the number in ``ClusterContent`` of each of the part's values.
    private func categories(_ content: ClusterContent) -> [[[UInt32]]] {
        texts.map { ofPart in
            zip(ofPart.ofColumns + [ofPart.combinations], content.countedTexts).map { texts, column in
                texts.map { column.number(of: $0) ?? 0 }
            }
        }
    }

    private static func misfit(_ part: OpenedPart) -> StoreError {
        StoreError(path: part.path, reason: .damaged("has markers that don't match its rows; build the part again"))
    }

    /// The markers of the cut zoom.
    func candidates(_ content: ClusterContent, _ precedence: PointPrecedence) throws -> Candidates? {
        let clusteredCount = quadtree.unclustered.lowerBound
        var isTaken = [Bool](repeating: false, count: clusteredCount)
        var all: [(anchor: UInt32, points: [UInt32], cluster: KnownCluster?)] = []
        var base = 0
        for (part, categories) in zip(parts, categories(content)) {
            let candidates = try part.candidates(
                measureCount: content.values.measures.count, categories: categories)
            for candidate in candidates {
                let anchor = pointOfRow[base + candidate.anchorRow]
                let points = candidate.rows.map { pointOfRow[base + $0] }.sorted()
                guard part.tile.codes.contains(quadtree.codes[Int(anchor)]),
                    points.allSatisfy({ $0 < clusteredCount && !isTaken[Int($0)] })
                else { throw PartSource.misfit(part) }
                for point in points { isTaken[Int(point)] = true }
                all.append((anchor, points, candidate.cluster))
            }
            for row in base..<base + part.manifest.rowCount {
                let point = Int(pointOfRow[row])
                guard point >= clusteredCount || isTaken[point] else { throw PartSource.misfit(part) }
            }
            base += part.manifest.rowCount
        }
        all.sort { $0.anchor < $1.anchor }
        var handedOver = Candidates()
        for candidate in all {
            let weight: UInt64 =
                if let cluster = candidate.cluster {
                    precedence.weights.isEmpty ? UInt64(cluster.pointCount) : UInt64(cluster.aggregates.weight)
                } else {
                    precedence.weight(of: Int(candidate.anchor))
                }
            handedOver.append(
                candidate.anchor, points: candidate.points, candidate.cluster,
                isAlone: candidate.cluster?.isAlone ?? true, weight: weight, in: quadtree, precedence: precedence)
        }
        try parts.requireAllPoints(in: handedOver)
        assert(
            {
                handedOver.checkInvariants()
                return true
            }())
        return handedOver
    }

    func facts(_ content: ClusterContent) throws -> TilesetFacts {
        var report = InputReport()
        report.columns = points.report.columns
        report.renamedColumns = points.report.renamedColumns
        var rowsDigest: UInt64 = 0
        var totals = Aggregates(of: content.values)
        for (part, categories) in zip(parts, categories(content)) {
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
        report.digest = InputReport.digest(ofRows: rowsDigest, key: RowSyntax.geoJSON(hasRepeatedNames: false).key)
        if let own { report = own.table.report }
        totals.begin()
        for index in parts.indices { totals.merge(index) }
        totals.finish()
        let boxes = parts.compactMap(\.manifest.boundingBox)
        return TilesetFacts(
            report: report,
            bounds: boxes.dropFirst().reduce(boxes.first ?? BoundingBox(west: 0, south: 0, east: 0, north: 0)) {
                $0.union($1)
            },
            totals: content.totals(
                totals, of: parts.count,
                unclusteredPoints: parts.reduce(0) { $0 + $1.manifest.unclusteredPoints }),
            facets: content.facets?.total(of: parts.count, totals))
    }
}
