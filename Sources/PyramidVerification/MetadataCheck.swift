import PyramidStore
import PyramidTiles

/// Compares the files beside the tiles with each other. The manifest states their checksums and its own.
struct MetadataCheck {
    let tileset: any TilesetReader
    /// For the list of files.
    let memory: ListMemory
    private(set) var log = FindingLog()

    init(tileset: any TilesetReader, memory: ListMemory) {
        (self.tileset, self.memory) = (tileset, memory)
    }

    /// The manifest, the list and the TileJSON, each `nil` if it can't be trusted.
    /// - Throws: ``OutputError`` if a temporary file for the list can't be written.
    mutating func run() throws(OutputError) -> (manifest: Manifest?, list: FileList?, tileJSON: TileJSON?) {
        guard let manifest = readManifest() else { return (nil, nil, nil) }
        checkOtherFiles(manifest)
        let list = manifest.content.storage.layout.isOneFile ? deriveList() : try readList(manifest)
        if let list { check(list, manifest) }
        let tileJSON = readTileJSON(manifest)
        if let list, let tileJSON { check(tileJSON, list, manifest) }
        return (manifest, list, tileJSON)
    }

    private mutating func readList(_ manifest: Manifest) throws(OutputError) -> FileList? {
        let name = FileList.fileName
        guard let summary = summary(of: name, manifest) else { return nil }
        // Piece by piece, because the whole file would take more memory than the list.
        var decoder = FileListDecoder()
        let collector = FileListCollector(memory)
        var damage: MetadataError?
        var failure: OutputError?
        var (byteCount, crc32) = (0, UInt32(0))
        do throws(StoreError) {
            try tileset.forEachPiece(ofMetadata: name) { piece, _ in
                byteCount += piece.count
                crc32 = piece.withUnsafeBytes { [crc32] in Gzip.crc32($0, after: crc32) }
                guard damage == nil, failure == nil else { return }
                do {
                    try collector.append(decoder.append(piece))
                } catch let error as OutputError {
                    failure = error
                } catch {
                    damage = error as? MetadataError
                }
            }
        } catch {
            log.add(.damagedFileList, in: name, "\(error.reason)")
            return nil
        }
        if let failure { throw failure }
        let found = Manifest.FileSummary(bytes: byteCount, crc32: crc32.hexadecimal)
        guard isExpected(found, of: name, .damagedFileList, summary) else { return nil }
        do throws(MetadataError) {
            if let damage { throw damage }
            try decoder.finish()
        } catch {
            log.add(.damagedFileList, in: name, "\(error)")
            return nil
        }
        return try collector.finish()
    }

    /// The list that an archive's directories and tiles give.
    private mutating func deriveList() -> FileList? {
        do throws(StoreError) {
            if let list = try tileset.derivedFileList() { return list }
            log.add(.damagedManifest, in: Manifest.fileName, "describes an archive, but this is a directory")
        } catch {
            log.add(.damagedFileList, in: "directories", "\(error.reason)")
        }
        return nil
    }

    /// Checks that the manifest's options allow all listed files.
    private mutating func check(_ list: FileList, _ manifest: Manifest) {
        let zooms = manifest.options.minZoom...manifest.options.maxZoom
        for entry in list.entries {
            let address = entry.address
            if !manifest.content.storage.layout.holds(address.kind) {
                log.add(
                    .damagedFileList, in: FileList.fileName,
                    "lists \(address), but a tileset with the manifest's options has no \(address.kind)s")
            } else if !zooms.contains(address.tile.z) {
                log.add(
                    .damagedFileList, in: FileList.fileName,
                    "lists \(address), expected zooms \(zooms.lowerBound) to \(zooms.upperBound)")
            }
        }
    }

    /// Checks that the TileJSON's index of bundles matches the list.
    private mutating func check(_ tileJSON: TileJSON, _ list: FileList, _ manifest: Manifest) {
        guard let limit = manifest.content.storage.layout.bundleLimit else {
            if tileJSON.bundles != nil { log.add(.wrongTileJSON, in: TileJSON.fileName, "has bundles, expected none") }
            return
        }
        guard let found = tileJSON.bundles else {
            log.add(.wrongTileJSON, in: TileJSON.fileName, "has no bundles, expected an index of them")
            return
        }
        let template = manifest.content.storage.template(of: .bundle)
        if found.template != template, !found.template.hasSuffix("/" + template) {
            log.add(
                .wrongTileJSON, in: TileJSON.fileName, "has bundles at \(found.template), expected \(template)")
        }
        let expected = BundleIndex(limit: limit, files: list.entries.lazy.map(\.address))
        do throws(MetadataError) {
            guard try found.decoded() != expected else { return }
            log.add(
                .wrongTileJSON, in: TileJSON.fileName, "has an index of bundles that doesn't match the file list")
        } catch {
            log.add(.damagedTileJSON, in: TileJSON.fileName, "\(error)")
        }
    }

    private mutating func readManifest() -> Manifest? {
        do throws(StoreError) {
            let manifest = try tileset.manifest()
            checkFigures(of: manifest)
            return manifest
        } catch {
            log.add(.damagedManifest, in: Manifest.fileName, "\(error.reason)")
            return nil
        }
    }

    private mutating func checkFigures(of manifest: Manifest) {
        let input = manifest.input
        let skipped = input.rowsSkipped.values.reduce(0) { $0.saturatingAdd($1) }
        if input.rowsAccepted < 0 || input.rowsSkipped.values.contains(where: { $0 < 0 })
            || input.rowsRead != input.rowsAccepted.saturatingAdd(skipped)
        {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "states \(input.rowsRead) rows read, but \(input.rowsAccepted) accepted and \(skipped) skipped")
        }
        if !(0...max(0, input.rowsAccepted)).contains(input.rowsClamped) {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "states \(input.rowsClamped) rows clamped, expected at most \(input.rowsAccepted), the accepted rows")
        }
        checkTotals(of: manifest)
        let options = manifest.options
        guard manifest.zooms.map(\.zoom) == Array(options.minZoom...options.maxZoom) else {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "doesn't list zooms \(options.minZoom) to \(options.maxZoom), each once and in order")
            return
        }
        for summary in manifest.zooms {
            let promise = options.promisedDistanceUnits(atZoom: summary.zoom)
            if summary.minimumDistanceUnits != promise {
                log.add(
                    .damagedManifest, in: Manifest.fileName,
                    "promises \(text(summary.minimumDistanceUnits)) at zoom \(summary.zoom), "
                        + "expected \(text(promise)) by its options")
            }
        }
    }

    /// Checks that each option that adds up values has one total.
    private mutating func checkTotals(of manifest: Manifest) {
        let (clusters, totals) = (manifest.content.clusters, manifest.totals)
        let numbers = [
            ("accumulated", totals.accumulated.count, clusters.accumulate.count),
            ("categories", totals.categories.count, clusters.countBy.count),
            ("weight", totals.weight == nil ? 0 : 1, manifest.options.weightColumn == nil ? 0 : 1),
        ]
        for (name, found, expected) in numbers where found != expected {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "has \(found) totals in \(name), expected \(expected) by its options")
        }
        for (accumulation, total) in zip(clusters.accumulate, totals.accumulated) {
            let operation = accumulation.operation
            let isRight =
                total.map { operation.hasTotal && FixedDecimal(sum: $0)?.description == $0 } ?? (operation != .count)
            if !isRight {
                log.add(
                    .damagedManifest, in: Manifest.fileName,
                    "has \(total ?? "no total") as the \(operation.rawValue) of \"\(accumulation.name)\", expected "
                        + (operation.hasTotal ? "a decimal number" : "none"))
            }
        }
    }

    private func text(_ units: UInt64?) -> String { units.map { "a distance of \($0) units" } ?? "no distance" }

    /// Checks the other files that the manifest lists. Only the preview page is allowed.
    private mutating func checkOtherFiles(_ manifest: Manifest) {
        var known = [TileJSON.fileName]
        known +=
            manifest.content.storage.layout.isOneFile ? ArchiveSection.allCases.map(\.rawValue) : [FileList.fileName]
        for name in manifest.files.keys.sorted() where !known.contains(name) {
            if name == TilesetMetadata.previewName {
                _ = readFile(name, .damagedPreviewPage, manifest)
            } else {
                log.add(
                    .damagedManifest, in: Manifest.fileName,
                    "has a checksum of \(name), which isn't a file of a tileset")
            }
        }
    }

    private mutating func readTileJSON(_ manifest: Manifest) -> TileJSON? {
        guard let bytes = readFile(TileJSON.fileName, .damagedTileJSON, manifest) else { return nil }
        do throws(StoreError) {
            let tileJSON = try tileset.decode(bytes, of: TileJSON.fileName, TileJSON.init(decoding:))
            check(tileJSON, manifest)
            return tileJSON
        } catch {
            log.add(.damagedTileJSON, in: TileJSON.fileName, "\(error.reason)")
            return nil
        }
    }

    /// A file's bytes, if they match the checksum in the manifest.
    private mutating func readFile(_ name: String, _ kind: Finding.Kind, _ manifest: Manifest) -> [UInt8]? {
        guard let summary = summary(of: name, manifest) else { return nil }
        do throws(StoreError) {
            let bytes = try tileset.metadataBytes(of: name)
            if isExpected(Manifest.FileSummary(of: bytes), of: name, kind, summary) { return bytes }
        } catch {
            log.add(kind, in: name, "\(error.reason)")
        }
        return nil
    }

    private mutating func summary(of name: String, _ manifest: Manifest) -> Manifest.FileSummary? {
        if let summary = manifest.files[name] { return summary }
        log.add(.damagedManifest, in: Manifest.fileName, "has no checksum of \(name)")
        return nil
    }

    private mutating func isExpected(
        _ found: Manifest.FileSummary, of name: String, _ kind: Finding.Kind, _ expected: Manifest.FileSummary
    ) -> Bool {
        if found == expected { return true }
        log.add(
            kind, in: name,
            Finding.mismatch(of: (found.bytes, found.crc32), with: (expected.bytes, expected.crc32), in: "manifest"))
        return false
    }

    private mutating func check(_ tileJSON: TileJSON, _ manifest: Manifest) {
        let options = manifest.options
        func expect(_ isRight: Bool, _ detail: String) {
            if !isRight { log.add(.wrongTileJSON, in: TileJSON.fileName, detail) }
        }
        expect(tileJSON.tilejson == "3.0.0", "has version \"\(tileJSON.tilejson)\", expected \"3.0.0\"")
        expect(tileJSON.scheme == "xyz", "has scheme \"\(tileJSON.scheme)\", expected \"xyz\"")
        expect(
            tileJSON.minzoom == options.minZoom && tileJSON.maxzoom == options.maxZoom,
            "has zooms \(tileJSON.minzoom) to \(tileJSON.maxzoom), "
                + "expected \(options.minZoom) to \(options.maxZoom) (manifest)")
        expect(
            tileJSON.vectorLayers.allSatisfy { $0.minzoom == options.minZoom && $0.maxzoom == options.maxZoom },
            "has a layer with other zooms than \(options.minZoom) to \(options.maxZoom)")
        let layers = tileJSON.vectorLayers.map(\.id)
        let layer = manifest.content.storage.layer
        expect(layers == [layer], "has layers \(layers), expected only \(layer)")
        let types = Set(tileJSON.vectorLayers.flatMap(\.fields.values))
        expect(
            types.isSubset(of: ["String", "Number", "Boolean"]),
            "has fields of types \(types.sorted()), expected String, Number and Boolean")
        let idProperty = manifest.content.idProperty
        expect(
            tileJSON.idProperty == nil || tileJSON.idProperty == idProperty,
            "has id_property \(tileJSON.idProperty ?? "none"), expected none\(idProperty.map { " or \($0)" } ?? "")")
        let template = manifest.content.storage.template(of: .tile)
        let isOurs = { (url: String) in url == template || url.hasSuffix("/" + template) }
        let codec = manifest.content.storage.codec
        expect(
            tileJSON.tiles.count == 1 && tileJSON.tiles.allSatisfy(isOurs)
                && tileJSON.data == (codec.hasTileJSONData ? tileJSON.tiles : nil),
            "has tiles at \(tileJSON.tiles) and \(tileJSON.data.map { "data at \($0)" } ?? "no data"), expected "
                + (codec.hasTileJSONData ? "both at \(template)" : "tiles at \(template) and no data"))
        expect(
            tileJSON.format == codec.tileJSONFormat,
            "has format \(tileJSON.format ?? "none"), expected \(codec.tileJSONFormat ?? "none")")
        let tileSize = tileJSON.tileSize ?? codec.impliedTileSize ?? 0
        expect(
            tileSize == options.tileSize, "has tile_size \(tileSize), expected \(options.tileSize) (manifest)")
        let box = tileJSON.boundingBox
        expect(box != nil, "has bounds \(tileJSON.bounds), expected west, south, east and north in degrees")
        let center = tileJSON.center
        expect(
            center.count == 3 && (-180...180).contains(center[0]) && (-90...90).contains(center[1])
                && (Double(options.minZoom)...Double(options.maxZoom)).contains(center[2]),
            "has center \(center), expected longitude, latitude and one of the zooms")
        for (name, isRight) in MetadataCheck.clientFigures(of: tileJSON, manifest) {
            expect(isRight, "has another \(name) than the manifest implies")
        }
    }

    /// What clients would otherwise read in the manifest, and whether it is what is there. The tiles show whether each
    /// combination of facets is counted right.
    private static func clientFigures(of tileJSON: TileJSON, _ manifest: Manifest) -> [(name: String, isRight: Bool)] {
        let (clusters, clustering) = (manifest.content.clusters, manifest.options)
        let counted = zip(clusters.countBy, manifest.totals.categories).map(TileJSON.CountedValues.init)
        let columns = clusters.filterBy.isEmpty ? nil : clusters.filterBy
        return [
            ("point_count", tileJSON.pointCount == manifest.input.rowsAccepted),
            ("cluster_distances", tileJSON.clusterDistances == clustering.clusterDistances),
            ("count_by", tileJSON.countBy ?? [] == counted), ("group_by", tileJSON.groupBy == clustering.groupColumn),
            ("facets.columns", tileJSON.facets?.columns == columns),
            ("number of facets.counts", tileJSON.facets?.counts.count ?? 0 <= Facets.combinationLimit),
        ]
    }
}
