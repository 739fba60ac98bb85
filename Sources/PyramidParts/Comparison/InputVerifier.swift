import PyramidBuild
import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Verifies a tileset against its input: builds it again with the options in its metadata, and compares every tile,
/// page and value of the metadata. Writes only temporary files.
///
///     let tileset = try LocalTileset.open(path: "out")
///     let report = try InputVerifier(tileset: tileset, inputPaths: ["cities.csv"]).verify()
///     for difference in report.differences { print(difference) }
///
/// It compares the sizes and checksums in the tileset's list. `PyramidVerifier` checks that the files match this list.
public struct InputVerifier: Sendable {
    public let tileset: any TilesetReader
    /// The input, whose names and order don't matter; "-" is standard input.
    public var inputPaths: [String]
    /// The schema with which the tileset was built; `nil` if there was none, or if it was made from the same rows.
    public var schema: PointSchema?
    /// The number of threads, at least 1.
    public var jobs: Int
    /// How much memory the build may use. If it needs more, it works in parts.
    public var memoryLimit = MemoryLimit.available
    /// Overrides the limits derived from the memory limit.
    package var partLimits: PartLimits?

    public init(
        tileset: any TilesetReader, inputPaths: [String], schema: PointSchema? = nil,
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        (self.tileset, self.inputPaths, self.schema, self.jobs) = (tileset, inputPaths, schema, jobs)
    }

    /// Builds the tileset again and compares it. Takes at most as long as the build.
    /// - Parameter progress: called now and then, on any thread.
    /// - Throws: `StoreError` if the metadata of the tileset can't be read; `InputError` if the input can't be read,
    ///   or if the schema doesn't fit; `MemoryError`; `OutputError` if a temporary file can't be written.
    public func verify(
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) throws -> InputVerificationReport {
        let manifest = try tileset.manifest()
        let writer = ComparingWriter(tileset, try TilesetListing(of: tileset, listMemory).list)
        var log = DifferenceLog()
        do {
            var builder = PyramidBuilder(options: try options(manifest))
            builder.partLimits = partLimits
            _ = try builder.build(progress: progress) { _ in writer }
        } catch let error as InputError where error.kind == .usage && schema == nil {
            log.add(.wrongOptions) { .init(.wrongOptions, in: Manifest.fileName, found: error.description) }
        }
        if let metadata = writer.metadata {
            let input = metadata.manifest.input
            if input.digest != manifest.input.digest || input.rowsRead != manifest.input.rowsRead {
                log.inputChange = .init(rowsReadThen: manifest.input.rowsRead, rowsReadNow: input.rowsRead)
            }
            try compareMetadata(metadata, &log)
            try compareTiles(writer, metadata.list, &log)
        }
        return log.report
    }

    private var listMemory: ListMemory {
        memoryLimit.limitBytes.map { ListMemory(budgetBytes: max($0 / 16, 1), folder: SpoolFolder.temporary) }
            ?? .unlimited
    }

    /// The options with which the tileset was built, as its metadata state them.
    private func options(_ manifest: Manifest) throws -> BuildOptions {
        let (content, tileJSON) = (manifest.content, try tileset.tileJSON())
        // Temporary files lie beside an output if there is more room. Here there is none.
        let suffix = manifest.content.storage.layout.isOneFile ? ArchiveTilesetWriter.suffix : ""
        var options = BuildOptions(
            inputPaths: inputPaths, outputPath: "\(SpoolFolder.temporary)/pyramid\(suffix)", input: content.columns,
            clustering: manifest.options, clusters: content.clusters, compressionLevel: content.compressionLevel,
            jobs: jobs)
        (options.schema, options.storage, options.memoryLimit) = (schema, content.storage, memoryLimit)
        options.tileJSON = TileJSONOptions(
            name: tileJSON.name, description: tileJSON.description, attribution: tileJSON.attribution,
            baseURL: tileJSON.baseURL)
        if let problem = options.problem {
            throw InputError(.usage, in: tileset.name, "states options that no build accepts: \(problem)")
        }
        // The tileset exists, so whoever built it allowed its bad rows.
        options.input.maxSkipped = .unlimited
        return options
    }
}

/// The comparison, once everything is built.
extension InputVerifier {
    private func compareMetadata(_ metadata: TilesetMetadata, _ log: inout DifferenceLog) throws {
        let limit = InputVerificationReport.listedDifferencesPerKind
        func compare(
            _ file: String, _ found: [UInt8], _ expected: [UInt8], ignoring isIgnored: @escaping (String) -> Bool
        ) throws {
            do throws(JSONFault) {
                log.add(
                    try JSONComparison.differences(of: found, from: expected, limit: limit, ignoring: isIgnored),
                    in: file)
            } catch {
                throw StoreError(path: tileset.path(ofFile: file), reason: .damaged("is not valid JSON"))
            }
        }
        // What depends on the compressor, and on the version of the program, isn't the input's.
        try compare(
            Manifest.fileName, tileset.metadataBytes(of: Manifest.fileName), metadata.manifest.encoded()
        ) { path in
            ["generator", "checksum", "files", "content.compressor"].contains(path) || path.hasSuffix("].stored_bytes")
        }
        guard let archive = tileset as? ArchiveTileset else {
            return try compare(
                TileJSON.fileName, tileset.metadataBytes(of: TileJSON.fileName), metadata.tileJSON.encoded()
            ) { $0 == "bundles.index" }
        }
        let (generator, manifest) = (metadata.manifest.generator, try metadata.manifest.encoded())
        try compare(
            "metadata", archive.metadataJSON(),
            ArchiveMetadata(metadata.tileJSON, generator: generator).encoded(with: manifest)
        ) { ["generator", "pyramid"].contains($0) }
        let (found, expected) = (archive.header.area, PMTilesHeader.Area(metadata.tileJSON))
        for (path, found, expected) in [
            ("bounds", found.boundsInDegrees, expected.boundsInDegrees),
            ("center", found.centerInDegrees, expected.centerInDegrees),
        ] where found != expected {
            log.add([JSONDifference(path: path, found: "\(found)", expected: "\(expected)")], in: "header")
        }
    }

    private func compareTiles(_ writer: ComparingWriter, _ built: FileList, _ log: inout DifferenceLog) throws {
        let bodies = writer.bodies
        try ListDifference.forEach(from: writer.list.entries, to: built.entries) { change, address in
            let file = tileset.storage.relativePath(of: address)
            switch change {
            case .added: log.add(.missingTile) { .init(.missingTile, in: file) }
            case .removed: log.add(.extraTile) { .init(.extraTile, in: file) }
            case .changed:
                guard let found = writer.list.file(at: address), let expected = built.file(at: address),
                    !found.hasSameBody(as: expected)
                else { return }
                try log.add(.wrongTile) {
                    try bodies[address].flatMap { try difference(of: address, $0) }
                        ?? .init(.wrongTile, in: file, found: found.bodyText, expected: expected.bodyText)
                }
            }
        }
    }

    /// The first difference of a tile, a bundle or a page; `nil` if one can't be decoded, or both are the same as JSON.
    private func difference(
        of address: FileAddress, _ expected: [UInt8]
    ) throws -> InputVerificationReport.Difference? {
        let file = tileset.storage.relativePath(of: address)
        let found: [UInt8]
        do throws(StoreError) {
            found = try tileset.body(of: address) ?? []
        } catch {
            return .init(.wrongTile, in: file, found: "damaged (\(error.reason))", expected: "another file")
        }
        var json = [found, expected]
        if address.kind == .tile {
            json = json.compactMap { try? tileset.storage.codec.transcript(of: $0, at: address.tile).json }
        }
        guard json.count == 2, let first = try? JSONComparison.differences(of: json[0], from: json[1], limit: 1).first
        else { return nil }
        return .init(.wrongTile, in: file, path: first.path, found: first.found, expected: first.expected)
    }
}

extension StoredFile {
    /// What is known of the content of a file.
    fileprivate var bodyText: String { "\(bodyByteCount) bytes with checksum \(bodyCRC32.hexadecimal)" }
}
