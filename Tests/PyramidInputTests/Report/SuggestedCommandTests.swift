import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// The commands that messages suggest, run by a shell with names that somebody chose to harm.
struct SuggestedCommandTests {
    private static let evilNames = [
        "a'; touch PWNED; echo '", "a\"; touch PWNED; echo \"", "$(touch PWNED)", "`touch PWNED`", "a\\", "it's lots",
        "x' || touch PWNED #", "-x", "a\ntouch PWNED\n", "a;touch PWNED", "a&touch PWNED", "a|touch PWNED", "a>PWNED",
        "",
    ]

    /// Inputs with something to convert, as text with a collection's or a column's name in it.
    private static var kinds:
        [(tool: String, text: (_ name: String) -> String, options: (_ name: String) -> InputOptions)]
    {
        [
            ("ogr2ogr", { polygons(named: $0) }, { _ in InputOptions() }),
            ("ogr2ogr", { _ in polygons(named: nil) }, { _ in InputOptions() }),
            (
                "ogr2ogr", { "\(field($0 + "y")),\(field($0 + "x"))\n5300000,500000\n5300001,500002\n" },
                { InputOptions(longitudeColumn: $0 + "x", latitudeColumn: $0 + "y") }
            ),
            (
                "ogr2ogr", { "\(field($0 + "p"))\nPOINT(500000 5300000)\nPOINT(500000 5300001)\n" },
                { InputOptions(pointColumn: $0 + "p") }
            ),
            ("ogr2ogr", { _ in GeoJSONText.feature("[500000,5300000]") }, { _ in InputOptions() }),
            ("ogr2ogr", { _ in #"{"type":"Topology","objects":{}}"# }, { _ in InputOptions() }),
            (
                "ogr2ogr",
                {
                    #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":\#(json($0))}},"#
                        + #""features":[]}"#
                },
                { _ in InputOptions() }
            ),
            ("duckdb", { #"{\#(json($0)):1}"# }, { _ in InputOptions() }),
            ("(echo", { _ in "48.5,11.5,a\n" }, { _ in InputOptions() }),
        ]
    }

    private static func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private static func field(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

    private static func polygons(named name: String?) -> String {
        let feature = GeoJSONText.feature("[[[0,0],[2,0],[2,1],[0,0]]]").replacing("\"Point\"", with: "\"Polygon\"")
        let collection = GeoJSONCases.collection(feature, feature)
        return name.map { "\(collection.dropLast()),\"name\":\(json($0))}" } ?? collection
    }

    /// What is said of an input.
    private func messages(_ bytes: [UInt8], name: String, _ options: InputOptions = InputOptions()) -> String {
        do throws(InputError) {
            return try CSVReading.table(bytes, options, name: name).report.warnings.map(spelled)
                .joined(separator: "\n")
        } catch {
            return spelled(error.message)
        }
    }

    private func spelled(_ message: OptionMessage) -> String {
        message.spelled(\.words) { "\($0) | pyramid build - OUT" }
    }

    private func command(_ tool: String, in messages: String) throws -> String {
        let end = " | pyramid build - OUT"
        let last = try #require(messages.ranges(of: end).last, "\(messages)")
        let first = try #require(messages[..<last.lowerBound].ranges(of: tool).last, "\(messages)")
        return String(messages[first.lowerBound..<last.upperBound])
    }

    /// Runs a command in an empty folder, in which every tool prints its arguments instead of working.
    private func arguments(of command: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let tools = ["ogr2ogr", "duckdb", "iconv", "echo", "cat", "curl"]
        let functions = tools.map { "\($0)() { printf '%s\\1' \($0) \"$@\"; }; " }.joined()
        let (status, output) = try run(
            "sh", ["-c", functions + "pyramid() { command cat; }; " + command], in: folder)
        let said = String(decoding: output, as: UTF8.self)
        #expect(status == 0, "\(command)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [], "\(command)")
        return said.split(separator: "\u{1}", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test func `whatever the names, a suggested command has the words it should have and does nothing else`() throws {
        for (index, (tool, text, options)) in SuggestedCommandTests.kinds.enumerated() {
            func words(_ name: String, file: String) throws -> [String] {
                let said = messages(Array(text(name).utf8), name: file, options(name))
                return try arguments(of: try command(tool, in: said))
            }
            let plain = try words("n", file: "f")
            #expect(plain.count > 2)
            for name in SuggestedCommandTests.evilNames {
                let expected = plain.map { word in
                    guard index == 2 || index == 3, word.contains("_POSSIBLE_NAMES=") else {
                        return word.replacing("\"n\"", with: "\"TABLE\"")
                    }
                    return word.replacing("=n", with: "=" + name)
                }
                #expect(try words(name, file: "f") == expected, "\(index): \(name)")
            }
            for name in SuggestedCommandTests.evilNames {
                let expected = plain.map {
                    $0 == "f" ? "FILE" : $0.replacing("'f'", with: "'FILE'").replacing("\"f\"", with: "\"TABLE\"")
                }
                #expect(try words("n", file: name) == expected, "\(index): \(name)")
                #expect(try words("n", file: name + ".json").count == plain.count)
            }
        }
    }

    @Test func `an encoding and a web address don't reach the shell either`() throws {
        for name in SuggestedCommandTests.evilNames {
            let said = messages(Array("lat,lon,n\n1,2,".utf8) + [0xfc], name: name)
            #expect(try arguments(of: try command("iconv", in: said)).last == "FILE")
            let header = messages(Array("lat,lon,".utf8) + [0xfc], name: name)
            #expect(try arguments(of: try command("iconv", in: header)).last == "FILE")
            let address = "https://example.org/\(name)"
            let error = #expect(throws: InputError.self) { try InputBytes(path: address) }
            let curl = try command("curl", in: spelled(try #require(error).problem))
            #expect(try arguments(of: curl) == ["curl", "-fL", address])
        }
    }
}
