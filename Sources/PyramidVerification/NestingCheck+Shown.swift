import PyramidTiles

/// What can be told where tiles don't have exact places: a point may be shown at one of up to four places by the zoom above,
/// and lie in one of up to four cells. So, as with `NestingCheck+Reach`, these are necessary conditions.
extension NestingCheck {
    private struct ShownPoint: Hashable {
        let identity: UInt64
        let code: UInt64
    }

    /// A single point stays one: for each point of ``coarse``, ``fine`` has one with the same id that can be at its place.
    /// Points without ids must be at least as many.
    mutating func checkShownPoints() {
        var wanted: [ShownPoint: (count: Int, found: Int)] = [:]
        for record in coarse.records where record.isPoint {
            wanted[ShownPoint(identity: record.identity, code: record.code), default: (0, 0)].count += 1
        }
        for (index, record) in fine.records.enumerated() where record.isPoint {
            for code in codesAbove(record) {
                let point = ShownPoint(identity: record.identity, code: code)
                guard wanted[point]?.count ?? 0 > 0 else { continue }
                wanted[point]?.found += 1
                if record.identity == 0 { mayBeShownAlready[index] = true } else { isShownAlready[index] = true }
            }
        }
        for (index, record) in coarse.records.enumerated() where record.isPoint {
            let point = ShownPoint(identity: record.identity, code: record.code)
            guard let (count, found) = wanted[point], found < count else { continue }
            add(.wrongNesting, index, "is not there at zoom \(fine.zoom)")
            wanted[point] = nil
        }
        guard coarse.zoom > options.clusterMaxZoom else { return }
        for (index, record) in fine.records.enumerated()
        where record.isPoint && !isShownAlready[index] && !mayBeShownAlready[index] {
            add(.wrongNesting, fine: index, "is not there at zoom \(coarse.zoom)")
        }
    }

    /// Where the zoom above can show a marker.
    private func codesAbove(_ record: ZoomMarkers.Record) -> Set<UInt64> {
        let places = precision.places(shownAs: MortonCode(rawValue: record.code), atZoom: fine.zoom)
        return Set(places.corners.map { MortonCode(MVTPlace.shown($0, atZoom: coarse.zoom)).rawValue })
    }

    /// The `grid` method: ids tell the cells of clusters, and no cluster has fewer points than the markers that can only be in
    /// its cell, or more than all that can be there.
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
