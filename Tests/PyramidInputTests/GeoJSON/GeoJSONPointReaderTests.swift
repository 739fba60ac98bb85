import Foundation
import PyramidBuild
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct GeoJSONPointReaderTests {
    @Test(
        arguments: GeoJSONCases.shapes + GeoJSONCases.coordinates + GeoJSONCases.contents + GeoJSONCases.broken
            + OddGeoJSONCases.arrays + OddGeoJSONCases.others + OddGeoJSONCases.deep)
    func `an input comes to what the rules say`(given: InputCase) {
        #expect(CSVReading.outcome(given.bytes, given.options, name: "t.json") == given.outcome)
    }

    @Test func `bad features are shown with their lines and numbers`() throws {
        let features = [
            GeoJSONText.feature(), GeoJSONText.feature("[1,91]"), "{\"type\":\n\"Feature\"}",
            GeoJSONText.feature("[1]"),
            #"{"type":"Feature","geometry":{"type":"Polygon"}}"#, GeoJSONText.feature("[1,2]", #","geometry":null"#),
            "7",
        ]
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}"
        let report = try CSVReading.table(text, name: "t.json").report
        #expect(
            report.examples.map(\.description) == [
                "t.json:3: feature 2: latitude is \"91\", expected degrees from -90 to 90",
                "t.json:4: feature 3: geometry is missing, expected a Point",
                "t.json:6: feature 4: latitude is missing, expected degrees from -90 to 90",
                "t.json:7: feature 5: geometry is \"Polygon\", expected a Point",
                "t.json:8: feature 6: feature has its type or geometry twice, expected each once",
                "t.json:9: feature 7: row is \"7\", expected a Feature",
            ])
        #expect(report.rowsRead == 7 && report.rowsAccepted == 1)
    }

    @Test func `features are numbered in their own array`() throws {
        let (good, bad) = (GeoJSONText.feature(), GeoJSONText.feature("[1,91]"))
        let report = try CSVReading.table("[\(good),\(bad)]\n[\(good),\(good),\(bad)]", name: "t.json").report
        #expect(
            report.examples.map { $0.description.prefix { $0 != "l" } } == [
                "t.json:1: feature 2: ", "t.json:2: feature 3: ",
            ])
    }

    private static let values = #"""
        { "s" : "a\u00e9\/\"\n\u0001\ud83d\ude00", "n": -1.50e3, "z": 0, "t": true, "f": false, "null": null,
          "k\u0065y \"": [ 1, "b c", { "d" : [ ], "e\t" : null } ], "": {} , "big": 12345678901234567890 }
        """#

    @Test func `values are written as JSON of the same meaning, and always in the same way`() throws {
        let table = try CSVReading.table(
            GeoJSONText.feature("[1,2]", #","properties":\#(GeoJSONPointReaderTests.values)"#), name: "t.json")
        let written = try #require(CSVReading.properties(table).first)
        #expect(
            written == #"{"s":"aé/\"\n\u0001😀","n":-1.50e3,"z":0,"t":true,"f":false,"#
                + #""key \"":[1,"b c",{"d":[],"e\t":null}],"":{},"big":12345678901234567890}"#)
        let object = { (text: String) in
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        }
        let expected = try #require(try object(GeoJSONPointReaderTests.values).mutableCopy() as? NSMutableDictionary)
        expected.removeObject(forKey: "null")
        #expect(try object(written) == expected)
        #expect(
            table.fields == [
                "s": "String", "n": "Number", "z": "Number", "t": "Boolean", "f": "Boolean", "null": "String",
                "key \"": "String", "": "String", "big": "Number",
            ])
        #expect(table.propertyNames == ["", "big", "f", "key \"", "n", "null", "s", "t", "z"])
    }

    @Test func `names can be left out, chosen, and give way to those of clusters`() throws {
        let text = GeoJSONText.feature(
            "[1,2]", #","id":"x","properties":{"b":1,"clust\u0065r":2,"a":"3","cluster_":4}"#)
        let properties = { (options: InputOptions) in
            CSVReading.properties(try CSVReading.table(text, options, name: "t.json")).first
        }
        #expect(try properties(InputOptions()) == #"{"b":1,"cluster__":2,"a":"3","cluster_":4}"#)
        #expect(try properties(InputOptions(include: ["A", "b"])) == #"{"b":1,"a":"3"}"#)
        #expect(try properties(InputOptions(exclude: ["b"])) == #"{"cluster__":2,"a":"3","cluster_":4}"#)
        #expect(try properties(InputOptions(idColumn: "a")) == #"{"b":1,"cluster__":2,"cluster_":4}"#)
        #expect(try properties(InputOptions(idColumn: "a", include: ["a"])) == #"{"a":"3"}"#)
    }

    @Test func `ids are written as they are`() throws {
        let text = [#""id":7"#, #""id":"0\u0037""#, #""id":-1.0"#, #""id":"""#, #""x":1"#].enumerated()
            .map { GeoJSONText.feature("[1,\($0.offset)]", ",\($0.element)") }.joined()
        let features = CSVReading.features(try CSVReading.table(text, name: "t.json"))
        #expect(
            features.map { $0.prefix(9) } == [
                #""id":7,"g"#, #""id":"07""#, #""id":-1.0"#, #""geometry"#, #""geometry"#,
            ])
    }

    @Test func `columns are read by name`() throws {
        let table = try CSVReading.table(
            GeoJSONText.feature("[1,2]", #","properties":{"v":"a\tb","w":1}"#)
                + GeoJSONText.feature("[1,3]", #","properties":{"w":null,"v":[1, "\u0061"]}"#)
                + GeoJSONText.feature("[1,4]", #","properties":{"\u0076":false}"#) + GeoJSONText.feature(),
            name: "t.json")
        let column = try table.column(named: "V", option: .priority)
        var texts: [String] = []
        table.forEachText(of: column) { point, text, _ in
            #expect(point == texts.count)
            texts.append(String(decoding: text, as: UTF8.self))
        }
        #expect(texts == ["a\tb", "[1,\"a\"]", "false", ""])
        #expect(try !column.isNumber && table.column(named: "w", option: .priority).isNumber)
        #expect(throws: InputError.self) { try table.column(named: "u", option: .priority) }

        var encoder = GeoJSONTileEncoder()
        var row = EncodedRow(table)
        row.column = column
        encoder.begin()
        for point in 0..<table.count {
            row.move(to: point)
            encoder.append(&row)
        }
        encoder.finish()
        let json = encoder.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(
            json.split(separator: #""properties":"#).dropFirst().map { $0.prefix { $0 != "}" } } == [
                #"{"v":"a\tb""#, #"{"v":[1,"a"]"#, #"{"v":false"#, "{",
            ])
    }

    @Test func `a name that only bad features have is no column`() throws {
        let text =
            GeoJSONText.feature("[1,99]", #","properties":{"x":1}"#)
            + GeoJSONText.feature("[1,2]", #","properties":{"y":1}"#)
        #expect(try CSVReading.table(text, name: "t.json").propertyNames == ["y"])
        let names = (0...InputLimits.columns).map { "\"c\($0)\":1" }.joined(separator: ",")
        #expect(
            CSVReading.outcome(Array(GeoJSONText.feature("[1,2]", ",\"properties\":{\(names)}").utf8), name: "t.json")
                == "badData: t.json: has more than 16384 different property names")
    }

    /// What only costs the value, and never the point: the rest of a feature, and what is left of its properties and id.
    @Test(arguments: [
        (#""properties":{"a":1,"n":NaN,"i":Infinity,"m":-Infinity}"#, #"{"a":1}"#),
        (#""properties":{"a":1,"n":[1,{"b":NaN}]}"#, #"{"a":1}"#),
        (#""properties":{"a":1,"b":2,"\u0061":3}"#, #"{"b":2,"a":3}"#),
        (#""properties":{"a":[{"b":1,"b":2}],"c":4}"#, #"{"c":4}"#),
        (#""properties":{"a":1},"properties":{"b":2}"#, #"{"b":2}"#),
        (#""properties":{"a":1e400,"b":[-1e999],"c":1e300}"#, #"{"c":1e300}"#),
        (#""properties":{"a":"\ud800","\udc00\ud800":1,"b":"\ud83d\ude00"}"#, #"{"b":"😀"}"#),
        (#""properties":[1]"#, "{}"), (#""properties":"a""#, "{}"),
        (#""id":true,"properties":{"a":1}"#, #"{"a":1}"#), (#""id":{},"properties":{"a":1}"#, #"{"a":1}"#),
        (#""id":NaN,"properties":{"a":1}"#, #"{"a":1}"#), (#""id":1e400,"properties":{"a":1}"#, #"{"a":1}"#),
    ])
    func `a value that can't be used is left out and counted`(members: String, properties: String) throws {
        let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,7]},\#(members)}"#
        for text in [feature, GeoJSONCases.collection(GeoJSONText.feature(), feature)] {
            let table = try CSVReading.table(text, name: "t.json")
            #expect(table.report.rowsSkipped.isEmpty)
            #expect(table.report.notes.count == 1)
            #expect(table.report.notes[0].description.contains("t.json:1"))
            #expect(CSVReading.properties(table).last == properties)
            #expect(CSVReading.features(table).last?.contains(#""id":"#) == false)
        }
    }

    private static let sample: [String] = [
        GeoJSONCases.collection(
            GeoJSONText.feature("[1,2]", #","id":"a","properties":{"n":"x\u00e9","l":[1,{"k":null}]}"#),
            GeoJSONText.feature()),
        "{\"features\":[\(GeoJSONText.feature())],\"type\":\"FeatureCollection\"}\n",
        "\(GeoJSONText.feature("[1,2]", #","properties":{"n":"x"}"#))\n\u{1e}\(GeoJSONText.feature())\n",
    ]

    @Test(arguments: sample)
    func `an input that is cut anywhere is refused or says what was lost`(text: String) throws {
        let bytes = Array(text.utf8)
        let isCollection = text.contains("FeatureCollection")
        for length in 0..<bytes.count {
            do throws(InputError) {
                let report = try CSVReading.table(Array(bytes[..<length]), name: "t.json").report
                let isWhole = bytes[length...].allSatisfy { $0 == 0x0a }
                #expect(isWhole || !isCollection, "\(length)")
                let line = bytes[..<length].split(separator: 0x0a, omittingEmptySubsequences: false).last ?? []
                let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
                let lost = line.contains(UInt8(ascii: "{")) && !lines.contains(line)
                #expect(report.rowsSkipped == (lost ? [.invalidJSON: 1] : [:]), "\(length)")
            } catch {
                #expect(
                    error.kind == .badData || length == 0 || error.kind == .usage && length < 4, "\(length) \(error)")
            }
        }
    }

    @Test func `no row is lost in mangled input`() throws {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("\"\"{}[],,:\\\n\r\u{1e}a1.5-e\0 tfn".utf8) + [0xff, 0xc3, 0xa9]
        for round in 0..<3_000 {
            var bytes = Array(GeoJSONPointReaderTests.sample[round % 3].utf8)
            for _ in 0..<random.next(below: 6) {
                let place = 1 + random.next(below: bytes.count - 1)
                if random.next(below: 2) == 0 {
                    bytes.insert(alphabet[random.next(below: alphabet.count)], at: place)
                } else {
                    bytes.remove(at: place)
                }
            }
            do throws(InputError) {
                let table = try CSVReading.table(bytes, name: "t.json")
                let report = table.report
                #expect(report.rowsRead == report.rowsAccepted + report.rowsSkipped.values.reduce(0, +))
                for feature in CSVReading.features(table) {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data("{\(feature)}".utf8)) }
                }
            } catch {
                #expect(error.kind == .badData)
            }
        }
    }

    @Test func `a collection within a broken text is refused whatever the jobs`() {
        let feature = GeoJSONText.feature()
        let broken = "{\"a\":[\n{\"b\":[\n{\"type\":\"FeatureCollection\",\"oops\n"
        let text = Array((feature + "\n" + broken + String(repeating: feature + "\n", count: 20)).utf8)
        func outcome(jobs: Int) -> String {
            do throws(InputError) {
                let table = try PointTable(
                    reading: [InputBytes(text, name: "t")], options: InputOptions().lenient,
                    cutting: InputCutting(jobs: jobs, chunkBytes: 30))
                return "\(table.report.rowsSkipped)"
            } catch { return error.description }
        }
        #expect(outcome(jobs: 2) == outcome(jobs: 1))
        #expect(outcome(jobs: 1).contains("FeatureCollection has"))
    }

    @Test func `a value that is no character outside the properties costs no property`() throws {
        let text =
            #"{"type":"Feature","note":"\ud800","properties":{"a":1},"geometry":{"type":"Point","coordinates":[8,7]}}"#
        #expect(try CSVReading.properties(CSVReading.table(text, name: "t.json")) == [#"{"a":1}"#])
    }

    @Test func `brackets that never close are read in linear time`() throws {
        let text = "\(GeoJSONText.feature())\n" + String(repeating: "{\"a\":[\n", count: 200_000)
        let report = try CSVReading.table(text, name: "t.json").report
        #expect(report.rowsAccepted == 1)
        #expect(report.rowsRead == 1 + report.rowsSkipped.values.reduce(0, +))
    }

    @Test func `a feature that is too long is skipped and the next is read`() {
        let long = GeoJSONText.feature("[1,2]", #","x":"\#(String(repeating: "y", count: InputLimits.rowBytes))""#)
        let text = GeoJSONCases.collection(long, GeoJSONText.feature("[3,4]"))
        #expect(CSVReading.outcome(Array(text.utf8), name: "t.json") == "3000000/4000000, row too long 1")
    }

    @Test func `the digest tells features apart and not their order or wrapping`() throws {
        let digest = { (text: String) in try CSVReading.table(text, name: "t.json").report.digest }
        let features = (0..<9).map { GeoJSONText.feature("[1,\($0)]", #","properties":{"v":\#($0)}"#) }
        let expected = try digest(features.joined(separator: "\n"))
        #expect(
            try digest("{\"type\":\"FeatureCollection\",\"features\":[\(features.reversed().joined(separator: ", "))]}")
                == expected)
        #expect(try digest(features.dropLast().joined()) != expected)
    }
}
