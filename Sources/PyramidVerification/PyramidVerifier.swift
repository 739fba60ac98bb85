import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// Verifies that a tileset is what its manifest states, and finds where it isn't.
///
///     let report = PyramidVerifier(tileset: DirectoryTileset(path: "out"), jobs: 2).verify()
///     for finding in report.findings { print(finding) }
///
/// Trusts nothing that it reads. Each job reads one tile at a time. Memory holds two zooms at a time, with 32 bytes per
/// marker and 40 more per cluster (and for facets 16 per point, and 8 per combination in a cluster), and the records of
/// bundles that are shown at higher zooms.
public struct PyramidVerifier: Sendable {
    public let tileset: any TilesetReader
    /// How many threads read tiles concurrently, at least 1.
    public let jobs: Int

    public init(tileset: any TilesetReader, jobs: Int = ProcessInfo.processInfo.activeProcessorCount) {
        precondition(jobs > 0, "jobs must be at least 1")
        self.tileset = tileset
        self.jobs = jobs
    }

    /// Reads every file of the tileset, in O(n log n).
    /// - Parameter progress: receives the number of files done, and of all tiles and bundles; on any thread, but never
    ///   on two at once.
    public func verify(
        progress: @escaping @Sendable (_ tilesDone: Int, _ tilesTotal: Int) -> Void = { _, _ in }
    ) -> VerificationReport {
        var log = FindingLog()
        guard !tileset.isBeingBuilt else {
            log.add(
                .incomplete, in: DirectoryTileset.buildMarkerName,
                "exists: \(StoreError.Reason.incomplete)")
            return VerificationReport(log: log, zooms: [])
        }
        var metadata = MetadataCheck(tileset: tileset)
        let found = metadata.run()
        log.append(metadata.log)
        if let archive = tileset as? ArchiveTileset, let manifest = found.manifest {
            var check = ArchiveCheck(archive)
            check.run(manifest, found.tileJSON, hasTiles: found.list != nil)
            log.append(check.log)
        }
        guard let manifest = found.manifest, let list = found.list else {
            return VerificationReport(log: log, zooms: [])
        }
        let tileJSON = found.tileJSON
        let hasPages = manifest.content.clusters.hasLeaves
        for stray in tileset.strays(list, hasPages: hasPages) { log.add(stray) }

        let done = Mutex(0)
        let total = list[.tile].count + list[.bundle].count
        let count: @Sendable (Int) -> Void = { tiles in
            done.withLock {
                $0 += tiles
                progress($0, total)
            }
        }
        var totals: [VerificationReport.ZoomTotals] = []
        var coarse: MarkerGroups?
        let hasTextArrays = !manifest.content.storage.codec.holdsAnyValue
        let facets = tileJSON?.facets.flatMap { FacetNumbers($0, hasTextArrays: hasTextArrays) }
        var reading = ZoomReading(tileset: tileset, manifest: manifest, list: list, facets: facets, jobs: jobs)
        for zoom in manifest.options.minZoom...manifest.options.maxZoom {
            let (markers, sums) = reading.next(zoom, count)
            log.append(reading.takeLog())
            totals.append(
                VerificationReport.ZoomTotals(
                    zoom: zoom, tiles: sums.tiles, markers: markers.markerCount, clusters: markers.clusterCount,
                    points: markers.pointCount))

            var check = ZoomCheck(manifest: manifest, list: list, markers: markers)
            check.checkIDs()
            check.checkDistances(jobs: jobs)
            check.checkPlaces()
            // If a file can't be read, every sum of this zoom is wrong: the finding about the file is enough.
            let isWhole = sums.unreadTiles == 0
            if isWhole {
                check.checkSums(sums)
                check.check(sums.content)
                if let facets { check.check(facets) }
            }
            if isWhole, zoom == manifest.options.maxZoom, let bounds = tileJSON?.boundingBox { check.check(bounds) }
            if let coarse, isWhole {
                check.check(sums.content, withParents: coarse)
            }
            log.append(check.log)

            if let coarse, isWhole {
                for key in Set(coarse.keys).union(markers.keys).sorted() {
                    var options = manifest.options
                    // Points that never merge are the same at every zoom, as if none were clustered.
                    if key.isUnclustered { options.clusterMaxZoom = -1 }
                    var nesting = NestingCheck(
                        options: options, list: list, storage: manifest.content.storage,
                        precision: PlacePrecision(manifest), facets: facets, coarse: coarse[key], fine: markers[key])
                    nesting.run(jobs: jobs)
                    log.append(nesting.log)
                }
            }
            // The lowest unclustered zoom, whose only clusters are coincident points.
            let isFirst = zoom == manifest.options.minZoom
            let (first, last) = (manifest.options.minZoom, manifest.options.clusterMaxZoom)
            if hasPages, isWhole, zoom == max(first, last + 1), coarse != nil || isFirst {
                var check = MemberPagesCheck(tileset: tileset, manifest: manifest, pages: list[.page], jobs: jobs)
                check.run(clusters: coarse ?? MarkerGroups(zoom: last), points: markers)
                log.append(check.log)
            }
            coarse = isWhole ? markers : nil
        }
        log.append(reading.finish())
        return VerificationReport(log: log, zooms: totals, allowances: PlacePrecision(manifest).allowances)
    }
}
