import PyramidTiles

/// The `grid` method: a marker belongs to the cell that contains its anchor, and the points of a cell form one cluster,
/// or stand alone if there are too few. This is checked exactly.
extension NestingCheck {
    mutating func checkGridNesting() {
        let depth = min(32, options.cellDepth(atZoom: coarse.zoom))
        let coarseAnchors = anchors(of: coarse)
        let fineAnchors = anchors(of: fine)
        var nextCoarse = 0
        var nextFine = 0
        while nextCoarse < coarseAnchors.count || nextFine < fineAnchors.count {
            let node =
                [coarseAnchors[from: nextCoarse], fineAnchors[from: nextFine]]
                .compactMap { $0?.code.node(atDepth: depth) }.min() ?? 0
            let shown = coarseAnchors.run(from: &nextCoarse) { $0.code.node(atDepth: depth) == node }
            let members = fineAnchors.run(from: &nextFine) { $0.code.node(atDepth: depth) == node }
            checkCell(node, depth: depth, shown, members)
        }
    }

    private mutating func checkCell(
        _ node: UInt64, depth: Int, _ shown: ArraySlice<Anchor>, _ members: ArraySlice<Anchor>
    ) {
        guard let first = shown.first else {
            if let member = members.first {
                add(.wrongNesting, fine: member.marker, "has no marker for its cell at zoom \(coarse.zoom)")
            }
            return
        }
        let cluster = shown.first { !coarse.records[$0.marker].isPoint }
        let marker = (cluster ?? first).marker
        var tally = MemberTally(in: coarse.boundingBox(marker))
        for member in members {
            tally.add(fine.boundingBox(member.marker), pointCount: fine.pointCount(member.marker))
            if cluster != nil, !parents.isEmpty { parents[member.marker] = Int32(truncatingIfNeeded: marker) }
        }
        if cluster != nil {
            if shown.count > 1 {
                add(.wrongNesting, marker, "shares its cell with \(shown.count - 1) markers, expected none")
            } else {
                check(tally, of: marker)
            }
        } else {
            // ``checkPoints()`` has found each of these points at the higher zoom, so counting them is enough.
            if shown.count != tally.pointCount {
                add(
                    .wrongNesting, marker,
                    "is one of \(shown.count) points of its cell, which has \(tally.pointCount) at zoom \(fine.zoom)")
            }
            if shown.count >= options.minPoints {
                add(.wrongNesting, marker, "is one of \(shown.count) points of its cell, expected a cluster")
            }
        }
        if placesAreInCells, cluster != nil,
            MortonCode(rawValue: coarse.records[marker].code).node(atDepth: depth) != node
        {
            add(.wrongNesting, marker, "is outside the cell that its id names")
        }
    }

    /// Whether clusters are strictly inside their cells. Rounding to a microdegree can move a mean out of its cell, and
    /// an inset place if no distance is promised.
    private var placesAreInCells: Bool {
        let promise = options.promisedDistanceUnits(atZoom: coarse.zoom) ?? 0
        return options.position == .nearest || options.position == .inset && promise > 0
    }

    /// The place that decides which cell a marker's points count in.
    struct Anchor {
        let code: MortonCode
        let marker: Int
    }

    /// The anchors of all markers, sorted by code. At unclustered zooms, clusters are at their anchors.
    func anchors(of markers: ZoomMarkers) -> [Anchor] {
        let anchors = markers.records.enumerated().map { Anchor(code: anchor(of: $1, in: markers), marker: $0) }
        return anchors.sorted { ($0.code, $0.marker) < ($1.code, $1.marker) }
    }

    func anchor(of record: ZoomMarkers.Record, in markers: ZoomMarkers) -> MortonCode {
        markers.zoom > options.clusterMaxZoom ? MortonCode(rawValue: record.code) : record.anchor
    }
}

extension [NestingCheck.Anchor] {
    fileprivate subscript(from index: Int) -> Element? { index < count ? self[index] : nil }

    /// The elements from `start` for which the test holds; moves `start` past them.
    fileprivate func run(from start: inout Int, while isInRun: (Element) -> Bool) -> ArraySlice<Element> {
        let run = self[start...].prefix(while: isInRun)
        start = run.endIndex
        return run
    }
}
