import Foundation
import PyramidStore
import PyramidTiles
import Synchronization

/// Proves that a tileset is what its manifest says, or finds where it isn't.
///
///     let report = PyramidVerifier(tileset: DirectoryTileset(path: "out"), jobs: 2).verify()
///     for finding in report.findings { print(finding) }
///
/// Trusts nothing that it reads. Each job reads one tile at a time and keeps 32 bytes per marker, and 32 more per
/// cluster, of two zoom levels at a time.
public struct PyramidVerifier: Sendable {
    public let tileset: any TilesetReader
    /// How many threads read tiles concurrently, at least 1.
    public let jobs: Int

    private static let tilesPerPart = 256

    public init(tileset: any TilesetReader, jobs: Int = ProcessInfo.processInfo.activeProcessorCount) {
        precondition(jobs > 0, "a verifier needs a job")
        self.tileset = tileset
        self.jobs = jobs
    }

    /// Reads every file of the tileset, in O(n log n).
    /// - Parameter progress: receives the number of tiles done and of all tiles, on any of the threads but never on two
    ///   at once.
    public func verify(
        progress: @escaping @Sendable (_ tilesDone: Int, _ tilesTotal: Int) -> Void = { _, _ in }
    ) -> VerificationReport {
        var log = FindingLog()
        guard !tileset.isBeingBuilt else {
            log.add(
                .incomplete, in: DirectoryTileset.buildMarkerName,
                "is there: \(StoreError.Reason.incomplete)")
            return VerificationReport(log: log, zooms: [])
        }
        var metadata = MetadataCheck(tileset: tileset)
        let (manifest, list, leaves, tileJSON) = metadata.run()
        log.append(metadata.log)
        guard let manifest, let list else { return VerificationReport(log: log, zooms: []) }
        for stray in tileset.strays(tiles: list, leaves: leaves) { log.add(stray) }

        let done = Mutex(0)
        let total = list.entries.count
        let count: @Sendable (Int) -> Void = { tiles in
            done.withLock {
                $0 += tiles
                progress($0, total)
            }
        }
        var totals: [VerificationReport.ZoomTotals] = []
        var coarse: MarkerSections?
        for zoom in manifest.options.minZoom...manifest.options.maxZoom {
            let (markers, sums, tileLog) = readTiles(of: list, atZoom: zoom, manifest, count)
            log.append(tileLog)
            totals.append(
                VerificationReport.ZoomTotals(
                    zoom: zoom, tiles: sums.tiles, markers: markers.markerCount, clusters: markers.clusterCount,
                    points: markers.pointCount))

            var check = ZoomCheck(manifest: manifest, list: list, markers: markers)
            check.checkIDs()
            check.checkDistances(jobs: jobs)
            check.checkPlaces()
            // What is missing in one zoom level would be missing in every sum: one finding is enough.
            let isWhole = sums.unreadTiles == 0
            if isWhole {
                check.checkSums(sums)
                check.check(sums.content)
            }
            if isWhole, zoom == manifest.options.maxZoom, let bounds = tileJSON?.boundingBox { check.check(bounds) }
            if let coarse, isWhole {
                check.check(sums.content, withParents: coarse)
            }
            log.append(check.log)

            if let coarse, isWhole {
                for key in Set(coarse.keys).union(markers.keys).sorted() {
                    var options = manifest.options
                    // Points that never merge are the same at every zoom level.
                    if key.isUnclustered { options.clusterMaxZoom = -1 }
                    var nesting = NestingCheck(
                        options: options, list: list, storage: manifest.content.storage, coarse: coarse[key],
                        fine: markers[key])
                    nesting.run(jobs: jobs)
                    log.append(nesting.log)
                }
            }
            // The first zoom without other clusters than places.
            let isFirst = zoom == manifest.options.minZoom
            let (first, last) = (manifest.options.minZoom, manifest.options.clusterMaxZoom)
            if let leaves, isWhole, zoom == max(first, last + 1), coarse != nil || isFirst {
                var check = LeafCheck(tileset: tileset, manifest: manifest, list: leaves, jobs: jobs)
                check.run(clusters: coarse ?? MarkerSections(zoom: last), points: markers)
                log.append(check.log)
            }
            coarse = isWhole ? markers : nil
        }
        return VerificationReport(log: log, zooms: totals)
    }

    /// The markers of a zoom level, sorted, with the findings in its tiles and their totals.
    private func readTiles(
        of list: TileList, atZoom zoom: Int, _ manifest: Manifest,
        _ count: @Sendable (_ tiles: Int) -> Void
    ) -> (MarkerSections, TileCheck.Totals, FindingLog) {
        // Tiles in the order of the Z curve deliver their markers in order.
        let indices = list.entries.indices.filter { list.entries[$0].address.z == zoom }
            .map { (order: list.entries[$0].address.mortonNumber, index: $0) }.sorted { $0.order < $1.order }
        let parts = indices.indices.split(every: PyramidVerifier.tilesPerPart)
        let checks = SharedWork(jobs: jobs).map(parts) { part in
            var check = TileCheck(tileset: tileset, manifest: manifest, zoom: zoom)
            for (_, index) in indices[part] { check.run(list.entries[index], index: index) }
            count(part.count)
            return (check.markers, check.totals, check.log)
        }
        var markers = MarkerSections(zoom: zoom)
        var totals = TileCheck.Totals(manifest)
        var log = FindingLog()
        for (part, partTotals, partLog) in checks {
            markers.append(part)
            totals.add(partTotals)
            log.append(partLog)
        }
        markers.sort()
        return (markers, totals, log)
    }
}

extension TileCoordinate {
    /// The number of the tile on the Z curve, among those of its zoom level.
    fileprivate var mortonNumber: UInt64 {
        MortonCode(WorldPoint(x: UInt32(truncatingIfNeeded: x), y: UInt32(truncatingIfNeeded: y))).rawValue
    }
}
