import PyramidTiles

/// What can be checked if tiles don't store exact places. The lower zoom may show a point at any of up to four places,
/// and the point may be in any of up to four cells. So, as in `NestingCheck+Reach`, the conditions are necessary, but
/// not sufficient.
extension NestingCheck {
    private struct ShownPoint: Hashable {
        let identity: UInt64
        let code: UInt64
    }

    /// Checks that a single point stays one: for each point of ``coarse``, ``fine`` has one with the same id that can
    /// be at its place. There must be at least as many points without ids.
    mutating func checkShownPoints() {
        var wanted: [ShownPoint: (count: Int, found: Int)] = [:]
        for record in coarse.records where record.isPoint {
            wanted[ShownPoint(identity: record.identity, code: record.code), default: (0, 0)].count += 1
        }
        for (index, record) in fine.records.enumerated() where record.isPoint {
            for code in coarseCodes(of: record) {
                let point = ShownPoint(identity: record.identity, code: code)
                guard wanted[point]?.count ?? 0 > 0 else { continue }
                wanted[point]?.found += 1
                if record.identity == 0 { mayBeShownAlready[index] = true } else { isShownAlready[index] = true }
            }
        }
        for (index, record) in coarse.records.enumerated() where record.isPoint {
            let point = ShownPoint(identity: record.identity, code: record.code)
            guard let (count, found) = wanted[point], found < count else { continue }
            add(.wrongNesting, index, "is missing at zoom \(fine.zoom)")
            wanted[point] = nil
        }
        guard coarse.zoom > options.clusterMaxZoom else { return }
        for (index, record) in fine.records.enumerated()
        where record.isPoint && !isShownAlready[index] && !mayBeShownAlready[index] {
            add(.wrongNesting, fine: index, "is missing at zoom \(coarse.zoom)")
        }
    }

    /// The places at which ``coarse`` can show a marker of ``fine``.
    private func coarseCodes(of record: ZoomMarkers.Record) -> Set<UInt64> {
        let places = precision.places(shownAs: MortonCode(rawValue: record.code), atZoom: fine.zoom)
        return Set(places.corners.map { MortonCode(MVTPlace.shown($0, atZoom: coarse.zoom)).rawValue })
    }

    /// The `grid` method. Ids tell the cells of clusters. A cluster has at least the points of the markers that can
    /// only be in its cell, and at most those of all markers that can be in it.
    mutating func checkShownGridNesting() {
        let depth = min(32, options.cellDepth(atZoom: coarse.zoom))
        let clusters = anchors(of: coarse).filter { !coarse.records[$0.marker].isPoint }
        let nodes = clusters.map { $0.code.node(atDepth: depth) }
        var counts = PossibleCounts(clusterCount: clusters.count)
        for anchor in anchors(of: fine) where !isShownAlready[anchor.marker] {
            var possible = [anchor.code.point]
            if fine.records[anchor.marker].isPoint || fine.zoom > options.clusterMaxZoom {
                possible = precision.places(shownAs: anchor.code, atZoom: fine.zoom).corners
            }
            let cells = Set(possible.map { MortonCode($0).node(atDepth: depth) })
            let parents = cells.compactMap { cell -> Int? in
                let index = nodes.partitioningIndex { $0 >= cell }
                return index < nodes.count && nodes[index] == cell ? index : nil
            }
            let isShown = mayBeShownAlready[anchor.marker]
            counts.add(fine.pointCount(anchor.marker), toOneOf: parents, isCertain: !isShown)
            if parents.isEmpty, !isShown {
                add(.wrongNesting, fine: anchor.marker, "has no cluster for its cell at zoom \(coarse.zoom)")
            }
        }
        for (place, cluster) in clusters.enumerated() {
            if place > 0, nodes[place] == nodes[place - 1] {
                add(.wrongNesting, cluster.marker, "shares its cell with another cluster, expected none")
            } else {
                check(cluster, counts[place])
            }
        }
    }
}
