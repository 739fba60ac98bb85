import PyramidTiles

/// Writes markers as features.
struct MarkerEncoder: Sendable {
    let points: PointTable
    let content: ClusterContent
    let options: ClusteringOptions
    let countLabel: CountLabel
    /// The points that are never merged.
    let unclustered: Range<Int>

    /// Appends a feature.
    /// - Parameters:
    ///   - coordinate: where a cluster is shown; `nil` at its anchor.
    ///   - band: that the marker is of.
    func append(
        _ marker: MarkerNumber, shownAt coordinate: Coordinate?, of band: TileBand,
        to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        if marker.isCluster, let clusters = band.clusters {
            append(cluster: marker.index, shownAt: coordinate, of: clusters, band, to: &encoder, scratch: &scratch)
        } else {
            append(point: marker.index, standingFor: 1, to: &encoder, scratch: &scratch)
            if let parent = band.parents?.parent(ofPoint: marker.index) {
                append(parent: parent, of: band, to: &encoder)
            }
        }
        encoder.endFeature()
    }

    private func append(
        point: Int, standingFor pointCount: Int, to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        points.beginPoint(point, in: &encoder, scratch: &scratch)
        if unclustered.contains(point) { encoder.appendUnclustered() }
        if options.keepsCount { encoder.append(pointCount: pointCount) }
    }

    private func append(
        cluster index: Int, shownAt coordinate: Coordinate?, of clusters: PyramidClusters, _ band: TileBand,
        to encoder: inout GeoJSONTileEncoder, scratch: inout RecordScratch
    ) {
        let cluster = clusters.table.entries[index]
        let anchor = Int(cluster.anchorPoint)
        let pointCount = Int(cluster.pointCount)
        guard options.output == .markers else {
            append(point: anchor, standingFor: pointCount, to: &encoder, scratch: &scratch)
            return
        }
        let box = clusters.table.boundingBox(of: cluster)
        encoder.beginCluster(
            id: clusters.id(of: cluster), at: coordinate ?? points.coordinate(anchor), boundingBox: box,
            pointCount: pointCount, expansionZoom: Int(cluster.expansionZoom), label: countLabel)
        content.append(
            index, of: clusters, isCoincident: box.isPoint,
            leafPageCount: band.hasLeaves ? content.leafPageCount(ofPoints: pointCount) : nil, points: points,
            to: &encoder, scratch: &scratch)
        if let parent = band.parents?.parent(ofCandidate: Int(cluster.candidate)) {
            append(parent: parent, of: band, to: &encoder)
        }
    }

    private func append(parent: Int, of band: TileBand, to encoder: inout GeoJSONTileEncoder) {
        guard let clusters = band.clusters else { return }
        encoder.append(parent: clusters.id(ofCandidate: parent))
    }
}
