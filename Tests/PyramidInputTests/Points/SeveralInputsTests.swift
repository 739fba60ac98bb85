import Foundation
import PyramidClusters
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

struct SeveralInputsTests {
    private func table(_ texts: [String], _ options: InputOptions = InputOptions()) throws(InputError) -> PointTable {
        let inputs = texts.enumerated().map { InputBytes(Array($0.element.utf8), name: "\($0.offset).txt") }
        return try PointTable(reading: inputs, options: options.lenient)
    }

    /// A description of the points that doesn't depend on the order of the inputs.
    private func content(_ texts: [String], _ options: InputOptions = InputOptions()) throws -> [String] {
        let table = try table(texts, options)
        return [
            "\(table.propertyNames) \(table.fields.sorted { $0.key < $1.key }) \(table.report.digest)",
            "\(table.report.rowsRead) \(table.report.rowsSkipped.sorted { $0.key.rawValue < $1.key.rawValue })",
        ] + (0..<table.count).sorted(by: table.rowPrecedes).map { CSVReading.features(table)[$0] }
    }

    private func everyOrder(of texts: [String]) -> [[String]] {
        guard let first = texts.first else { return [[]] }
        return everyOrder(of: Array(texts.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    @Test func `columns of one name are one, and the order of the inputs does not show`() throws {
        let texts = [
            "lat,lon,b,a\n1,2,x,5\n3,4,y,6\n", "lon;c;lat;b\n-1;7;-2;\n-3;q;-4;z\n",
            GeoJSONText.feature("[9,9]", #","properties":{"c":true,"d":{"e":1},"a":"text"}"#),
        ]
        let expected = try content(texts)
        #expect(
            expected.dropFirst(2) == [
                #""geometry":{"type":"Point","coordinates":[-1,-2]},"properties":{"c":"7"}"#,
                #""geometry":{"type":"Point","coordinates":[-3,-4]},"properties":{"b":"z","c":"q"}"#,
                #""geometry":{"type":"Point","coordinates":[2,1]},"properties":{"a":"5","b":"x"}"#,
                #""geometry":{"type":"Point","coordinates":[4,3]},"properties":{"a":"6","b":"y"}"#,
                #""geometry":{"type":"Point","coordinates":[9,9]},"properties":{"c":true,"d":{"e":1},"a":"text"}"#,
            ])
        #expect(try table(texts).propertyNames == ["a", "b", "c", "d"])
        for order in everyOrder(of: texts) { #expect(try content(order) == expected) }
    }

    @Test func `inputs with one header are what their rows under one header are`() throws {
        let header = "name,lat,lon,n\n"
        let whole = try content([header + "b,1,2,1\na,3,4,x\nc,5,6,3\nd,91,0,4\n"])
        for order in everyOrder(of: [header + "b,1,2,1\n", header + "a,3,4,x\nd,91,0,4\n", header, header + "c,5,6,3"])
        {
            #expect(try content(order) == whole)
        }
        #expect(try table([header + "b,1,2,1\n", header + "a,3,4,2\n"]).fields["n"] == "Number")
    }

    @Test func `an id is kept once in all inputs, the same row in every order`() throws {
        let texts = [
            "k,lat,lon,n\n1,2,3,x\n2,3,4,y\n", "k,lat,lon,n\n1,2,4,z\n3,1,1,w\n",
            GeoJSONText.feature("[7,7]", #","properties":{"k":2}"#), "lat,lon\n5,5\n",
        ]
        let options = InputOptions(idColumn: "k")
        let expected = try content(texts, options)
        #expect(expected[1].contains("duplicateID, value: 2") && expected[1].contains("missingID, value: 1"))
        for order in everyOrder(of: texts) { #expect(try content(order, options) == expected) }
    }

    @Test func `rows of the same bytes and of different headers have an order`() throws {
        let texts = ["lat,lon,a\n1,2,x\n", "lat,lon,b\n1,2,x\n", "lat;lon;a\n1;2;x\n"]
        let expected = try content(texts)
        for order in everyOrder(of: texts) { #expect(try content(order) == expected) }
    }

    @Test func `messages name their own input`() throws {
        let texts = ["lat,lon\n1,x\n", "\n" + GeoJSONText.feature("[1,95]") + "\n", "lat,lon\n1,2\n"]
        #expect(
            try table(texts).report.examples.map(\.description) == [
                "0.txt:2: longitude is \"x\", expected degrees from -180 to 180",
                "1.txt:2: latitude is \"95\", expected degrees from -90 to 90",
            ])
        let message = { (texts: [String], options: InputOptions) -> String in
            do throws(InputError) { return "\(try table(texts, options).count)" } catch {
                return "\(error.kind): \(error)"
            }
        }
        #expect(
            message(texts, InputOptions(isStrict: true)).hasPrefix("badData: 0.txt: skipped 1 of 1 row (unreadable "))
        #expect(
            message([texts[2], texts[1]], InputOptions(isStrict: true)).contains("; 1.txt:2: latitude is \"95\", "))
        #expect(message([texts[2], ""], InputOptions()) == "badData: 1.txt: is empty, expected a header and rows")
        #expect(message([texts[0], texts[0]], InputOptions()).hasPrefix("badData: 2 inputs: none of 2 rows is usable"))
        #expect(
            message([texts[2], "lat,lon,n\n1,2,3"], InputOptions(include: ["m"]))
                == #"usage: 2 inputs: no column "m" for include, expected one of "lat", "lon", "n""#)
        #expect(
            message(texts, InputOptions(idColumn: "k")).hasPrefix("usage: 3 inputs: no column \"k\" for id column"))
        #expect(message([texts[2], "lat,lon,n\n1,2,3"], InputOptions(include: ["n"])) == "2")
    }
}

/// Whole tilesets of the same points in other formats and files.
@Suite(.tags(.slow)) struct InputFormatTests {
    private static let clustering = ClusteringOptions(maxZoom: 6)

    private struct Row {
        var name: String
        var coordinates: String
        var rank: Int

        var csv: String {
            let degrees = coordinates.split(separator: ",")
            return "\"\(name.replacing("\"", with: "\"\""))\",\(degrees[0]),\(degrees[1]),\(rank)\n"
        }
        var feature: String {
            let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return GeoJSONText.feature("[\(coordinates)]", #","properties":{"name":"\#(quoted)","rank":\#(rank)}"#)
        }
    }

    private static let rows: [Row] = {
        var random = SeededRandom(seed: 8)
        return PointScatter.points(.everywhere, count: 300, random: &random).enumerated().map { index, point in
            let place = WebMercator.unproject(point)
            return Row(
                name: "é \(index) \"a\"\n\\", coordinates: "\(place.longitude),\(place.latitude)", rank: index % 9)
        }
    }()

    private static func csv(_ rows: some Sequence<Row>) -> String { "name,lon,lat,rank\n" + rows.map(\.csv).joined() }
    private static func lines(_ rows: some Sequence<Row>) -> String { rows.map { $0.feature + "\n" }.joined() }
    private static func collection(_ rows: some Sequence<Row>) -> String {
        "{\"name\":\"x\",\"features\":[\(rows.map(\.feature).joined(separator: " ,\n"))],\"type\":\"FeatureCollection\"}"
    }

    private func files(_ texts: [String]) throws -> [String: Data] {
        let pyramid = try BuiltPyramid(inputs: texts.map { Data($0.utf8) }, clustering: InputFormatTests.clustering)
        let findings = PyramidVerifier(tileset: pyramid.directory, jobs: 2).verify().findings
        #expect(findings.isEmpty, "\(findings.map(\.description))")
        return try pyramid.files()
    }

    private func tiles(_ files: [String: Data]) -> [String: Data] {
        files.filter { $0.key.hasPrefix("tiles") }
    }

    @Test func `the same points have the same tiles, whatever the format and the files`() throws {
        let rows = InputFormatTests.rows
        let (low, middle, high) = (rows[..<90], rows[90..<200], rows[200...])
        let expected = try files([InputFormatTests.csv(rows)])
        #expect(
            try files([InputFormatTests.csv(high), InputFormatTests.csv(low), InputFormatTests.csv(middle)]) == expected
        )
        let geoJSON = try files([InputFormatTests.lines(rows)])
        #expect(tiles(geoJSON) == tiles(expected))
        #expect(try files([InputFormatTests.collection(rows)]) == geoJSON)
        #expect(
            try files([InputFormatTests.lines(high), InputFormatTests.collection(low), InputFormatTests.lines(middle)])
                == geoJSON)
        let mixed = [InputFormatTests.csv(low), InputFormatTests.lines(middle), InputFormatTests.collection(high)]
        let first = try files(mixed)
        #expect(tiles(first) == tiles(expected))
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(try files(order.map { mixed[$0] }) == first)
        }
    }

    @Test func `gzip data is read as what is in it`() throws {
        let rows = InputFormatTests.rows
        let texts = [InputFormatTests.csv(rows[..<9]), InputFormatTests.lines(rows[9...])]
        let zipped = try BuiltPyramid(
            inputs: [Data(Array(texts[1].utf8).gzipped()), Data(texts[0].utf8)], clustering: InputFormatTests.clustering
        )
        #expect(try zipped.files() == files(texts))
    }

    @Test func `values of every kind stand in sound tiles`() throws {
        var text = ""
        for index in 0..<200 {
            let deep = String(repeating: "[", count: index % 58) + String(repeating: "]", count: index % 58)
            text += GeoJSONText.feature(
                "[\(index % 20),\(index / 20),9]",
                #","id":"\#(index)\u0007","properties":{"cluster":true,"a":{"b":[1,"\ud83d\ude00",null]},"d":\#(deep.isEmpty ? "-0.0" : deep),"\n":1e300}"#
            )
        }
        let pyramid = try BuiltPyramid(inputs: [Data(text.utf8)], clustering: InputFormatTests.clustering)
        #expect(PyramidVerifier(tileset: pyramid.directory, jobs: 2).verify().findings.map(\.description) == [])
        let markers = try pyramid.markers(atZoom: 6)
        #expect(markers.count == 200)
        let properties = try #require(markers.first?.marker.point).properties
        #expect(properties["a"] == .object(["b": .array([1, "😀", .null])]))
        #expect(properties["cluster_"] == true)
        #expect(properties["\n"] == 1e300)
    }
}
