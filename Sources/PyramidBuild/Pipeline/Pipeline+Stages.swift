import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// What clustering makes of the points.
package struct ClusteredPoints {
    var bands: TileBands
    package var separation: PlaceSeparation?
}

/// The stages that take more than a line.
extension Pipeline {
    /// Clusters the points. On return, only the bands refer to the hierarchy, so they can free it.
    package func cluster(
        _ points: PointTable, _ quadtree: LinearQuadtree, _ candidates: Candidates?, _ content: ClusterContent,
        _ precedence: PointPrecedence, _ options: ResolvedOptions
    ) throws -> ClusteredPoints {
        let rules = ClusteringRules(options.clustering, span: span)
        let work = SharedWork(jobs: options.build.jobs)
        let hierarchy = rules.hierarchy(of: quadtree, candidates, precedence: precedence, work: work) {
            progress(.clustering(zoom: $0))
        }
        progress(.arranging(zoom: rules.tileZooms.upperBound))
        let clusters = hierarchy.map {
            ClusterPyramid(
                of: $0, in: quadtree, rules: rules,
                hasMembers: content.needsMembers || rules.isContinued && rules.minPoints > 2,
                coordinates: points.coordinates, values: content.values, precedence: precedence,
                jobs: options.build.jobs)
        }
        var clustered = ClusteredPoints(
            bands: TileBands(
                of: quadtree, clusters, hierarchy, rules: rules, codes: source.ownCodes))
        guard let hierarchy, let clusters else { return clustered }
        if let lowestZoom {
            var descent = ClusterDescent(of: clusters, hierarchy, in: quadtree, rules: rules, hasRoots: false)
            while descent.zoom > rules.firstZoom { descent.descend() }
            lowestZoom(descent, content)
        }
        if countsPlaces, !rules.zooms.isEmpty {
            clustered.separation = PlaceSeparation(of: hierarchy, in: quadtree, rules, codes: source.ownCodes)
        }
        return clustered
    }

    /// Writes the tiles of all bands, which it consumes.
    package func write(
        _ clustered: inout ClusteredPoints, of data: MarkerData, to files: any TilesetFileWriter,
        openBundles: OpenBundleOutput?, _ options: ResolvedOptions, _ written: inout WrittenTiles
    ) throws {
        let (build, clustering) = (options.build, options.clustering)
        let markerCount = clustered.bands.markerCount
        let progress = progress
        let tileWriter = TileWriter(
            data: data, encoding: options.encoding, storage: options.storage,
            compressionLevel: build.compressionLevel, jobs: build.jobs, output: files,
            // With open bundles, a subtree has more records than markers.
            markersPerSubtree: written.higherZooms == nil ? markersPerSubtree : max(markersPerSubtree / 4, 1),
            maxZoom: clustering.maxZoom,
            openBundles: span.continuedZoom.flatMap { zoom in openBundles.map { (zoom, $0) } },
            higherZooms: written.higherZooms, files: written.files)
        try clustered.bands.forEach(allAtOnce: options.storage.layout.bundleLimit != nil) {
            progress(.arranging(zoom: $0))
        } _: { band in
            progress(.writing(tiles: 0, markers: 0, ofMarkers: markerCount))
            let tiles = try tileWriter.write(band) {
                progress(.writing(tiles: $0, markers: $1, ofMarkers: markerCount))
            }
            written.append(tiles, of: band, clustering)
        }
    }

    /// Chooses the max zoom; `nil` if it is given.
    package func maxZoomChoice(of quadtree: LinearQuadtree, _ precedence: PointPrecedence) -> MaxZoomChoice? {
        guard options.choosesMaxZoom else { return nil }
        let rules = ClusteringRules(options.choiceClustering)
        let hierarchy = rules.hierarchy(of: quadtree, precedence: precedence, work: SharedWork(jobs: options.jobs)) {
            progress(.clustering(zoom: $0))
        }
        return options.maxZoomChoice(hierarchy.map { PlaceSeparation(of: $0, in: quadtree, rules) }) {
            TileCounts(of: quadtree)
        }
    }
}
