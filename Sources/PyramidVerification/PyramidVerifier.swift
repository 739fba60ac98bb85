import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// Verifies that a tileset matches its manifest, and lists what doesn't.
///
///     let report = PyramidVerifier(tileset: DirectoryTileset(path: "out"), jobs: 2).verify()
///     for finding in report.findings { print(finding) }
///
/// Trusts nothing that it reads. Each job reads one tile at a time. Memory holds the list of files, 24 bytes for each marker of a
/// zoom whose distances are promised, and 24 for each id of all zooms. Where a limit requires it, they are in temporary
/// files.
public struct PyramidVerifier: Sendable {
    public let tileset: any TilesetReader
    /// How many threads read tiles concurrently, at least 1.
    public let jobs: Int

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
            return try verify(.unlimited, progress)
        } catch {
            preconditionFailure("there is no temporary file: \(error)")
        }
    }

    /// Reads every file of the tileset, in O(n log n). Where the limit requires it, markers are sorted in temporary files.
    /// The findings are the same.
    /// - Parameters:
    ///   - limit: the most memory to use, without mapped files.
    ///   - folder: for temporary files.
    /// - Throws: `OutputError` if a temporary file can't be written.
    public func verify(
        within limit: MemoryLimit, temporaryFolder folder: String, progress: @escaping Progress = { _, _ in }
    ) throws(OutputError) -> VerificationReport {
        // The list, the markers of a zoom and the ids, each also while they are merged.
        let memory = limit.limitBytes.map { ListMemory(budgetBytes: max($0 / 8, 1), folder: folder) }
        return try verify(memory ?? .unlimited, progress)
    }

    private func verify(_ memory: ListMemory, _ progress: @escaping Progress) throws(OutputError) -> VerificationReport
    {
        var log = FindingLog()
        guard !tileset.isBeingBuilt else {
            log.add(
                .incomplete, in: DirectoryTileset.buildMarkerName,
                "exists: \(StoreError.Reason.incomplete)")
            return VerificationReport(log: log, zooms: [])
        }
        var metadata = MetadataCheck(tileset: tileset, memory: memory)
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
        for stray in tileset.strays(list) { log.add(stray) }

        let done = Mutex(0)
        let total = list.entries.count
        let count: @Sendable (Int) -> Void = { tiles in
            done.withLock {
                $0 += tiles
                progress($0, total)
            }
        }
        var checks = MarkerChecks(
            tileset: tileset, manifest: manifest, list: list, tileJSON: found.tileJSON, jobs: jobs, memory: memory)
        let (markerLog, zooms) = try checks.run(count)
        log.append(markerLog)
        return VerificationReport(log: log, zooms: zooms, allowances: PlacePrecision(manifest).allowances)
    }
}
