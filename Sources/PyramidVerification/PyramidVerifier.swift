import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// Verifies that a tileset matches its manifest, and lists what doesn't.
///
///     let report = PyramidVerifier(tileset: DirectoryTileset(path: "out"), jobs: 2).verify()
///     for finding in report.findings { print(finding) }
///
/// Trusts nothing that it reads. Each job reads one tile at a time. Memory holds the markers of two zooms at a time, with 32
/// bytes per marker and 40 more per cluster (and for facets 16 per point, and 8 per combination in a cluster), and the
/// records of bundles, and markers of an archive's tiles, that are shown at higher zooms: of the whole map or, where a limit
/// requires it, of a region.
public struct PyramidVerifier: Sendable {
    public let tileset: any TilesetReader
    /// How many threads read tiles concurrently, at least 1.
    public let jobs: Int
    /// For tests: cuts the map into about this number of regions, whatever the limit.
    package var regionCount: Int?

    public init(tileset: any TilesetReader, jobs: Int = ProcessInfo.processInfo.activeProcessorCount) {
        precondition(jobs > 0, "jobs must be at least 1")
        self.tileset = tileset
        self.jobs = jobs
    }

    /// Receives the number of files done, and of all tiles and bundles; on any thread, but never on two at once.
    public typealias Progress = @Sendable (_ tilesDone: Int, _ tilesTotal: Int) -> Void

    /// Reads every file of the tileset, in O(n log n), with as much memory as that needs.
    public func verify(progress: @escaping Progress = { _, _ in }) -> VerificationReport {
        do throws(OutputError) {
            return try verify(limitBytes: nil, store: ChunkStore(), progress)
        } catch {
            preconditionFailure("there is no temporary file: \(error)")
        }
    }

    /// Reads every file of the tileset, in O(n log n). Where the limit requires it, markers wait in a temporary file, and
    /// one region of the map after the other is checked. The findings are the same.
    /// - Parameters:
    ///   - limit: the most memory to use, without mapped files. The list of files and the results are not included.
    ///   - folder: for temporary files.
    /// - Throws: `OutputError` if a temporary file can't be written.
    public func verify(
        within limit: MemoryLimit, temporaryFolder folder: String, progress: @escaping Progress = { _, _ in }
    ) throws(OutputError) -> VerificationReport {
        guard let limitBytes = limit.limitBytes else { return verify(progress: progress) }
        let store = ChunkStore(folder: folder, memoryBytes: limitBytes / 16)
        return try verify(limitBytes: limitBytes, store: store, progress)
    }

    private func verify(
        limitBytes: Int?, store: ChunkStore, _ progress: @escaping Progress
    ) throws(OutputError) -> VerificationReport {
        var log = FindingLog()
        guard !tileset.isBeingBuilt else {
            log.add(
                .incomplete, in: DirectoryTileset.buildMarkerName,
                "exists: \(StoreError.Reason.incomplete)")
            return VerificationReport(log: log, zooms: [])
        }
        var metadata = MetadataCheck(tileset: tileset, memory: store.listMemory)
        let found = try metadata.run()
        log.append(metadata.log)
        if let archive = tileset as? ArchiveTileset, let manifest = found.manifest {
            var check = ArchiveCheck(archive)
            check.run(manifest, found.tileJSON, hasTiles: found.list != nil)
            log.append(check.log)
        }
        guard let manifest = found.manifest, let list = found.list else {
            return VerificationReport(log: log, zooms: [])
        }
        for stray in tileset.strays(list, hasPages: manifest.content.clusters.hasLeaves) { log.add(stray) }

        let done = Mutex(0)
        let total = list[.tile].count + list[.bundle].count
        let count: @Sendable (Int) -> Void = { tiles in
            done.withLock {
                $0 += tiles
                progress($0, total)
            }
        }
        let regions =
            regionCount.map { Regions(list, manifest, count: $0) } ?? Regions(list, manifest, limitBytes: limitBytes)
        var checks = try MarkerChecks(
            tileset: tileset, manifest: manifest, list: list, tileJSON: found.tileJSON, regions: regions, jobs: jobs,
            store: store, count: count)
        let (markerLog, zooms) = try checks.run()
        log.append(markerLog)
        return VerificationReport(log: log, zooms: zooms, allowances: PlacePrecision(manifest).allowances)
    }
}
