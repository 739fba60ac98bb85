import PyramidTiles

/// How many places stand alone at each zoom, counted part by part to choose the max zoom.
struct PartwiseSeparation {
    /// `nil` if nothing can be clustered.
    let separation: PlaceSeparation?
    private(set) var tiles = TileCounts(codes: [])

    /// - Parameter options: cluster all zooms among which to choose.
    init(
        _ options: BuildOptions, _ plan: PartPlan, _ table: PointTable, _ spool: RowSpool,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) throws {
        let work = SharedWork(jobs: options.jobs)
        let rules = ClusteringRules(options.clustering, span: .from(cutZoom: plan.cutZoom))
        var parts: [PlaceSeparation] = []
        var rows = AcceptedRows()
        /// By row: the marker's weight, and whether it is one place alone.
        var markers: [(weight: UInt64, isAlone: Bool)] = []
        var done = 0
        let all = plan.parts.reduce(0) { $0 + $1.rowsWithHalo }
        for part in plan.partsWithTiles(options.clustering) {
            let area = PartArea(part.tile, haloUnits: plan.haloUnits)
            var points = table.with(spool.rows(in: area), in: area)
            let source = try InputSource(&points, area: area, options) { _ in }
            progress(.counting(rows: done, of: all))
            let (quadtree, codes) = (source.quadtree, part.tile.codes)
            let precedence = try PointPrecedence.reading(options.clustering, of: source.points).precedence
            tiles.append(TileCounts(codes: quadtree.codes.filter(codes.contains).sorted()[...]))
            guard let hierarchy = rules.hierarchy(of: quadtree, precedence: precedence, work: work) else { continue }
            parts.append(PlaceSeparation(of: hierarchy, in: quadtree, rules, codes: codes))
            let together = hierarchy.lastZoomsTogether
            let weights = hierarchy.weights(precedence, jobs: options.jobs)
            for candidate in 0..<hierarchy.candidateCount
            where hierarchy.isAnchor(candidate, atZoom: plan.cutZoom) {
                let anchor = Int(hierarchy.anchorPoint[candidate])
                guard codes.contains(quadtree.codes[anchor]) else { continue }
                rows.append(
                    longitude: source.points.longitudes[anchor], latitude: source.points.latitudes[anchor],
                    start: source.points.rowStarts[anchor])
                let isAlone =
                    together[candidate] == ClusterHierarchy.neverJoins
                    && quadtree.isOnePlace(hierarchy.points(of: candidate))
                markers.append((weights[candidate], isAlone))
            }
            done += part.rowsWithHalo
        }
        var points = table.with(rows)
        let groups = try PointGroups(options.clustering, of: points)
        let (quadtree, order) = points.sort(in: groups, jobs: options.jobs)
        let precedence = try PointPrecedence.reading(options.clustering, of: points).precedence
        var handedOver = Candidates()
        for (point, row) in order.enumerated().prefix(quadtree.unclustered.lowerBound) {
            let marker = markers[Int(row)]
            handedOver.append(
                UInt32(point), points: [UInt32(point)], nil, isAlone: marker.isAlone, weight: marker.weight,
                in: quadtree, precedence: precedence)
        }
        let joinRules = ClusteringRules(options.clustering, span: .before(cutZoom: plan.cutZoom))
        let hierarchy = joinRules.hierarchy(of: quadtree, handedOver, precedence: precedence, work: work)
        separation =
            parts.isEmpty
            ? nil
            : hierarchy.map {
                PlaceSeparation(parts: parts, join: PlaceSeparation(of: $0, in: quadtree, joinRules))
            }
    }
}

extension ClusterHierarchy {
    /// By candidate: the weight of its points and of the candidates that have joined it.
    fileprivate func weights(_ precedence: PointPrecedence, jobs: Int) -> [UInt64] {
        var weights = (0..<candidateCount).map { candidate in
            points(of: candidate).reduce(UInt64(0)) { $0 + precedence.weight(of: $1) }
        }
        let joins = ClusterJoins(of: self, jobs: jobs)
        for index in 0..<joins.count { weights[joins.parent(index)] += weights[Int(joins.candidates[index])] }
        return weights
    }
}
