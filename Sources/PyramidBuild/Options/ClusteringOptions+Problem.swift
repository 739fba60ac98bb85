import PyramidTiles

extension ClusteringOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        switch fault {
        case .position:
            let allowed = ClusteringOptions.positions(of: method).map(\.rawValue).joined(separator: ", ")
            return "\(.position) is \"\(position.rawValue)\", expected \(allowed) with \(.method) \(method.rawValue)"
        case .tileSize: return "\(.tileSize) is \(tileSize), expected 256 or 512"
        case .clusterDistance(let distance):
            return "\(.clusterDistance) is \(distance), expected \(pixels(ClusteringOptions.distances))"
        case .cellSize(let size):
            return "\(.cellSize) is \(size), expected a power of two from \(pixels(ClusteringOptions.cellSizes))"
        case .filterWithoutAnchors:
            return "\(.mode) filter needs \(.method) anchors, \(.position) anchor and \(.minPoints) 2"
        case .filterWithCoincidentLimit:
            return "\(.coincidentLimit) can't be used with \(.mode) filter, which writes no clusters"
        case .coincidentLimit:
            return "\(.coincidentLimit) is \(coincidentLimit ?? 0), expected \(leastCoincidentLimit) or more"
                + (minPoints > 2 ? ", because \(.minPoints) is \(minPoints)" : "")
        case .countWithoutFilter: return "\(.keepCount) needs \(.mode) filter"
        case .minPoints: return "\(.minPoints) is \(minPoints), expected 2 or more"
        case .maxZoom: return "\(.maxZoom) is \(maxZoom), expected 0 to 23"
        case .minZoom: return "\(.minZoom) is \(minZoom), expected 0 to \(maxZoom), the max zoom"
        case .clusterMaxZoom:
            return "\(.clusterMaxZoom) is \(clusterMaxZoom), expected -1 to \(maxZoom - 1), one less than the max zoom"
        case .tooClose(let zoom):
            let measure: OptionMessage =
                method == .anchors
                ? "\(.clusterDistance) is \(clusterDistance[zoom])" : "\(.cellSize) is \(cellSize[zoom])"
            return "\(measure) at zoom \(zoom), too small for distinct cluster ids; "
                + "use a greater one, or \(.clusterMaxZoom) \(zoom - 1)"
        case .insetInSmallerCell(let zoom):
            return "\(.clusterDistance) is \(clusterDistance[zoom]), "
                + "expected at most the cell size (\(cellSize[zoom])) with \(.position) inset"
        case .smallCells(let zoom):
            return "\(.cellSize) is \(cellSize[zoom]) at zoom \(zoom), "
                + "expected at least \(cellSize[zoom + 1] / 2), half of that at zoom \(zoom + 1)"
        case nil: return nil
        }
    }

    private func pixels(_ range: ClosedRange<Int>) -> OptionMessage {
        let scaled = scaled(range)
        let measure: OptionMessage = tileSize == 256 ? "" : " with \(.tileSize) \(tileSize)"
        return "\(scaled.lowerBound) to \(scaled.upperBound) pixels\(measure)"
    }
}

extension OptionName {
    public static var method: OptionName { OptionName() }
    public static var mode: OptionName { OptionName() }
    public static var keepCount: OptionName { OptionName() }
    public static var position: OptionName { OptionName() }
    public static var clusterDistance: OptionName { OptionName() }
    public static var cellSize: OptionName { OptionName() }
    public static var minPoints: OptionName { OptionName() }
    public static var coincidentLimit: OptionName { OptionName() }
    public static var tileSize: OptionName { OptionName() }
    public static var minZoom: OptionName { OptionName() }
    public static var maxZoom: OptionName { OptionName() }
    public static var clusterMaxZoom: OptionName { OptionName() }
    public static var priority: OptionName { OptionName() }
    public static var weight: OptionName { OptionName() }
    public static var groupBy: OptionName { OptionName() }
    public static var unclustered: OptionName { OptionName() }
}
