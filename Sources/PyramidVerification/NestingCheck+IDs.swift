import PyramidTiles

/// What can be checked if tiles store rounded places: what ids tell. Only the input can prove the rest.
extension NestingCheck {
    /// Checks that a single point with an id stays one: each point of ``coarse`` is in ``fine``, not farther away than rounding
    /// can move it. At unclustered zooms, both have the same ids.
    mutating func checkPointIDs() {
        let units = precision.distanceUnits(atZoom: coarse.zoom) + precision.distanceUnits(atZoom: fine.zoom) + 1
        var places: [UInt64: UInt64] = [:]
        for record in coarse.records where record.isPoint && record.identity != 0 {
            places[record.identity] = record.code
        }
        for (index, record) in fine.records.enumerated() where record.isPoint && record.identity != 0 {
            if let place = places[record.identity], isCloser(place, record.code, than: units) {
                places[record.identity] = nil
                isShownAlready[index] = true
            } else if coarse.zoom > options.clusterMaxZoom {
                add(.wrongNesting, fine: index, "is missing at zoom \(coarse.zoom)")
            }
        }
        guard !places.isEmpty else { return }
        for (index, record) in coarse.records.enumerated()
        where record.isPoint && places[record.identity] == record.code {
            add(.wrongNesting, index, "is missing at zoom \(fine.zoom)")
        }
    }

    private func isCloser(_ one: UInt64, _ other: UInt64, than units: UInt64) -> Bool {
        MortonCode(rawValue: one).point.isCloser(than: units, to: MortonCode(rawValue: other).point)
    }

    /// Checks that no cell has two clusters, with the `grid` method. Ids tell the cells.
    mutating func checkCells() {
        let depth = min(32, options.cellDepth(atZoom: coarse.zoom))
        let clusters = anchors(of: coarse).filter { !coarse.records[$0.marker].isPoint }
        for (one, other) in zip(clusters, clusters.dropFirst())
        where one.code.node(atDepth: depth) == other.code.node(atDepth: depth) {
            add(.wrongNesting, other.marker, "shares its cell with another cluster, expected none")
        }
    }
}
