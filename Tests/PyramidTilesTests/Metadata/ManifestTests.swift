import Foundation
import Testing

@testable import PyramidTiles

struct ManifestTests {
    /// Every field has a value of its own, and names that could be taken for something else.
    private static let manifest = Manifest(
        generator: #"pyramid "0.1" "checksum": "12345678""#,
        options: ClusteringOptions(
            position: .centroid, clusterDistance: 37, minPoints: 3, minZoom: 2, maxZoom: 11, clusterMaxZoom: 9),
        content: Manifest.ContentOptions(
            columns: .init(pointOrder: .longitudeFirst, idColumn: "iata"), renamed: ["name": "Na_me"],
            properties: ["name", "checksum", "elevationFeet", "elevation_ft", "São"],
            compressionLevel: 5, compressor: "zlib"),
        input: Manifest.InputSummary(
            digest: "0123456789abcdef", rowsRead: 100, rowsAccepted: 93, rowsClamped: 4,
            rowsSkipped: ["noLatitude": 5, "off_the_map": 2]),
        zooms: [
            Manifest.ZoomSummary(
                zoom: 2, tiles: 3, markers: 14, clusters: 15, bodyBytes: 926, storedBytes: 535,
                minimumDistanceUnits: 8_979_323_846),
            Manifest.ZoomSummary(
                zoom: 3, tiles: 4, markers: 24, clusters: 25, bodyBytes: 1_926, storedBytes: 635,
                minimumDistanceUnits: nil),
        ],
        files: [
            "files.tsv": Manifest.FileSummary(of: Array("123456789".utf8)),
            "tile_json.camelCase": Manifest.FileSummary(bytes: 7, crc32: "00000007"),
        ])

    @Test func `a manifest survives the way to bytes and back`() throws {
        let bytes = try ManifestTests.manifest.encoded()
        var read = try Manifest(decoding: bytes)
        #expect(read.checksum != ManifestTests.manifest.checksum)
        read.checksum = ManifestTests.manifest.checksum
        #expect(read == ManifestTests.manifest)
        #expect(read.files["files.tsv"] == Manifest.FileSummary(bytes: 9, crc32: "cbf43926"))
    }

    @Test func `reading and writing again gives the same bytes`() throws {
        let bytes = try ManifestTests.manifest.encoded()
        #expect(try Manifest(decoding: bytes).encoded() == bytes)
    }

    @Test func `the checksum is that of the file with zeros in its place`() throws {
        let text = String(decoding: try ManifestTests.manifest.encoded(), as: UTF8.self)
        let checksum = try Manifest(decoding: Array(text.utf8)).checksum
        let blank = text.replacing(
            #""checksum" : "\#(checksum)""#, with: #""checksum" : "00000000""#, maxReplacements: 1)
        #expect(blank != text)
        #expect(Gzip.crc32(Array(blank.utf8)).hexadecimal == checksum)
    }

    @Test func `keys are in snake case, names of the input stay as they are`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(ManifestTests.manifest.encoded()))
        let manifest = try #require(object as? [String: Any])
        #expect(
            Set(manifest.keys) == [
                "format_version", "generator", "options", "content", "input", "totals", "zooms", "files", "checksum",
            ])
        let input = try #require(manifest["input"] as? [String: Any])
        #expect(input["rows_skipped"] as? [String: Int] == ["noLatitude": 5, "off_the_map": 2])
        let options = try #require(manifest["options"] as? [String: Any])
        #expect(options["cluster_max_zoom"] as? Int == 9)
        #expect(options["position"] as? String == "centroid")
    }

    @Test func `the layout and the codec are stated, and what shapes vector tiles only with these`() throws {
        func text(_ storage: TileStorage) throws -> String {
            let json = try MetadataJSON.encode(storage)
            #expect(try MetadataJSON.decode(TileStorage.self, from: json) == storage)
            return String(decoding: json.filter { $0 > 32 }, as: UTF8.self)
        }
        #expect(
            try text(TileStorage())
                == #"{"compression":"gzip","format":"geojson","layout":"files","suffix":".json"}"#)
        #expect(try text(TileStorage(layout: .bundles(limit: 7))).contains(#""layout":{"bundles":7}"#))
        let vector = try text(TileStorage(codec: .mvt, layout: .archive))
        #expect(vector.contains(#""layer":"points","layout":"archive","#))
        for layout in [#""other""#, "{}", #"{"bundles":0}"#, "7"] {
            let json = #"{"compression":"gzip","format":"geojson","layout":\#(layout),"suffix":".json"}"#
            #expect(throws: MetadataError.self) { try MetadataJSON.decode(TileStorage.self, from: Array(json.utf8)) }
        }
    }

    @Test func `every flipped bit is found`() throws {
        let bytes = try ManifestTests.manifest.encoded()
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(throws: MetadataError.self, "bit \(bit) of byte \(index)") { try Manifest(decoding: damaged) }
            }
        }
    }

    @Test func `a manifest that lost its end or its beginning is refused`() throws {
        let bytes = try ManifestTests.manifest.encoded()
        for count in 0..<bytes.count {
            #expect(throws: MetadataError.self) { try Manifest(decoding: Array(bytes.prefix(count))) }
            #expect(throws: MetadataError.self) { try Manifest(decoding: Array(bytes.dropFirst(count + 1))) }
        }
        #expect(throws: MetadataError.self) { try Manifest(decoding: bytes + [UInt8(ascii: "\n")]) }
    }

    @Test(arguments: [1, 2, 4])
    func `another format version is refused by its number`(version: Int) throws {
        var manifest = ManifestTests.manifest
        manifest.formatVersion = version
        let bytes = try manifest.encoded()
        let error = #expect(throws: MetadataError.self) { try Manifest(decoding: bytes) }
        #expect(
            error?.description
                == "has format version \(version), expected 3: another version of pyramid wrote it; build it again")
    }
}
