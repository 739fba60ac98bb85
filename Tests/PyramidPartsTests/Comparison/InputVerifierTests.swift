import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts
@testable import PyramidStore

/// Tilesets that are what their input makes.
@Suite struct InputVerifierTests {
    private static let seeds = 0..<(isCampaign ? 60 : 3)

    @Test(arguments: PointScatter.Shape.allCases, seeds)
    func `an untouched tileset is what its input makes`(shape: PointScatter.Shape, seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) * 1000 + UInt64(shape.number) + 900)
        let pyramid = try RandomPyramid(shape, hasOddNames: seed % 3 > 0, &random)
        if seed % 3 == 2 { try pyramid.addSchema() }
        _ = try pyramid.build("whole", shuffledBy: &random)
        let whole = try pyramid.verify("whole", shuffledBy: &random)
        #expect(whole.differences.map(\.description) == [])
        let limits = PartLimits(rowsRead: 40, rowsPerPart: 40, joinMarkers: 4096)
        do {
            let inParts = try pyramid.verify("whole", limits, shuffledBy: &random)
            #expect(inParts.differences.map(\.description) == [])
        } catch let error as MemoryError {
            #expect(error.obstacle != nil)
        }
    }

    /// The parts have the schema of all rows, and the join knows neither rows nor schema.
    @Test(arguments: PointScatter.Shape.allCases, seeds)
    func `a tileset joined from part files is what the rows of all parts make`(
        shape: PointScatter.Shape, seed: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(seed) * 1000 + UInt64(shape.number) + 700)
        let rows = PointScatter.features(shape, count: 120, random: &random)
        let (clustering, suffix, change) = PartJoinerTests.options(&random)
        let pyramid = try JoinedPyramid(rows: rows, clustering: clustering, suffix: suffix, change: change)
        let cutZoom = random.next(below: clustering.clusterMaxZoom)
        let tiles = WorldCut(cutZoom: cutZoom, random: &random).tiles
        try pyramid.join(try tiles.map { try pyramid.build($0, cutZoom: cutZoom) })
        let joined = try LocalTileset.open(path: pyramid.path("joined" + suffix))
        func differences(_ rows: [String]) throws -> [InputVerificationReport.Difference] {
            let input = try pyramid.folder.file("verified", rows.map { $0 + "\n" }.joined())
            return try InputVerifier(tileset: joined, inputPaths: [input], jobs: 2).verify().differences
        }
        #expect(try differences(rows.shuffled(using: &random)).map(\.description) == [])
        // A row that no part has received.
        #expect(try differences(rows.dropLast()) != [])
    }

    /// The bytes of its tile at the last zoom, which stays the same, are those of its tiles at all zooms.
    @Test func `a point that is alone once another row is gone is a difference at every zoom of the other`() throws {
        let folder = try TemporaryFolder()
        let both = try folder.file("both.csv", "id,lat,lon\n1,10,20\n2,10,20.9\n")
        let one = try folder.file("one.csv", "id,lat,lon\n1,10,20\n")
        let options = BuildOptions(inputPaths: [both], outputPath: "", clustering: ClusteringOptions(maxZoom: 10))
        let report = try InputVerifier(tileset: try options.memoryTileset(), inputPaths: [one]).verify()
        for zoom in 0...8 {
            #expect(report.differences.count { $0.description.hasPrefix("tiles/\(zoom)/") } == 1, "zoom \(zoom)")
        }
    }

    @Test func `a tileset that was built with a schema of more rows needs that schema`() throws {
        var random = SeededRandom(seed: 12)
        let folder = try TemporaryFolder()
        let input = try folder.file(
            "rows", PointScatter.features(.lumps, count: 40, random: &random).joined(separator: "\n"))
        var options = BuildOptions(inputPaths: [input], outputPath: "", clustering: ClusteringOptions(maxZoom: 4))
        let own = try PointSchema(reading: [input], options: options.input)
        let wider = PointSchema(columns: own.columns + [.init(name: "zz", types: .text)])
        for (schema, isNeeded) in [(own, false), (wider, true)] {
            options.schema = schema
            let tileset = try options.memoryTileset()
            #expect(try InputVerifier(tileset: tileset, inputPaths: [input], schema: schema).verify().isSame)
            #expect(try InputVerifier(tileset: tileset, inputPaths: [input]).verify().isSame == !isNeeded)
        }
    }

    @Test(arguments: ["lat,lon,cluster,n", "lat,lon,cluster,cluster_"])
    func `options name a column as the input does, or as its property is called`(header: String) throws {
        let folder = try TemporaryFolder()
        // Only values that are compared lose their blanks.
        let rows = (0..<40).map { "\($0),\($0 * 2),\($0 % 5 == 0 ? " " : "")k\($0 % 3),\($0 % 4 == 0 ? "m" : " m")\n" }
        let input = try folder.file("rows.csv", "\(header)\n" + rows.joined())
        let property = header.hasSuffix("_") ? "cluster__" : "cluster_"
        let edits: [(inout BuildOptions, String) -> Void] = [
            { $0.clusters.properties = [$1] }, { $0.clusters.filterBy = [FacetColumn(name: $1)] },
            { ($0.clusters.memberLimit, $0.clusters.memberProperties) = (5, [$1]) },
            { $0.clusters.accumulate = [Accumulation(name: $1, operation: .comma, output: "all")] },
            { $0.clusters.countBy = [CategoryCount(name: $1)] }, { $0.clustering.groupColumn = $1 },
            { $0.clustering.unclustered = UnclusteredRule(column: $1, value: "k1") },
            { $0.clustering.priorityColumn = $1 }, { $0.clustering.weightColumn = $1 },
        ]
        for edit in edits {
            let tilesets = try ["cluster", "CLUSTER", property].map { name in
                var options = BuildOptions(
                    inputPaths: [input], outputPath: "", clustering: ClusteringOptions(maxZoom: 4))
                edit(&options, name)
                return try options.memoryTileset()
            }
            let report = try InputVerifier(tileset: tilesets[0], inputPaths: [input]).verify()
            #expect(report.differences.map(\.description) == [])
            // They have the checksums of all files.
            #expect(try Set(tilesets.map { try $0.metadataBytes(of: Manifest.fileName) }).count == 1)
        }
    }

    /// Everything that decides how rows are read: without one of these, the input is another one.
    private static let readings: [(key: String, options: InputOptions, text: [UInt8])] = [
        ("skip_lines", InputOptions(skipLines: 2), Array("lat,lon\n9,9\nname,lat,lon\na,48.1,11.5\n".utf8)),
        (
            "point_order", InputOptions(pointColumn: "place", pointOrder: .longitudeFirst),
            Array("name,place\na,\"11.5,48.1\"\nb,\"70.5,-3.25\"\n".utf8)
        ),
        (
            "point_order", InputOptions(pointColumn: "place", pointOrder: .latitudeFirst),
            Array("name,place\na,\"48.1,11.5\"\n".utf8)
        ),
    ]

    @Test(arguments: readings)
    func `a tileset states how its input was read`(key: String, options: InputOptions, text: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("rows", Data(text))
        let build = BuildOptions(
            inputPaths: [path], outputPath: "", input: options, clustering: ClusteringOptions(maxZoom: 4))
        let tileset = try build.memoryTileset()
        let report = try InputVerifier(tileset: tileset, inputPaths: [path]).verify()
        #expect(report.differences.map(\.description) == [])
        let manifest = try String(decoding: tileset.manifest().encoded(), as: UTF8.self)
        #expect(manifest.contains("\"\(key)\" : "))
    }

    @Test func `rows that a build has skipped are no finding, however many they are`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("rows.csv", "lat,lon\n48.1,11.5\nx,1\ny,2\nz,3\n")
        var options = BuildOptions(inputPaths: [input], outputPath: "", clustering: ClusteringOptions(maxZoom: 3))
        #expect(throws: InputError.self) { try options.memoryTileset() }
        options.input.maxSkipped = .rows(3)
        #expect(try InputVerifier(tileset: options.memoryTileset(), inputPaths: [input]).verify().isSame)
    }

    @Test func `an input that is missing or has no points is an error, and another one is a finding`() throws {
        let forgery = try ForgedTileset(InputForgeryTests.storages[0])
        var verifier = forgery.verifier(of: try forgery.copy())
        verifier.inputPaths = [forgery.folder.path("nothing")]
        #expect(throws: InputError.self) { try verifier.verify() }
        verifier.inputPaths = [try forgery.folder.file("empty", "name,kind,lat,lon\n")]
        #expect(throws: InputError.self) { try verifier.verify() }
        verifier.inputPaths = [try forgery.folder.file("other", "title,lat,lon\na,1,2\n")]
        let report = try verifier.verify()
        #expect(report.differences.map(\.kind) == [.wrongOptions])
        #expect(report.differences[0].description.contains("no column \"kind\" for group by"))
        // The format of another input is to blame, not an option that nobody gave here.
        let csv = try forgery.folder.file("points.csv", "x\na,lat,lon\n1,2,3\n")
        let options = BuildOptions(
            inputPaths: [csv], outputPath: "", input: InputOptions(skipLines: 1),
            clustering: ClusteringOptions(maxZoom: 2))
        let json = try forgery.folder.file("points.json", GeoJSONText.feature("[3,2]"))
        verifier = InputVerifier(tileset: try options.memoryTileset(), inputPaths: [json])
        #expect(
            try verifier.verify().differences.map(\.description) == [
                "the input, or the options in manifest.json, have changed since the build: "
                    + "\(json): is GeoJSON, but skip lines is only for CSV"
            ])
    }
}

/// Tilesets that state what a forger wants them to state, with the right checksums.
@Suite struct InputForgeryTests {
    static let storages = [
        TileStorage(), TileStorage(layout: .bundles(limit: 12)), TileStorage(codec: .mvt),
        TileStorage(layout: .archive), TileStorage(codec: .mvt, layout: .archive),
    ]

    @Test(arguments: storages)
    func `a copy that was compressed otherwise is the same`(storage: TileStorage) throws {
        let forgery = try ForgedTileset(storage)
        let copy = try forgery.copy {
            $0.content.compressor = "zlib 9.9"
            $0.generator = "pyramid 9.9"
        }
        #expect(try forgery.verifier(of: copy).verify().differences.map(\.description) == [])
    }

    /// A verifier that doesn't know the input can't find these.
    @Test(arguments: storages, ForgedRows.allCases)
    func `forged rows are found`(storage: TileStorage, forged: ForgedRows) throws {
        let forgery = try ForgedTileset(storage, forged)
        let copy = try forgery.copy()
        #expect(PyramidVerifier(tileset: copy).verify().findings.map(\.description) == [])
        let report = try forgery.verifier(of: copy).verify()
        #expect((report.differenceCounts["wrongTile"] ?? 0) > 0)
        let first = try #require(report.differences.first { $0.kind == .wrongTile })
        let path = try #require(first.path)
        switch forged {
        case .property:
            #expect(path.hasPrefix("features[") && path.hasSuffix("].properties.name"))
            #expect(first.found == "\"other\"" && first.expected == "\"p7\"")
        case .extraProperty:
            #expect(path.hasSuffix("].properties.extra") && first.found == "\"new\"" && first.expected == nil)
        // The first file can be one with a cluster of which the point is at the border.
        case .place: #expect(path.contains("].geometry.coordinates") || path.contains("bbox"))
        }
        #expect(report.differences.filter { $0.kind == .wrongTile }.map(\.file).isSortedByZoom)
    }

    /// Lies that nothing in the tileset contradicts.
    private static let lies: [(name: String, forge: @Sendable (String) -> String?)] = [
        (
            "two clusters exchange points",
            { text in
                let counts = text.matches(of: /"point_count":(\d+),"point_count_abbreviated":\d+/)
                guard let one = counts.first, let other = counts.last, one.output.0 != other.output.0 else {
                    return nil
                }
                let between = text[one.range.upperBound..<other.range.lowerBound]
                let (start, end) = (text[..<one.range.lowerBound], text[other.range.upperBound...])
                return "\(start)\(other.output.0)\(between)\(one.output.0)\(end)"
            }
        ),
        (
            "a box is larger than its cluster's members need",
            { text in
                text.firstMatch(of: /"bbox":\[-?\d+/).map {
                    text.replacing($0.output, with: "\"bbox\":[-99", maxReplacements: 1)
                }
            }
        ),
        (
            "a cluster comes apart at a higher zoom than stated",
            {
                $0.contains("\"expansion_zoom\":3")
                    ? $0.replacing("\"expansion_zoom\":3", with: "\"expansion_zoom\":4") : nil
            }
        ),
        (
            "a point has another name",
            { $0.contains("\"p9\"") ? $0.replacing("\"p9\"", with: "\"q9\"") : nil }
        ),
    ]

    @Test(
        arguments: [TileStorage(), TileStorage(layout: .bundles(limit: 12)), TileStorage(layout: .archive)],
        lies.indices)
    func `a lie that nothing in the tileset contradicts is found`(storage: TileStorage, index: Int) throws {
        let forgery = try ForgedTileset(storage)
        let lie = InputForgeryTests.lies[index]
        var isForged = false
        let copy = try forgery.copy(editBody: { body in
            guard !isForged, let forged = lie.forge(String(decoding: body, as: UTF8.self)) else { return body }
            isForged = true
            return Array(forged.utf8)
        })
        #expect(isForged, "\(lie.name)")
        #expect(PyramidVerifier(tileset: copy).verify().findings.map(\.description) == [], "\(lie.name)")
        #expect(try forgery.verifier(of: copy).verify().differenceCounts["wrongTile"] == 1, "\(lie.name)")
    }

    @Test func `an input that has changed is stated with its rows`() throws {
        let forgery = try ForgedTileset(TileStorage())
        var verifier = forgery.verifier(of: try forgery.copy())
        #expect(try verifier.verify().inputChange == nil)
        verifier.inputPaths = [try forgery.folder.file("fewer", forgery.rows.dropLast(2).joined(separator: "\n"))]
        let change = try #require(try verifier.verify().inputChange)
        #expect(change.rowsReadThen == 60 && change.rowsReadNow == 58)
        #expect("\(change)" == "the input has changed since the build: rows read then 60, now 58")
        let rows = forgery.rows + [String(repeating: ",", count: forgery.rows[0].count { $0 == "," })]
        verifier.inputPaths = [try forgery.folder.file("more", rows.joined(separator: "\n"))]
        #expect(try verifier.verify().inputChange?.rowsReadNow == 61, "the added row is skipped")
    }

    @Test(arguments: storages)
    func `forged metadata are found`(storage: TileStorage) throws {
        let forgery = try ForgedTileset(storage)
        let center = try forgery.copy(editTileJSON: { $0.center[0] += 1 })
        #expect(PyramidVerifier(tileset: center).verify().findings.map(\.description) == [])
        let report = try forgery.verifier(of: center).verify()
        #expect(report.differences.map(\.kind) == [.wrongMetadata])
        #expect(report.differences[0].path?.hasPrefix("center") == true)
        let edits: [(String, (inout Manifest) -> Void)] = [
            ("content.properties[0]", { $0.content.properties[0] = "title" }),
            ("options.group_column", { $0.options.groupColumn = "Kind" }),
            ("content.renamed.name", { $0.content.renamed = ["name": "title"] }),
            ("input.rows_skipped[\"ragged row\"]", { $0.input.rowsSkipped = ["ragged row": 1] }),
            ("input.digest", { $0.input.digest = "0123456789abcdef" }),
            ("totals.unclustered_points", { $0.totals.unclusteredPoints = 1 }),
        ]
        for (path, edit) in edits {
            let report = try forgery.verifier(of: try forgery.copy(edit)).verify()
            let paths = report.differences.filter { $0.file == Manifest.fileName }.map { $0.path ?? "" }
            #expect(paths == [path])
        }
    }

    @Test(arguments: storages)
    func `options that don't fit the input are a finding`(storage: TileStorage) throws {
        let forgery = try ForgedTileset(storage)
        let edits: [(inout Manifest) -> Void] = [
            { $0.options.groupColumn = "sort" }, { $0.content.columns.idColumn = "key" },
            { $0.content.columns.types = [ColumnTypeRule(column: "sort", type: .number)] },
            { $0.content.compressionLevel = 77 }, { $0.content.columns.skipLines = -1 },
            { $0.content.columns.skipLines = 1000 },
        ]
        for edit in edits {
            let report = try forgery.verifier(of: try forgery.copy(edit)).verify()
            #expect(report.differences.map(\.kind) == [.wrongOptions], "\(report)")
            #expect(report.differences[0].file == Manifest.fileName)
        }
        #expect(throws: StoreError.self) { try forgery.copy { $0.options.minPoints = 0 }.manifest() }
    }

    @Test(arguments: storages)
    func `files that are missing, and files that are too many, are found`(storage: TileStorage) throws {
        let forgery = try ForgedTileset(storage)
        let all = try forgery.built.fileList().entries.map(\.address)
        let lost = try #require(all.last)
        let report = try forgery.verifier(of: try forgery.copy(without: lost)).verify()
        #expect(report.differences.map(\.kind) == [.missingTile])
        #expect(report.differences[0].file == storage.relativePath(of: lost))
        let free = try #require(TileCoordinate(z: 2, x: 3, y: 3))
        let extra = try forgery.verifier(of: try forgery.copy(adding: .tile(free))).verify()
        #expect(extra.differences.map(\.kind) == [.extraTile] && extra.differences[0].file.hasPrefix("tiles/2/3/3"))
    }

    @Test func `all differences are counted`() throws {
        let control = try ForgedTileset(TileStorage(), rowCount: 400, maxZoom: 10)
        #expect(try control.verifier(of: try control.copy()).verify().isSame)
        // Every tile of all rows but one differs.
        var verifier = control.verifier(of: try control.copy())
        verifier.inputPaths = [try control.folder.file("few", control.rows.dropLast(200).joined(separator: "\n"))]
        let many = try verifier.verify()
        let listed = InputVerificationReport.listedDifferencesPerKind
        #expect(many.differenceCounts.values.contains { $0 > listed } && many.differences.count < many.differenceCount)
        for kind in InputVerificationReport.Difference.Kind.allCases {
            let count = many.differenceCounts[kind.rawValue] ?? 0
            #expect(many.differences.count { $0.kind == kind } == min(count, listed))
        }
        let detailed = many.differences.filter { $0.kind == .wrongTile && $0.path != nil }
        #expect(detailed.count == ComparingWriter.keptBodies)
        #expect(detailed.map(\.file) == many.differences.filter { $0.kind == .wrongTile }.prefix(10).map(\.file))
    }
}

/// What a forger does to a row.
enum ForgedRows: CaseIterable {
    case property, extraProperty, place

    func forge(_ rows: inout [String]) {
        switch self {
        case .property: rows[8] = rows[8].replacing("p7,", with: "other,")
        // Only one row has a value in the new column.
        case .extraProperty:
            rows = rows.enumerated().map { $1 + ($0 == 0 ? ",extra" : $0 == 8 ? ",new" : ",") }
        case .place:
            let cells = rows[8].split(separator: ",")
            rows[8] = "\(cells[0]),\(cells[1]),\((Double(cells[2]) ?? 0) + 0.01),\(cells[3])"
        }
    }
}

/// A tileset made from rows, maybe forged ones, and copies of it whose metadata a forger has edited.
final class ForgedTileset {
    let folder: TemporaryFolder
    /// The true rows.
    let rows: [String]
    let built: any TilesetReader
    private let input: Manifest.InputSummary
    private let inputPath: String
    private let forged: ForgedRows?
    private var copyCount = 0

    init(
        _ storage: TileStorage, _ forged: ForgedRows? = nil, rowCount: Int = 60, maxZoom: Int = 6
    ) throws {
        let folder = try TemporaryFolder()
        rows =
            ["name,kind,lat,lon"]
            + (0..<rowCount).map { index in
                // No row is at a border of its cluster's box, except for the first ones.
                let (latitude, longitude) = index < 4 ? ([0, 70, 10, 60][index], [0, 9, 80, 90][index]) : (30, 40)
                let step = Double(index * 37 % 100) / 10
                return "p\(index),k\(index % 2),\(Double(latitude) + step),\(Double(longitude) + Double(index) / 20)"
            }
        var lies = rows
        forged?.forge(&lies)
        let paths = try [rows, lies].enumerated().map { number, rows in
            try folder.file("rows\(number)", rows.map { $0 + "\n" }.joined())
        }
        var options = BuildOptions(
            inputPaths: [paths[1]], outputPath: folder.path("built" + (storage.layout.isOneFile ? ".pmtiles" : "")),
            clustering: ClusteringOptions(maxZoom: maxZoom))
        options.clustering.groupColumn = "kind"
        options.storage = storage
        options.syncs = false
        _ = try PyramidBuilder(options: options).build()
        built = try LocalTileset.open(path: options.outputPath)
        options.inputPaths = [paths[0]]
        input = try options.memoryTileset().manifest().input
        (self.folder, self.forged, inputPath) = (folder, forged, paths[0])
    }

    /// Knows the true rows.
    func verifier(of tileset: any TilesetReader) -> InputVerifier {
        InputVerifier(tileset: tileset, inputPaths: [inputPath], jobs: 2)
    }

    /// A copy that states the input of the true rows, with the right checksums.
    func copy(
        _ editManifest: (inout Manifest) -> Void = { _ in }, editTileJSON: (inout TileJSON) -> Void = { _ in },
        editBody: ([UInt8]) -> [UInt8] = { $0 }, without lost: FileAddress? = nil, adding extra: FileAddress? = nil
    ) throws -> any TilesetReader {
        let storage = built.storage
        copyCount += 1
        let path = folder.path("copy\(copyCount).pmtiles")
        let memory = MemoryTileset(storage: storage)
        let writer: any TilesetWriter =
            storage.layout.isOneFile ? try ArchiveTilesetWriter(path: path, syncs: false) : memory
        var manifest = try built.manifest()
        manifest.input = input
        var tileJSON = try built.tileJSON()
        var list: [FileList.Entry] = []
        let addresses = try built.fileList().entries.map(\.address).filter { $0 != lost }
        let first = try #require(addresses.first)
        for zoom in manifest.zooms.indices { manifest.zooms[zoom].storedBytes = 0 }
        for address in addresses + [extra].compactMap(\.self) {
            let original = try #require(try built.body(of: address == extra ? first : address))
            let body = editBody(original)
            let stored = body.gzipped(level: 1)
            let entry = FileList.Entry(
                address: address, byteCount: stored.count, crc32: Gzip.crc32(stored), bodyByteCount: body.count,
                bodyCRC32: Gzip.crc32(body))
            try stored.withUnsafeBytes { try writer.write($0, to: address, entry.file) }
            list.append(entry)
            let zoom = address.tile.z
            manifest.zooms[zoom].storedBytes += stored.count
            manifest.zooms[zoom].bodyBytes += address == extra ? 0 : body.count - original.count
        }
        if forged == .extraProperty { tileJSON.vectorLayers[0].fields["extra"] = nil }
        editManifest(&manifest)
        editTileJSON(&tileJSON)
        _ = try writer.finish(TilesetMetadata(list: FileList(list), tileJSON: tileJSON, manifest: manifest))
        return storage.layout.isOneFile ? try ArchiveTileset(path: path) : memory
    }
}

extension [String] {
    /// Whether the paths of tiles come zoom by zoom.
    fileprivate var isSortedByZoom: Bool {
        let zooms = map { Int($0.split(separator: "/")[1]) ?? 0 }
        return zooms == zooms.sorted()
    }
}
