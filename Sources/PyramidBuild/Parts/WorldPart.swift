import PyramidTiles

/// A part of the world that is built apart from the others, to be joined with them.
///
/// It writes the tiles of the zooms beyond the cut zoom, and hands over the markers of the cut zoom, from which the join
/// makes all others.
public struct WorldPart: Equatable, Sendable {
    /// The tile whose points are the part's own; parts of different zooms can make up the world.
    public var tile: TileCoordinate
    /// The last zoom that the join writes, the same for all parts.
    public var cutZoom: Int

    public init(tile: TileCoordinate, cutZoom: Int) {
        self.tile = tile
        self.cutZoom = cutZoom
    }
}

extension BuildOptions {
    /// The first option that a part can't have, or that parts need.
    var partProblem: OptionMessage? {
        guard let part else { return nil }
        if input.schema == nil {
            return "\(.part) sees only some rows, expected \(.schema), which says what the columns of all are"
        }
        if choosesMaxZoom { return "\(.part) can't see which zoom suits all points, expected \(.maxZoom) with a number" }
        if !input.types.isEmpty { return "\(.types) is for CSV, and \(.part) reads GeoJSON, expected \(.schema) alone" }
        if previewPage != nil { return "\(.preview) makes a page of the whole tileset, expected no \(.part)" }
        if storage.bundleLimit != nil { return "\(.bundle) is not there for parts yet, expected no \(.part)" }
        if clustering.position == .nearest {
            return "\(.position) nearest needs every point of a cell at every zoom, expected another with \(.part)"
        }
        let zooms = clustering.minZoom...max(clustering.minZoom, clustering.clusterMaxZoom - 1)
        if !zooms.contains(part.cutZoom) || clustering.clusterMaxZoom <= clustering.minZoom {
            return "\(.cutZoom) is \(part.cutZoom), expected \(zooms.lowerBound) to \(zooms.upperBound): from the min zoom "
                + "to one before the last zoom with clusters"
        }
        if part.tile.z > part.cutZoom {
            return "\(.part) is \(part.tile), expected a tile of zoom \(part.cutZoom), the cut zoom, or above"
        }
        return nil
    }

    /// The options of reading the rows of a part.
    func reading(_ part: WorldPart) -> BuildOptions {
        var options = self
        options.input.area = PartArea(part.tile, haloUnits: clustering.haloUnits(cutZoom: part.cutZoom))
        return options
    }
}
