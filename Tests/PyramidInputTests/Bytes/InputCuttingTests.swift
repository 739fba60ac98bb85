import TestSupport
import Testing

@testable import PyramidInput
@testable import PyramidTiles

/// Reading an input in several parts at once gives the same result as reading it from start to end.
@Suite(.tags(.slow)) struct InputCuttingTests {
    /// Everything that reading results in.
    private enum Reading: Equatable {
        case points(longitudes: [Int32], latitudes: [Int32], starts: [UInt64], InputReport, fields: [String: String])
        case failure(InputError)

        init(_ bytes: [UInt8], _ options: InputOptions, jobs: Int, chunkBytes: Int) {
            do throws(InputError) {
                let table = try PointTable(
                    reading: [InputBytes(bytes, name: "t")], options: options.lenient,
                    cutting: InputCutting(jobs: jobs, chunkBytes: chunkBytes))
                self = .points(
                    longitudes: table.longitudes, latitudes: table.latitudes, starts: table.rowStarts, table.report,
                    fields: table.fields)
            } catch {
                self = .failure(error)
            }
        }
    }

    private func expectSame(_ bytes: [UInt8], _ options: InputOptions, chunkBytes: [Int]) {
        for isStrict in [false, true] {
            var options = options
            options.isStrict = isStrict
            let expected = Reading(bytes, options, jobs: 1, chunkBytes: .max >> 1)
            for size in chunkBytes {
                #expect(
                    Reading(bytes, options, jobs: 2, chunkBytes: size) == expected,
                    "\(size) bytes of \(String(reflecting: String(decoding: bytes, as: UTF8.self)))")
            }
            #expect(Reading(bytes, options, jobs: 1, chunkBytes: chunkBytes[0]) == expected)
        }
    }

    @Test(
        arguments: CSVCases.shapes + CSVCases.coordinates + CSVCases.refusals + OddCSVCases.encodings
            + OddCSVCases.headers + OddCSVCases.numbers + OddCSVCases.preambles)
    func `CSV may be cut anywhere`(given: InputCase) {
        expectSame(given.bytes, given.options, chunkBytes: [1, 2, 3, 7, 12, 30])
    }

    private static func pick<Element>(_ choices: [Element], _ random: inout SeededRandom) -> Element {
        choices[random.next(below: choices.count)]
    }

    /// Sound rows, with more and more faults among them.
    private static func csv(rows: Int, faults: Int, _ random: inout SeededRandom) -> [UInt8] {
        let sound = [
            "x", "", "7", "-3.5", "\"a,b\"", "\"a\nb\"", "\"\r\n\n\"", "\"x\"\"y\"", "5\" pipe", "é", "\"\n1,2,3,4\n\"",
        ]
        let faulty = [
            "\"", "\"a\" b", "a,b", "\0", "\n\"", "\"\"\"", "\"\n", "\u{FEFF}", String(repeating: "long", count: 40),
        ]
        let lineEnds = [["\n"], ["\r\n"], ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"]]
        let ends = pick(lineEnds, &random)
        var text = pick(["", "\u{FEFF}"], &random) + "id,lat,lon,n" + pick(ends, &random)
        for row in 0..<rows {
            let isFaulty = random.next(below: 100) < faults
            let id = random.next(below: 10) == 0 ? "\(random.next(below: rows))" : "\(row)"
            let latitude =
                isFaulty ? pick(["91", "x", "", "120", "12"], &random) : "\(row % 90).\(random.next(below: 10))"
            let field = pick(isFaulty ? sound + faulty : sound, &random)
            text += [id, latitude, "-\(row % 180)", field].joined(separator: ",")
            if row + 1 < rows || random.next(below: 2) == 0 { text += pick(ends, &random) }
        }
        var bytes = Array(text.utf8)
        if faults > 50 { bytes.insert(0xff, at: random.next(below: bytes.count)) }
        return bytes
    }

    @Test(arguments: [0, 3, 20, 100])
    func `any CSV may be cut anywhere`(faults: Int) {
        var random = SeededRandom(seed: UInt64(faults))
        for round in 0..<60 {
            let bytes = InputCuttingTests.csv(rows: 1 + random.next(below: 60), faults: faults, &random)
            let options = InputOptions(idColumn: round % 3 == 0 ? "id" : nil)
            expectSame(bytes, options, chunkBytes: [1 + random.next(below: 20), 50, 200])
        }
    }

    @Test func `quotes that never close are read in linear time by several jobs`() {
        let text = "lat,lon\n1,2\n\"" + String(repeating: "a\",\"\n", count: 15_000)
        expectSame(Array(text.utf8), InputOptions(), chunkBytes: [1 << 12, 1 << 16])
    }

    @Test func `cutting malformed rows short is given up where the whole input has been read again`() {
        // Every line of a block extends to the end of the block if it is read by itself.
        let block = String(repeating: "a\",\"\n", count: 30) + "\"c\n1,2\n"
        let text = "lat,lon\n1,2\n" + String(repeating: block, count: 40)
        expectSame(Array(text.utf8), InputOptions(), chunkBytes: [100, 200, 400, 800])
    }

    @Test(
        arguments: GeoJSONCases.shapes + GeoJSONCases.coordinates + GeoJSONCases.broken + OddGeoJSONCases.arrays
            + OddGeoJSONCases.others)
    func `GeoJSON may be cut anywhere`(given: InputCase) {
        // Line ends to cut at: white space is allowed between tokens, and most cases are a single line.
        let wrapped = given.bytes.flatMap { $0 == UInt8(ascii: "{") ? [0x0a, $0] : [$0] }
        expectSame(given.bytes, given.options, chunkBytes: [1, 30, 120])
        expectSame(wrapped, given.options, chunkBytes: [1, 30, 120, 300])
    }

    /// Features with faults, one after the other or in collections; ids, if any, repeat.
    private static func geoJSON(features: Int, faults: Int, _ random: inout SeededRandom) -> [UInt8] {
        let faulty = [
            "{\"type\":\"Feature\"}", "7", "null", GeoJSONText.feature("[1,91]"), GeoJSONText.feature("[1]"),
            GeoJSONText.feature("[2,1]", #","id":[]"#), GeoJSONText.feature("[1,2]", #","properties":{"b":1,"b":2}"#),
        ]
        let broken = ["{\"type\":", "}", GeoJSONText.feature() + ",", "{\"type\":\n\"Feature\",}", "\u{1e}{", "[1,2"]
        let isList = random.next(below: 2) == 0
        let ends = pick([["\n"], ["\r\n"], ["\n", "\r\n", " \n", "\n\n", ""]], &random)
        let texts = (0..<features).map { index in
            if random.next(below: 100) < faults { return pick(isList ? faulty : faulty + broken, &random) }
            if !isList, random.next(below: 40) == 0 {
                return GeoJSONCases.collection("\n" + GeoJSONText.feature(), "\n" + GeoJSONText.feature("[1,95]"))
            }
            let id = random.next(below: 3) == 0 ? "" : ",\"id\":\(random.next(below: features * 3))"
            let properties = (0..<random.next(below: 4)).map {
                "\"p\($0 + index / 9)\":\(pick(["1", "\"x\"", "null"], &random))"
            }
            return GeoJSONText.feature(
                "[\(index),\(random.next(below: 80)).5]", "\(id),\"properties\":{\(properties.joined(separator: ","))}")
        }
        var text = ""
        for (index, feature) in texts.enumerated() {
            let isLast = index == texts.count - 1
            let separator = isList ? (isLast ? "" : ",") : random.next(below: 9) == 0 ? "\u{1e}" : ""
            text += isList ? feature + separator + pick(ends, &random) : separator + feature + pick(ends, &random)
        }
        guard isList else { return Array(text.utf8) }
        let collection = pick(
            [
                "[\n\(text)]\n", "{\"type\":\"FeatureCollection\",\"features\":[\(text)]}",
                "{\"features\":[\n\(text)],\"x\":{}",
            ], &random)
        return Array((collection + pick(["", "\n\(GeoJSONText.feature())\n"], &random)).utf8)
    }

    @Test(arguments: [0, 3, 30])
    func `any GeoJSON may be cut anywhere`(faults: Int) {
        var random = SeededRandom(seed: UInt64(faults))
        for round in 0..<60 {
            let bytes = InputCuttingTests.geoJSON(features: 1 + random.next(below: 50), faults: faults, &random)
            let options = InputOptions(idColumn: round % 5 == 0 ? "p1" : nil)
            expectSame(bytes, options, chunkBytes: [1 + random.next(below: 100), 250, 700])
        }
    }

    @Test func `too many names are refused whichever part they are in`() {
        let features = (0...InputLimits.columns).map { GeoJSONText.feature("[1,2]", #","properties":{"p\#($0)":1}"#) }
        expectSame(Array(features.joined(separator: "\n").utf8), InputOptions(), chunkBytes: [1 << 15])
    }
}
