import PyramidStore
import PyramidTiles

/// Compares the files beside the tiles with each other. The manifest has their checksums, and its own as well.
struct MetadataCheck {
    let tileset: any TilesetReader
    private(set) var log = FindingLog()

    init(tileset: any TilesetReader) {
        self.tileset = tileset
    }

    /// The manifest, the lists and the TileJSON, each `nil` if it can't be trusted.
    mutating func run() -> (manifest: Manifest?, list: TileList?, leaves: LeafList?, tileJSON: TileJSON?) {
        guard let manifest = readManifest() else { return (nil, nil, nil, nil) }
        checkOtherFiles(manifest)
        let leaves = manifest.content.clusters.hasLeaves ? readLeafList(manifest) : nil
        return (manifest, readTileList(manifest), leaves, readTileJSON(manifest))
    }

    private mutating func readLeafList(_ manifest: Manifest) -> LeafList? {
        guard let bytes = readFile(LeafList.fileName, .damagedTileList, manifest) else { return nil }
        do throws(StoreError) {
            return try tileset.decode(bytes, of: LeafList.fileName, LeafList.init(decoding:))
        } catch {
            log.add(.damagedTileList, in: LeafList.fileName, "\(error.reason)")
            return nil
        }
    }

    private mutating func readManifest() -> Manifest? {
        do throws(StoreError) {
            let manifest = try tileset.manifest()
            // Tiles can't be checked against options that no tileset can have.
            guard let problem = manifest.options.problem else {
                checkFigures(of: manifest)
                return manifest
            }
            log.add(.damagedManifest, in: Manifest.fileName, problem.description)
        } catch {
            log.add(.damagedManifest, in: Manifest.fileName, "\(error.reason)")
        }
        return nil
    }

    private mutating func checkFigures(of manifest: Manifest) {
        let input = manifest.input
        let skipped = input.rowsSkipped.values.reduce(0) { $0.saturatingAdd($1) }
        if input.rowsAccepted < 0 || input.rowsSkipped.values.contains(where: { $0 < 0 })
            || input.rowsRead != input.rowsAccepted.saturatingAdd(skipped)
        {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "has \(input.rowsRead) rows read, expected the \(input.rowsAccepted) accepted and \(skipped) skipped")
        }
        if !(0...max(0, input.rowsAccepted)).contains(input.rowsClamped) {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "has \(input.rowsClamped) rows clamped, expected at most the \(input.rowsAccepted) accepted")
        }
        let options = manifest.options
        guard manifest.zooms.map(\.zoom) == Array(options.minZoom...options.maxZoom) else {
            log.add(
                .damagedManifest, in: Manifest.fileName,
                "has other zoom levels than \(options.minZoom) to \(options.maxZoom), each once and in order")
            return
        }
        for summary in manifest.zooms {
            let promise = options.promisedDistanceUnits(atZoom: summary.zoom)
            if summary.minimumDistanceUnits != promise {
                log.add(
                    .damagedManifest, in: Manifest.fileName,
                    "promises a distance of \(text(summary.minimumDistanceUnits)) at zoom \(summary.zoom), "
                        + "expected \(text(promise)) from its options")
            }
        }
    }

    private func text(_ units: UInt64?) -> String { units.map { "\($0) units" } ?? "nothing" }

    private mutating func readTileList(_ manifest: Manifest) -> TileList? {
        guard let bytes = readFile(TileList.fileName, .damagedTileList, manifest) else { return nil }
        do throws(StoreError) {
            let list = try tileset.decode(bytes, of: TileList.fileName, TileList.init(decoding:))
            let zooms = manifest.options.minZoom...manifest.options.maxZoom
            for entry in list.entries where !zooms.contains(entry.address.z) {
                log.add(
                    .damagedTileList, in: TileList.fileName,
                    "has the tile \(entry.address), expected zoom levels \(zooms.lowerBound) to \(zooms.upperBound)")
            }
            return list
        } catch {
            log.add(.damagedTileList, in: TileList.fileName, "\(error.reason)")
            return nil
        }
    }

    /// What the manifest lists besides the list and the TileJSON: at most the preview page.
    private mutating func checkOtherFiles(_ manifest: Manifest) {
        var known = [TileList.fileName, TileJSON.fileName]
        if manifest.content.clusters.hasLeaves { known.append(LeafList.fileName) }
        for name in manifest.files.keys.sorted() where !known.contains(name) {
            if name == TilesetMetadata.previewName {
                _ = readFile(name, .damagedPreviewPage, manifest)
            } else {
                log.add(
                    .damagedManifest, in: Manifest.fileName, "has a checksum of \(name), which is no file of a pyramid")
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
        guard let summary = manifest.files[name] else {
            log.add(.damagedManifest, in: Manifest.fileName, "has no checksum of \(name)")
            return nil
        }
        do throws(StoreError) {
            let bytes = try tileset.metadataBytes(of: name)
            let found = Manifest.FileSummary(of: bytes)
            if found == summary { return bytes }
            log.add(
                kind, in: name,
                "has \(found.bytes) bytes with checksum \(found.crc32), "
                    + "expected \(summary.bytes) with \(summary.crc32) as the manifest says")
        } catch {
            log.add(kind, in: name, "\(error.reason)")
        }
        return nil
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
            "has zoom levels \(tileJSON.minzoom) to \(tileJSON.maxzoom), "
                + "expected \(options.minZoom) to \(options.maxZoom) as the manifest says")
        expect(
            tileJSON.vectorLayers.allSatisfy { $0.minzoom == options.minZoom && $0.maxzoom == options.maxZoom },
            "has a layer with other zoom levels than \(options.minZoom) to \(options.maxZoom)")
        let template = manifest.content.storage.template
        let isOurs = { (url: String) in url == template || url.hasSuffix("/" + template) }
        expect(
            tileJSON.tiles.count == 1 && tileJSON.tiles.allSatisfy(isOurs) && tileJSON.data == tileJSON.tiles,
            "has tiles at \(tileJSON.tiles) and data at \(tileJSON.data), expected both at \(template)")
        let box = tileJSON.boundingBox
        expect(box != nil, "has bounds \(tileJSON.bounds), expected west, south, east and north in degrees")
        let center = tileJSON.center
        expect(
            center.count == 3 && (-180...180).contains(center[0]) && (-90...90).contains(center[1])
                && (Double(options.minZoom)...Double(options.maxZoom)).contains(center[2]),
            "has center \(center), expected longitude, latitude and one of the zoom levels")
    }
}

extension TileJSON {
    /// The bounds; `nil` if they aren't a box on the earth.
    var boundingBox: BoundingBox? {
        guard bounds.count == 4, bounds.allSatisfy({ (-180...180).contains($0) }),
            (-90...90).contains(bounds[1]), (-90...90).contains(bounds[3]), bounds[1] <= bounds[3]
        else { return nil }
        let borders = bounds.map { Int32(($0 * 1e6).rounded()) }
        return BoundingBox(west: borders[0], south: borders[1], east: borders[2], north: borders[3])
    }
}
