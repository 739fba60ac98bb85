import PyramidTiles

/// Finds the places around one place after another; places in Morton order are found quickly, because they share cells.
struct NearSearch {
    let index: CellIndex
    /// The places in the three by three cells around the last place, by their indices.
    private(set) var near: [Int] = []
    private var node: UInt64?
    private var isWithinLimit = true
    private var hint = 0

    init(index: CellIndex) {
        self.index = index
    }

    /// Sets ``near``; `false` where more places are there than any sound zoom level can have, so that no arrangement of
    /// markers makes a search slow.
    mutating func move(to code: MortonCode) -> Bool {
        let node = code.node(atDepth: index.depth)
        if self.node == node { return isWithinLimit }
        self.node = node
        near.removeAll(keepingCapacity: true)
        isWithinLimit = true
        index.forEachCell(around: node, from: &hint) { cell in
            let places = index.places(ofCell: cell)
            isWithinLimit = isWithinLimit && near.count + places.count <= CellIndex.placesLimit
            if isWithinLimit { near.append(contentsOf: places) }
        }
        return isWithinLimit
    }
}

extension CellIndex {
    /// More places than this can't stand in three by three cells. Cells are less than 7 cluster distances wide
    /// (`NestingCheck+Reach`), and a square of 1/√2 of the distance holds one place: 30 by 30.
    static let placesLimit = 1024
}
