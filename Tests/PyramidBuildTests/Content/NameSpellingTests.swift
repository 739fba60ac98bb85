import Foundation
import PyramidParts
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput

/// Texts that Unicode treats as the same although their bytes differ, where they would be names.
@Suite struct NameSpellingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var inputs: [String]
        var codec = TileCodec.geojson
        var filterBy: [String] = []
        var countBy: [CategoryCount] = []
        /// Where the message says that the spellings are.
        let place: String
        var spellings = "U+0065 U+0301 and with U+00E9"
    }

    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    private static func rows(_ texts: [String], name: String = "kind,n") -> String {
        "\(name),lat,lon\n" + texts.enumerated().map { "\($1),\(40 + $0),\(-7 * $0)\n" }.joined()
    }

    private static let features = [composed, decomposed, "x"].enumerated().map { index, tag in
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(-9 * index),\#(index)]},"#
            + #""properties":{"tags":["x",\#(index == 0 ? #""caf\u00e9""# : #""\#(tag)""#)]}}"#
    }.joined(separator: "\n")

    private static let values = rows(["\(composed),1", "\(decomposed),2", "x,3"])

    static let cases = [
        Case(
            testDescription: "counts in GeoJSON", inputs: [values], countBy: [CategoryCount(name: "kind", limit: 1)],
            place: #"points0.csv: the column "kind" of count by has the value"#),
        Case(
            testDescription: "counts in vector tiles", inputs: [values], codec: .mvt,
            countBy: [CategoryCount(name: "n"), CategoryCount(name: "kind")],
            place: #"points0.csv: the column "kind" of count by has the value"#),
        Case(
            testDescription: "counts of a letter that is also a sign", inputs: [rows(["\u{212a}9,1", "K9,1"])],
            countBy: [CategoryCount(name: "kind")], place: #"the column "kind" of count by has the value"#,
            spellings: "U+004B and with U+212A"),
        Case(
            testDescription: "counts of several inputs",
            inputs: [rows(["\(decomposed),1"]), rows(["\(composed),1"])], countBy: [CategoryCount(name: "kind")],
            place: #"2 inputs: the column "kind" of count by has the value"#),
        Case(
            testDescription: "facets that other columns tell apart", inputs: [values], filterBy: ["n", "kind"],
            place: #"points0.csv: the column "kind" of filter by has the value"#),
        Case(
            testDescription: "facets in arrays", inputs: [features], codec: .mvt, filterBy: ["tags"],
            place: #"points0.csv: the column "tags" of filter by has the value"#),
        Case(
            testDescription: "a header", inputs: [rows(["a,b"], name: "\(composed),\(decomposed)")],
            place: "points0.csv:1: two columns have the name"),
        Case(
            testDescription: "properties",
            inputs: [
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"#
                    + "\"\(decomposed)\":1,\"\(composed)\":2}}"
            ],
            place: "points0.csv: two columns have the name"),
        Case(
            testDescription: "headers of several inputs",
            inputs: [rows(["a,b"], name: "\(composed),n"), rows(["a,b"], name: "n,\(decomposed)")],
            place: "2 inputs: two columns have the name"),
    ]

    private func build(_ choice: Case, in folder: TemporaryFolder, limits: PartLimits? = nil) throws {
        var clusters = ClusterContentOptions(countBy: choice.countBy)
        clusters.filterBy = choice.filterBy.map { FacetColumn(name: $0) }
        var options = BuildOptions(
            inputPaths: try choice.inputs.enumerated().map { try folder.file("points\($0).csv", $1) },
            outputPath: folder.path("out"), clustering: ClusteringOptions(maxZoom: 6), clusters: clusters)
        options.storage = TileStorage(codec: choice.codec)
        if limits != nil { options.memoryLimit = .bytes(1 << 40) }
        var builder = PyramidBuilder(options: options)
        builder.partLimits = limits
        _ = try builder.build()
    }

    private func message(_ choice: Case, limits: PartLimits? = nil) throws -> String {
        let folder = try TemporaryFolder()
        let error = #expect(throws: InputError.self) { try build(choice, in: folder, limits: limits) }
        #expect(error?.kind == .badData)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out/tiles")))
        return (error?.message.description ?? "").replacing(folder.path(""), with: "")
    }

    @Test(arguments: cases)
    func `two spellings of a name are refused, whatever their order`(choice: Case) throws {
        let found = try message(choice)
        #expect(found.contains(choice.place))
        #expect(found.contains("with \(choice.spellings), which"))
        var other = choice
        other.inputs = choice.inputs.map { input in
            let lines = input.split(separator: "\n", omittingEmptySubsequences: false)
            return input.hasPrefix("{")
                ? input : (lines.prefix(1) + lines.dropFirst().reversed()).joined(separator: "\n")
        }
        #expect(try message(other) == found)
    }

    @Test(arguments: cases)
    func `one spelling of each name is as good as another`(choice: Case) throws {
        for form in [\String.decomposedStringWithCanonicalMapping, \.precomposedStringWithCanonicalMapping] {
            var one = choice
            one.inputs = choice.inputs.map { $0.replacing(#"\u00e9"#, with: "\u{e9}")[keyPath: form] }
            #expect(throws: Never.self) { try build(one, in: try TemporaryFolder()) }
        }
    }

    @Test func `two columns may spell a value in two ways`() throws {
        let rows = NameSpellingTests.rows(["\(NameSpellingTests.composed),\(NameSpellingTests.decomposed)"])
        let choice = Case(
            testDescription: "", inputs: [rows], filterBy: ["kind", "n"],
            countBy: [CategoryCount(name: "kind"), CategoryCount(name: "n")], place: "")
        #expect(throws: Never.self) { try build(choice, in: try TemporaryFolder()) }
    }

    @Test func `a build in parts refuses them before it writes anything`() throws {
        var texts = (0..<40).map { "k\($0 % 3),1" }
        texts[3] = "\(NameSpellingTests.composed),1"
        texts[36] = "\(NameSpellingTests.decomposed),1"
        let choice = Case(
            testDescription: "", inputs: [NameSpellingTests.rows(texts)], countBy: [CategoryCount(name: "kind")],
            place: "")
        let limits = PartLimits(rowsRead: 20, rowsPerPart: 10, joinMarkers: 4096, copiesRows: false)
        #expect(try message(choice, limits: limits) == message(choice))
    }
}
