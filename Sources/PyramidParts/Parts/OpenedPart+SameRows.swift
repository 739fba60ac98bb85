import PyramidInput
import PyramidStore
import PyramidTiles

extension ByteBuffer {
    /// In the order of the Z curve: for each cell, the difference of its node to the one before, its number of rows, and
    /// their digest.
    mutating func append(_ digests: CellDigests) {
        var last: UInt64 = 0
        for (node, cell) in digests.cells.sorted(by: { $0.key < $1.key }) {
            append(varint: node - last)
            append(varint: UInt64(cell.rowCount))
            append(littleEndian: cell.digest, byteCount: 8)
            last = node
        }
    }
}

/// The cells of a part's own rows, or of those in its halo.
private struct PartCells {
    /// Ascending.
    var nodes: [UInt64] = []
    var cells: [CellDigests.Total] = []

    mutating func append(_ node: UInt64, _ cell: CellDigests.Total) {
        nodes.append(node)
        cells.append(cell)
    }
}

extension OpenedPart {
    private var digestZoom: Int { manifest.options.clustering.digestZoom(cutZoom: manifest.cutZoom) }

    /// The cells of the part's own rows near its border, or of its halo.
    fileprivate func cells(ofHalo: Bool) throws(StoreError) -> PartCells {
        var reader = PartBytes(try file.section(PartSection.cells))
        var cells = PartCells()
        var last: UInt64?
        while !reader.isAtEnd {
            guard let difference = reader.varint(), let count = reader.count(), let digest = reader.word(),
                case let (node, isTooGreat) = (last ?? 0).addingReportingOverflow(difference), !isTooGreat,
                node >> UInt64(2 * digestZoom) == 0, difference > 0 || last == nil
            else { throw file.damaged("has digests of rows that can't be read") }
            last = node
            if tile.contains(node: node, atZoom: digestZoom) != ofHalo {
                cells.append(node, .init(rowCount: count, digest: digest))
            }
        }
        return cells
    }

    /// - Parameters:
    ///   - owned: the cells of all parts' own rows.
    ///   - owner: the part that has a cell's rows.
    /// - Throws: `StoreError` if two parts have read different rows of a tile that both need.
    fileprivate func requireHalo(
        _ owned: PartCells, zoom: Int, owner: (_ node: UInt64) -> OpenedPart?
    ) throws(StoreError) {
        let halo = try cells(ofHalo: true)
        var next = 0
        func requireNext(upTo node: UInt64?, _ cell: CellDigests.Total) throws(StoreError) {
            let found = next < halo.nodes.count ? halo.nodes[next] : nil
            if found == node, node == nil || halo.cells[next] == cell { return next += 1 }
            let differing = min(found ?? .max, node ?? .max)
            let copies = found == differing ? halo.cells[next].rowCount : 0
            let rows = node == differing ? cell.rowCount : 0
            let other = owner(differing)?.path ?? "no part"
            let inTile = "in tile \(TileCoordinate(node: differing, atZoom: zoom))"
            throw StoreError(
                path: path,
                reason: .damaged(
                    (copies == rows
                        ? "has other rows \(inTile) than \(other)"
                        : "has \(NumberText.counted(copies, "row")) \(inTile), of which \(other) has \(rows)")
                        + ": the input changed between the parts; build all of them again from one unchanged input"))
        }
        let haloUnits = manifest.options.clustering.partHaloUnits(cutZoom: manifest.cutZoom)
        let area = PartArea(tile, haloUnits: haloUnits)
        try area.forEachRange(of: owned.nodes, atZoom: zoom) { range throws(StoreError) in
            for index in range where !tile.contains(node: owned.nodes[index], atZoom: zoom) {
                try requireNext(upTo: owned.nodes[index], owned.cells[index])
            }
        }
        try requireNext(upTo: nil, CellDigests.Total())
    }
}

extension TileCoordinate {
    /// Whether the tile contains a tile of a higher zoom.
    fileprivate func contains(node: UInt64, atZoom zoom: Int) -> Bool { node >> UInt64(2 * (zoom - z)) == self.node }
}

extension [OpenedPart] {
    /// - Throws: `StoreError` if a row that several parts have read isn't the same in all of them.
    func requireSameRows() throws(StoreError) {
        guard let manifest = first?.manifest else { return }
        let zoom = manifest.options.clustering.digestZoom(cutZoom: manifest.cutZoom)
        var owned = PartCells()
        for part in self {
            let own = try part.cells(ofHalo: false)
            owned.nodes += own.nodes
            owned.cells += own.cells
        }
        for part in self {
            try part.requireHalo(owned, zoom: zoom) { node in
                first { $0.tile.contains(node: node, atZoom: zoom) }
            }
        }
    }
}
