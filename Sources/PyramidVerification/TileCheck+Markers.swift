import PyramidTiles

/// What must hold for a marker regardless of others.
extension TileCheck {
    mutating func check(_ marker: CheckedMarker, _ address: FileAddress, _ tile: TileCoordinate) {
        let (feature, zooms) = (marker.feature, marker.zooms)
        if !tile.contains(marker.code.point) {
            add(
                .outsideTile, address,
                "\(feature.place) belongs to \(TileCoordinate(containing: marker.code.point, atZoom: tile.z))")
        }
        guard let cluster = feature.cluster else { return }
        let staysTogether = staysTogether(cluster, at: marker.code)
        guard zooms.upperBound <= options.clusterMaxZoom || staysTogether else {
            let exception = options.keepsPlacesTogether ? " and coincident clusters" : ""
            return add(
                .unexpectedCluster, address,
                "\(feature.place), expected only points\(exception) at zooms higher than \(options.clusterMaxZoom)")
        }
        if cluster.pointCount < options.minPoints {
            add(
                .clusterTooSmall, address,
                "\(feature.place) has \(cluster.pointCount) points, expected at least \(options.minPoints)")
        }
        let abbreviated = AbbreviatedCount.json(
            of: cluster.pointCount, label: context.manifest.content.clusters.countLabel, isText: !precision.isExact)
        let label = marker.json.bytes[cluster.abbreviatedCount]
        if !label.elementsEqual(abbreviated.utf8) {
            add(
                .wrongAbbreviatedCount, address,
                "\(feature.place) has point_count_abbreviated \(String(decoding: label.prefix(24), as: UTF8.self)), "
                    + "expected \(abbreviated) for \(cluster.pointCount)")
        }
        // No clustered zoom splits points at one place.
        let lastWhole = cluster.isCoincident ? options.clusterMaxZoom : min(zooms.upperBound, options.clusterMaxZoom)
        let expected = lastWhole + 1...options.clusterMaxZoom + 1
        let hasRightExpansion =
            cluster.expansionZoom.map { !staysTogether && expected.contains($0) } ?? staysTogether
        if !hasRightExpansion {
            add(
                .wrongExpansionZoom, address,
                "\(feature.place) has \(cluster.expansionZoom.map { "expansion_zoom \($0)" } ?? "no expansion_zoom"), "
                    + "expected "
                    + (staysTogether ? "none" : "\(expected.lowerBound) to \(expected.upperBound)"))
        }
        checkPlace(marker, cluster, address)
    }

    /// Whether the cluster never comes apart, because its points are at one place. Past the map's edge, they can have
    /// different latitudes; if tiles have no boxes, a cluster there without an expansion zoom is taken for one of them.
    private func staysTogether(_ cluster: DecodedFeature.ClusterProperties, at code: MortonCode) -> Bool {
        guard cluster.boundingBox == .world, cluster.expansionZoom == nil else {
            return options.staysTogether(pointCount: cluster.pointCount, in: cluster.boundingBox)
        }
        let places = precision.places(shownAs: code, atZoom: zoom)
        return options.staysTogether(pointCount: cluster.pointCount)
            && (places.y.contains(0) || places.y.contains(.max))
    }

    private mutating func checkPlace(
        _ marker: CheckedMarker, _ cluster: DecodedFeature.ClusterProperties, _ address: FileAddress
    ) {
        let (feature, code, idMask) = (marker.feature, marker.code, marker.group.idMask)
        // A centroid is inside the box, clamped to the map, but for rounding.
        let isComputed = options.position == .centroid
        let isInside =
            cluster.boundingBox.contains(feature.coordinate)
            || isComputed && cluster.boundingBox.ofMeans.contains(feature.coordinate, withinMicrodegrees: 1)
        let isClustered = marker.zooms.lowerBound <= options.clusterMaxZoom
        if precision.isExact, !isInside {
            add(.wrongBoundingBox, address, "\(feature.place) is outside its box")
        }
        // Of a place whose points are in a larger cluster at the last clustered zoom, the id is another one.
        let ids = isClustered ? [code.clusterID] : [code.clusterID, code.placeID]
        if cluster.id >> 52 != 1 {
            add(.wrongClusterID, address, "\(feature.place) has an invalid id, expected one of 53 bits")
        } else if precision.isExact, options.position == .anchor || !isClustered, !ids.contains(cluster.id ^ idMask) {
            add(
                .wrongClusterID, address,
                "\(feature.place) has the id of another place, expected \(code.clusterID ^ idMask)")
        }
    }
}

extension BoundingBox {
    /// Where the mean of points in the box can be shown. If it is wider than half the world, the shortest ways from the anchor to
    /// the points can lead around the other side.
    fileprivate var ofMeans: BoundingBox {
        let box = clampedToMap
        return box.width <= 180_000_000
            ? box : BoundingBox(west: -180_000_000, south: box.south, east: 180_000_000, north: box.north)
    }
}
