import PyramidTiles

extension BuildOptions {
    /// The first option that a part can't have, or that parts need.
    var partProblem: OptionMessage? {
        guard let part else { return nil }
        if input.schema == nil {
            return "\(.part) sees only some rows, expected \(.schema), which says what the columns of all are"
        }
        if choosesMaxZoom {
            return "\(.part) can't see which zoom suits all points, expected \(.maxZoom) with a number"
        }
        if !input.types.isEmpty { return "\(.types) is for CSV, and \(.part) reads GeoJSON, expected \(.schema) alone" }
        if previewPage != nil { return "\(.preview) makes a page of the whole tileset, expected no \(.part)" }
        if clustering.position == .nearest {
            return "\(.position) nearest needs every point of a cell at every zoom, expected another with \(.part)"
        }
        let zooms = clustering.minZoom...max(clustering.minZoom, clustering.clusterMaxZoom - 1)
        if !zooms.contains(part.cutZoom) || clustering.clusterMaxZoom <= clustering.minZoom {
            let expected = zooms.count == 1 ? "\(zooms.lowerBound)" : "\(zooms.lowerBound) to \(zooms.upperBound)"
            return "\(.cutZoom) is \(part.cutZoom), expected \(expected): from the min zoom to one before the last zoom "
                + "with clusters"
        }
        if part.tile.z > part.cutZoom {
            return "\(.part) is \(part.tile), expected a tile of zoom \(part.cutZoom), the cut zoom, or above"
        }
        return nil
    }
}
