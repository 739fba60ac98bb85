import PyramidParts
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore

/// Tilesets whose clients filter: right ones, and others whose checksums are all right and whose facets or parents are not.
@Suite struct FacetLieTests {
    /// A row for each of 400 points around three places, with three columns to filter by.
    fileprivate static let csv: String = {
        var random = SeededRandom(seed: 41)
        let kinds = ["bakery", "\"Caf\u{e9} \"\"Zum\"\"\"", "a\\b", ""]
        let rows = (0..<400).map { number in
            let (east, north) = (Double(random.next(below: 90_000)), Double(random.next(below: 70_000)))
            let spread = [0.00005, 0.0005, 0.0015][random.next(below: 3)]
            // Some at one place.
            let place =
                number % 20 == 0 ? "8.5417,47.3769" : "\(-60 + east * spread),\(-40 + north * spread)"
            let price = ["", "10", "\(random.next(below: 60)).50", "-3", "20.0", "5e1"][random.next(below: 6)]
            return "\(number),\(place),\(kinds[random.next(below: 4)]),\(random.next(below: 2) == 0),\(price)\n"
        }
        return "id,lon,lat,kind,open,price\n" + rows.joined()
    }()

    private static let facets = [
        FacetColumn(name: "kind"), FacetColumn(name: "open"), FacetColumn(name: "price", edges: [0, 10, 20.5, 50]),
    ]

    private static func build(
        _ clustering: ClusteringOptions = ClusteringOptions(maxZoom: 7), codec: TileCodec = .geojson,
        limit: Int? = 12, input: String = csv, facets: [FacetColumn] = facets,
        countBy: CategoryCount = CategoryCount(name: "kind", limit: 2)
    ) throws -> MemoryTileset {
        var clusters = ClusterContentOptions()
        if facets.contains(where: { $0.name == countBy.name }) { clusters.countBy = [countBy] }
        clusters.filterBy = facets
        var build = BuildOptions(
            inputPaths: ["-"], outputPath: "", clustering: clustering, clusters: clusters, jobs: 2)
        build.storage = TileStorage(
            codec: codec, compression: .none, layout: TilesetLayout(bundleLimit: codec == .mvt ? nil : limit))
        return try build.memoryTileset(of: input)
    }

    private static let options = [
        ClusteringOptions(maxZoom: 7),
        ClusteringOptions(position: .centroid, maxZoom: 7), ClusteringOptions(minPoints: 4, minZoom: 1, maxZoom: 7),
        ClusteringOptions(maxZoom: 3, clusterMaxZoom: -1),
        {
            var options = ClusteringOptions(maxZoom: 9, clusterMaxZoom: 6)
            options.coincidentLimit = 3
            options.groupColumn = "open"
            return options
        }(),
    ]

    @Test(arguments: options, [nil, 3, 12, 5000])
    func `right facets have no findings`(options: ClusteringOptions, limit: Int?) throws {
        let tileset = try FacetLieTests.build(options, limit: limit)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    @Test(arguments: TileCodec.allCases)
    func `sets of values have no findings`(codec: TileCodec) throws {
        var random = SeededRandom(seed: 8)
        let values = [
            #"["wifi","vegan"]"#, #"["vegan","wifi","wifi"]"#, #""wifi""#, "[]", "null", #"["1",1,1.0,true]"#,
        ]
        let features = (0..<150).map { _ in
            let place = "\(Double(random.next(below: 9_000)) / 100),\(Double(random.next(below: 7_000)) / 100)"
            return #"{"type":"Feature","geometry":{"type":"Point","coordinates":["# + place
                + #"]},"properties":{"tags":"# + values[random.next(below: 6)] + #","n":2.50}}"#
        }
        let tileset = try FacetLieTests.build(
            codec: codec, input: #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}",
            facets: [FacetColumn(name: "tags"), FacetColumn(name: "n")])
        #expect(try tileset.tileJSON().facets?.counts.keys.contains(#"[["vegan","wifi"],2.5]"#) == true)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    /// Points without ids, whose places in vector tiles are other ones at each zoom.
    @Test(arguments: TileCodec.allCases)
    func `places and parents beside facets have no findings`(codec: TileCodec) throws {
        let tileset = try FacetLieTests.build(codec: codec, limit: nil)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    @Test(arguments: TileCodec.allCases)
    func `texts that begin like arrays have no findings`(codec: TileCodec) throws {
        let texts = ["[[1,2]]", "[[\"\"a\"\",\"\"b\"\"],3]", "[[", "[1]", "[\"\"a\"\"]", "[]"]
        let rows = (0..<60).map { "\(Double($0 % 7) / 8),\(Double($0) / 9),\"\(texts[$0 % texts.count])\"\n" }
        let tileset = try FacetLieTests.build(
            codec: codec, input: "lon,lat,facets\n" + rows.joined(), facets: [FacetColumn(name: "facets")])
        #expect(try tileset.tileJSON().facets?.counts.count == texts.count)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    @Test func `ids that are texts and ids that are numbers have no findings`() throws {
        // Those of each pair had one hash.
        let ids = [#""1""#, "2", #""15""#, "25"]
        let features = ids.enumerated().map { index, id in
            #"{"type":"Feature","id":\#(id),"properties":{},"geometry":{"type":"Point","coordinates":[\#(index * 9),\#(index - 4)]}}"#
        }
        let tileset = try FacetLieTests.build(
            limit: nil, input: "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}",
            facets: [])
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    @Test(arguments: TileCodec.allCases)
    func `numbers that no double holds exactly have no findings`(codec: TileCodec) throws {
        // The second and the third are the same double, as are the last two.
        let values = [
            "7", "0.1", "0.10000000000000001", "-4e-324", "1e-400", "0.12345678901234567", "18446744073709551615",
            "9007199254740993.5", "9007199254740994.5",
        ]
        var random = SeededRandom(seed: 9)
        let rows = (0..<200).map { _ in
            "\(Double(random.next(below: 9_000)) / 100),\(Double(random.next(below: 7_000)) / 100),"
                + values[random.next(below: values.count)]
        }
        let tileset = try FacetLieTests.build(
            codec: codec, input: "lon,lat,n\n" + rows.joined(separator: "\n") + "\n",
            facets: [FacetColumn(name: "n")], countBy: CategoryCount(name: "n", limit: 20))
        #expect(try tileset.tileJSON().facets?.counts.count == values.count)
        #expect(try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.description) == [])
    }

    // MARK: - Lies

    /// Moves one point from a combination to another.
    private static func move(_ facets: inout FacetCounts) -> Bool {
        guard facets.pairs.count >= 2, facets.pairs[0].count > 1 else { return false }
        facets.pairs[0].count -= 1
        facets.pairs[1].count += 1
        return true
    }

    @Test(arguments: options.dropLast(2), [FileAddress.Kind.tile, .bundle])
    func `a point that moves to another combination is found`(options: ClusteringOptions, kind: FileAddress.Kind) throws
    {
        let tileset = try FacetLieTests.build(options, limit: kind == .tile ? 12 : 80)
        try tileset.forge(kind) { $0.editFacets(1, FacetLieTests.move) }
        try tileset.expectWrongContent()
    }

    @Test func `a point that moves to another combination in a vector tile is found`() throws {
        let tileset = try FacetLieTests.build(codec: .mvt)
        let manifest = try tileset.manifest()
        let address = try #require(try tileset.fileList()[.tile].first?.address)
        let tile = address.tile
        let bytes = try tileset.storedBytes(of: address, limitBytes: .max)
        // The digits of two counts have a place each in the text.
        let text = try #require(bytes.firstRange(of: Array("[[".utf8)))
        let digits = bytes[text.lowerBound...].indices.filter {
            bytes[$0 - 1] == UInt8(ascii: ",") && bytes[$0 - 2] == UInt8(ascii: "]")
                && (UInt8(ascii: "2")...UInt8(ascii: "8")).contains(bytes[$0])
        }
        var forged = bytes
        forged[try #require(digits.first)] -= 1
        forged[try #require(digits.dropFirst().first)] += 1
        #expect(try manifest.content.storage.codec.decode(bytes, at: tile).markers.contains { $0.facets != nil })
        try tileset.forge(address, forged)
        #expect(try tileset.kinds().isSubset(of: [.wrongContent, .notATile]) && !tileset.kinds().isEmpty)
    }

    /// The sums of the zoom stay right.
    @Test(arguments: [nil, 12])
    func `two clusters that exchange points are found against the input`(limit: Int?) throws {
        let tileset = try FacetLieTests.build(ClusteringOptions(maxZoom: 7), limit: limit)
        try tileset.forge(.tile) { text in
            var exchanged: (Int, Int)?
            var tried = 0
            guard
                let edited = text.editFacets(
                    1,
                    { facets in
                        tried += 1
                        guard FacetLieTests.move(&facets) else { return false }
                        exchanged = (facets.pairs[0].combination, facets.pairs[1].combination)
                        return true
                    })
            else { return nil }
            // Back, in another cluster.
            return edited.editFacets(tried + 1) { facets in
                guard let (from, to) = exchanged,
                    let index = facets.pairs.firstIndex(where: { $0.combination == to }),
                    let other = facets.pairs.firstIndex(where: { $0.combination == from }),
                    facets.pairs[index].count > 1, facets.pairs[other].count > 1
                else { return false }
                facets.pairs[index].count -= 1
                facets.pairs[other].count += 1
                return true
            }
        }
        try tileset.expectWrongTile()
    }

    @Test(arguments: options.dropLast(2))
    func `records that swap their parents are found against the input`(options: ClusteringOptions) throws {
        let tileset = try FacetLieTests.build(options)
        try tileset.forge(.bundle) { text in
            let parents = text.matches(of: /"parent(?:_id)?":(\d+)/).map(\.output.1)
            guard let first = parents.first, let other = parents.first(where: { $0 != first }) else { return nil }
            return text.with(first, at: other.startIndex..<other.endIndex)
                .with(other, at: first.startIndex..<first.endIndex)
        }
        try tileset.expectWrongTile(isSound: false)
    }

    @Test func `a record with another parent or none is found against the input`() throws {
        for parent in ["", #","parent_id":4503599627370497"#] {
            let tileset = try FacetLieTests.build()
            try tileset.forge(.bundle) { text in
                text.firstMatch(of: /,"parent":\d+/).map { text.with(parent, at: $0.range) }
            }
            try tileset.expectWrongTile(isSound: false)
        }
    }

    @Test(arguments: [FileAddress.Kind.tile, .bundle])
    func `a cluster without the facets that it needs is found`(kind: FileAddress.Kind) throws {
        let tileset = try FacetLieTests.build()
        try tileset.forge(kind) { text in
            text.firstMatch(of: /,"facets":\[\[[\d,]*\],\[[\d,]*\]\]/).map { text.with("", at: $0.range) }
        }
        try tileset.expectWrongContent()
        let details = try PyramidVerifier(tileset: tileset).checkedReport().findings.map(\.detail)
        #expect(details.contains { $0.contains("has no facets") })
    }

    @Test func `facets of a cluster that its bundle has whole are found against the input`() throws {
        let tileset = try FacetLieTests.build()
        try tileset.forge(.bundle) { text in
            guard !text.contains("\"facets\""), let cluster = text.firstMatch(of: /"point_count":(\d+)/) else {
                return nil
            }
            let counts = FacetCounts(pairs: [(0, Int(cluster.output.1) ?? 0)])
            let facets = cluster.output.0 + #","facets":\#(counts.text)"#
            return text.dropLast().with(facets, at: cluster.range) + #","facets":[["bakery",true,[0,10]]]}"#
        }
        try tileset.expectWrongTile(isSound: false)
    }

    @Test(arguments: [
        #"],["zzz",true,null]]}"#, #"],["A",true,null]]}"#,
    ])
    func `a table with more than is needed, or in another order, is found`(end: String) throws {
        let tileset = try FacetLieTests.build()
        try tileset.forge(.bundle) { text in text.ranges(of: "]]}").last.map { text.with(end, at: $0) } }
        try tileset.expectWrongContent()
    }

    private static let tileJSONEdits: [@Sendable (inout TileJSON) -> Void] = [
        { $0.pointCount = 399 }, { $0.clusterDistances?[3] += 1 }, { $0.clusterDistances = nil },
        { $0.countBy?[0].values["bakery"] = 1 }, { $0.countBy?[0].isComplete = true }, { $0.countBy = nil },
        { $0.groupBy = "kind" }, { $0.facets?.columns[0].name = "sort" }, { $0.facets?.columns[2].edges = [0, 10] },
        { $0.facets?.columns.swapAt(0, 1) }, { $0.facets = nil },
    ]

    @Test(arguments: tileJSONEdits.indices)
    func `a TileJSON that tells clients something else than the manifest is found`(index: Int) throws {
        let tileset = try FacetLieTests.build()
        var tileJSON = try tileset.tileJSON()
        FacetLieTests.tileJSONEdits[index](&tileJSON)
        try tileset.seal(try tileset.fileList(), tileJSON, try tileset.manifest())
        let kinds = try tileset.kinds()
        #expect(kinds.contains(.wrongTileJSON) && kinds.isSubset(of: [.wrongTileJSON, .wrongContent]))
    }

    // MARK: - Dates

    private static func buildDates(codec: TileCodec = .geojson) throws -> MemoryTileset {
        let dates = ["2024-03-05", "2024-03-28T12:30", "2024-05-01", "2024-05", "soon", ""]
        let rows = (0..<300).map { "\($0),\($0 % 50),\($0 * 7 % 40),\(dates[$0 * $0 / 3 % 6])\n" }
        return try build(
            codec: codec, limit: nil, input: "id,lon,lat,opened\n" + rows.joined(),
            facets: [FacetColumn(name: "opened", dates: FacetDates(unit: .month))])
    }

    @Test(arguments: TileCodec.allCases)
    func `right dates have no findings`(codec: TileCodec) throws {
        let tileset = try FacetLieTests.buildDates(codec: codec)
        #expect(try tileset.tileJSON().facets?.counts.keys.sorted() == [#"["2024-03"]"#, #"["2024-05"]"#, "[null]"])
        #expect(try tileset.kinds() == [])
    }

    /// A bucket, and the value of a point.
    @Test(arguments: [(#"[["2024-03"]"#, #"[["2024-04"]"#), (#""opened":"2024-05-01""#, #""opened":"2024-06-01""#)])
    func `a date in another month is found`(date: String, other: String) throws {
        let tileset = try FacetLieTests.buildDates()
        try tileset.forge(.tile) { text in
            text.contains(date) ? text.replacing(date, with: other, maxReplacements: 1) : nil
        }
        try tileset.expectWrongContent()
    }

    private static let dateEdits: [@Sendable (inout Facets) -> Void] = [
        { $0.columns[0].dates?.unit = .quarter }, { $0.columns[0].dates?.notation = .milliseconds },
        { $0.columns[0].dates?.notation = DateNotation("DD.MM.YYYY") }, { $0.columns[0].dates?.notation = nil },
        { $0.columns[0].dates = nil }, { $0.counts[#"["2024-04"]"#] = $0.counts.removeValue(forKey: #"["2024-05"]"#) },
    ]

    @Test(arguments: dateEdits.indices)
    func `dates in TileJSON that aren't those of the tiles are found`(index: Int) throws {
        let tileset = try FacetLieTests.buildDates()
        var tileJSON = try tileset.tileJSON()
        var facets = try #require(tileJSON.facets)
        FacetLieTests.dateEdits[index](&facets)
        tileJSON.facets = facets
        try tileset.seal(try tileset.fileList(), tileJSON, try tileset.manifest())
        let kinds = try tileset.kinds()
        #expect(!kinds.isEmpty && kinds.isSubset(of: [.wrongTileJSON, .wrongContent, .damagedTileJSON]), "\(kinds)")
    }

    private static let columnEdits: [@Sendable (inout Manifest, inout TileJSON) -> Void] = [
        { _ = $1.facets?.columns.removeLast() }, { $1.facets?.columns.append(FacetColumn(name: "id")) },
        { manifest, _ in manifest.content.clusters.filterBy.removeLast() },
        { manifest, _ in manifest.content.clusters.filterBy.append(FacetColumn(name: "id")) },
        {
            _ = $1.facets?.columns.removeLast()
            $1.facets?.counts = [#"["bakery",true]"#: 400]
        },
    ]

    @Test(arguments: columnEdits.indices, TileCodec.allCases)
    func `more or fewer columns than combinations have values are found`(index: Int, codec: TileCodec) throws {
        let tileset = try FacetLieTests.build(codec: codec)
        var (manifest, tileJSON) = (try tileset.manifest(), try tileset.tileJSON())
        FacetLieTests.columnEdits[index](&manifest, &tileJSON)
        try tileset.seal(try tileset.fileList(), tileJSON, manifest)
        let kinds = try tileset.kinds()
        #expect(!kinds.isDisjoint(with: [.wrongTileJSON, .damagedTileJSON]))
    }

    @Test func `counts in TileJSON that aren't those of the points are found at every zoom`() throws {
        let tileset = try FacetLieTests.build()
        var tileJSON = try tileset.tileJSON()
        let keys = try #require(tileJSON.facets?.counts.filter { $0.value > 1 }.keys.sorted())
        tileJSON.facets?.counts[keys[0]]? -= 1
        tileJSON.facets?.counts[keys[1]]? += 1
        try tileset.seal(try tileset.fileList(), tileJSON, try tileset.manifest())
        let findings = try PyramidVerifier(tileset: tileset).checkedReport().findings
        #expect(findings.map(\.file) == (0...7).map { "tiles/\($0)" })
        #expect(findings.allSatisfy { $0.kind == .wrongContent })
    }
}

extension MemoryTileset {
    fileprivate func kinds() throws -> Set<Finding.Kind> {
        Set(try PyramidVerifier(tileset: self).checkedReport().findings.map(\.kind))
    }

    /// Expects that a comparison with the input finds a forged file.
    /// - Parameter isSound: whether nothing is found without it.
    fileprivate func expectWrongTile(isSound: Bool = true) throws {
        if isSound { #expect(try kinds() == []) }
        let folder = try TemporaryFolder()
        let input = try folder.file("points.csv", FacetLieTests.csv)
        let report = try InputVerifier(tileset: self, inputPaths: [input], jobs: 2).verify()
        #expect(report.differenceCounts["wrongTile"] == 1)
    }

    fileprivate func expectWrongContent() throws {
        let findings = try PyramidVerifier(tileset: self).checkedReport().findings
        #expect(!findings.isEmpty)
        #expect(findings.filter { $0.kind != .wrongContent }.map(\.description) == [])
    }

    /// Changes the first file for which `edit` returns another text.
    fileprivate func forge(_ kind: FileAddress.Kind, _ edit: (String) -> String?) throws {
        for entry in try fileList()[kind] {
            let body = try storedBytes(of: entry.address, limitBytes: .max)
            guard let text = edit(String(decoding: body, as: UTF8.self)) else { continue }
            return try forge(entry.address, Array(text.utf8))
        }
        Issue.record("nothing to forge")
    }

    /// Replaces a file, and all sizes and checksums.
    fileprivate func forge(_ address: FileAddress, _ body: [UInt8]) throws {
        let crc32 = Gzip.crc32(body)
        let file = StoredFile(byteCount: body.count, crc32: crc32, bodyByteCount: body.count, bodyCRC32: crc32)
        let before = try storedBytes(of: address, limitBytes: .max).count
        var manifest = try manifest()
        let zoom = try #require(manifest.zooms.firstIndex { $0.zoom == address.tile.z })
        manifest.zooms[zoom].bodyBytes += body.count - before
        manifest.zooms[zoom].storedBytes += body.count - before
        let entries = try fileList().entries.map {
            $0.address == address ? FileList.Entry(address: address, file: file) : $0
        }
        body.withUnsafeBytes { write($0, to: address, file) }
        try seal(FileList(entries), try tileJSON(), manifest)
    }

    fileprivate func seal(_ list: FileList, _ tileJSON: TileJSON, _ manifest: Manifest) throws {
        _ = try finish(TilesetMetadata(list: list, tileJSON: tileJSON, manifest: manifest))
    }
}

extension String {
    /// Changes the facets of the first cluster for which `edit` returns `true`, from the n-th cluster with facets on.
    fileprivate func editFacets(_ first: Int, _ edit: (inout FacetCounts) -> Bool) -> String? {
        let clusters = /"point_count":(\d+)(?:(?!"point_count":).)*?"facets":(\[\[([\d,]*)\],\[([\d,]*)\]\])/
        for match in matches(of: clusters).dropFirst(first - 1) {
            let lists = [match.output.3, match.output.4].map { $0.split(separator: ",").compactMap { Int($0) } }
            guard let pointCount = Int(match.output.1) else { continue }
            var facets = FacetCounts(stated: lists, pointCount: pointCount)
            guard edit(&facets) else { continue }
            return with(facets.text, at: match.output.2.startIndex..<match.output.2.endIndex)
        }
        return nil
    }
}

extension StringProtocol where SubSequence == Substring {
    fileprivate func with(_ text: some StringProtocol, at range: Range<Index>) -> String {
        "\(self[..<range.lowerBound])\(text)\(self[range.upperBound...])"
    }
}

extension Marker {
    fileprivate var facets: [FacetCount]? { cluster?.facets }
}
