import Foundation
import PyramidTiles
import Testing

@testable import PyramidClient

/// Colours and looks are compared with PyramidWeb's: its tests write `Tests/web/looks.cases.json`.
@Suite struct MarkerStyleTests {
    private struct Cases: Decodable {
        struct Scheme: Decodable {
            let middle, text, textOnColor, outline, point, noValue, other: String
            let palette: [String]
            let counts: [[Either]]
        }
        /// A number or a text.
        enum Either: Decodable, Equatable {
            case number(Int), text(String)

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                self =
                    if let number = try? value.decode(Int.self) { .number(number) } else {
                        .text(try value.decode(String.self))
                    }
            }
        }
        struct Schemes: Decodable { let light, dark: Scheme }
        struct Ramp: Decodable {
            let share: Double
            let light, dark: String
        }
        struct Slice: Decodable, Equatable {
            let color: String
            let count: Int
        }
        struct Look: Decodable, Equatable {
            let radius: Double
            let label, color, textColor: String
            let slices: [Slice]
        }
        enum Kind: Decodable {
            case one(String), counts([String: Int])

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                self =
                    if let text = try? value.decode(String.self) { .one(text) } else {
                        .counts(try value.decode([String: Int].self))
                    }
            }

            var property: PropertyValue {
                switch self {
                case .one(let text): .string(text)
                case .counts(let counts): .object(counts.mapValues { .number(Double($0)) })
                }
            }
        }
        struct LookCase: Decodable {
            let count: Int
            let distance: Double
            let kind: Kind?
            let look: Look
        }
        let schemes: Schemes
        let textOnOther: String
        let values: [[String]]
        let ramp: [Ramp]
        let looks: [LookCase]
    }

    private static func cases() throws -> Cases {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("web/looks.cases.json")
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    private static func text(_ color: UInt32) -> String {
        let digits = String(color, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func texts(_ color: MarkerColor) -> [String] { [text(color.light), text(color.dark)] }

    @Test func `the colours are the web library's`() throws {
        let cases = try MarkerStyleTests.cases()
        let (light, dark) = (cases.schemes.light, cases.schemes.dark)
        func expect(_ color: MarkerColor, _ path: KeyPath<Cases.Scheme, String>) {
            #expect(MarkerStyleTests.texts(color) == [light[keyPath: path], dark[keyPath: path]])
        }
        expect(.middle, \.middle)
        expect(.text, \.text)
        expect(.textOnColor, \.textOnColor)
        expect(.outline, \.outline)
        expect(.point, \.point)
        expect(.noValue, \.noValue)
        expect(.other, \.other)
        #expect(MarkerStyleTests.texts(.textOnOther) == [cases.textOnOther, cases.textOnOther])
        #expect(MarkerColor.palette.map { MarkerStyleTests.text($0.light) } == light.palette)
        #expect(MarkerColor.palette.map { MarkerStyleTests.text($0.dark) } == dark.palette)
        for (scheme, part) in [(light, \MarkerColor.light), (dark, \MarkerColor.dark)] {
            let counts = MarkerColor.counts.map {
                [Cases.Either.number($0.leastCount), .text(MarkerStyleTests.text($0.color[keyPath: part]))]
            }
            #expect(counts == scheme.counts)
        }
        for entry in cases.ramp {
            let color = MarkerColor.ramp(entry.share)
            for (color, expected) in [(color.light, entry.light), (color.dark, entry.dark)] {
                #expect("rgb(\(color >> 16), \(color >> 8 & 0xff), \(color & 0xff))" == expected)
            }
        }
    }

    @Test func `a value has the colour that it has on the web`() throws {
        let values: [FacetValue] = [
            "Asia", "North America", "Côte d’Ivoire", "日本", "👩‍🚀", 7, -2.5, 1_200_000, true, nil,
        ]
        let cases = try MarkerStyleTests.cases().values
        #expect(values.map(\.name) == cases.map { $0[0] })
        for (value, expected) in zip(values, cases) {
            #expect(
                MarkerStyleTests.texts(MarkerStyle(colorBy: "kind").color(of: value)) == Array(expected.dropFirst()))
        }
    }

    private static func filtered(_ marker: Marker, filter: MarkerFilter = .all) throws -> FilteredMarker {
        let tileJSON = TileJSON(tileTemplate: "", minZoom: 0, maxZoom: 9, bounds: .world, fields: [:])
        let file = FilteredFile([BundleRecord(zooms: 4...4, marker: marker)], try FacetMatcher(filter, tileJSON))
        return try #require(file.markers[0])
    }

    private static func cluster(count: Int, _ properties: [String: PropertyValue] = [:]) -> Marker {
        let box = BoundingBox(west: 1_000_000, south: 2_000_000, east: 3_000_000, north: 4_000_000)
        return .cluster(
            Cluster(
                id: 7, coordinate: Coordinate(longitude: 2, latitude: 3), boundingBox: box, pointCount: count,
                expansionZoom: 5, properties: properties))
    }

    private static func point(_ id: PropertyValue? = nil, _ properties: [String: PropertyValue] = [:]) -> Marker {
        .point(Feature(id: id, coordinate: Coordinate(longitude: 2, latitude: 3), properties: properties))
    }

    @Test func `a marker looks as on the web`() throws {
        let looks = try MarkerStyleTests.cases().looks
        #expect(looks.count > 50)
        for entry in looks {
            let properties = entry.kind.map { ["kind": $0.property] } ?? [:]
            let marker =
                if entry.count > 1 {
                    MarkerStyleTests.cluster(count: entry.count, properties)
                } else if case .one = entry.kind {
                    MarkerStyleTests.point(nil, properties)
                } else {
                    MarkerStyleTests.point()
                }
            let look = MarkerStyle(colorBy: "kind").look(
                of: try MarkerStyleTests.filtered(marker), distance: entry.distance)
            let found = Cases.Look(
                radius: (look.radius * 1e9).rounded() / 1e9, label: look.label,
                color: MarkerStyleTests.text(look.color.light), textColor: MarkerStyleTests.text(look.textColor.light),
                slices: look.slices.map { Cases.Slice(color: MarkerStyleTests.text($0.color.light), count: $0.count) })
            let expected = Cases.Look(
                radius: (entry.look.radius * 1e9).rounded() / 1e9, label: entry.look.label, color: entry.look.color,
                textColor: entry.look.textColor, slices: entry.look.slices)
            #expect(found == expected, "\(entry)")
        }
    }

    @Test func `a count that is unknown is marked, and says nothing about values`() throws {
        let marker = try MarkerStyleTests.filtered(
            MarkerStyleTests.cluster(count: 1500, ["kind": .object(["bar": 1500])]), filter: MarkerFilter { _ in true })
        let look = MarkerStyle(colorBy: "kind").look(of: marker)
        #expect(look.label == "~1.5k" && look.color == .other && look.slices.isEmpty)
        #expect(MarkerStyle().title(of: marker) == "about 1500")
    }

    @Test func `an app chooses labels, colours and looks`() throws {
        var style = MarkerStyle(colorBy: "kind", colors: ["bar": MarkerColor(0x123456), nil: MarkerColor(0x654321)])
        style.countLabel = .ninetyNine
        let marker = try MarkerStyleTests.filtered(
            MarkerStyleTests.cluster(count: 150, ["kind": .object(["bar": 100, "cafe": 50])]))
        #expect(style.look(of: marker).label == "99+")
        #expect(style.look(of: marker).slices.map(\.color).contains(MarkerColor(0x123456)))
        let withoutValue = try MarkerStyleTests.filtered(MarkerStyleTests.cluster(count: 150))
        #expect(style.look(of: withoutValue).slices == [.init(color: MarkerColor(0x654321), count: 150)])
        style.customize = { $1.symbol = $0.count > 1 ? "star" : nil }
        #expect(style.look(of: marker).symbol == "star")
    }

    @Test func `ranges have colours from low to high, and frequent values the first ones`() {
        func count(_ value: FacetValue, _ all: Int) -> FacetValueCounts {
            FacetValueCounts(value: value, all: all, filtered: nil, inView: nil)
        }
        let ranges = MarkerStyle.colors(of: [
            count(.range(to: 10), 5), count(.range(from: 10, to: 20), 9), count(.range(from: 20), 1), count(nil, 3),
        ])
        #expect(
            ranges == [
                .range(to: 10): .ramp(0), .range(from: 10, to: 20): .ramp(0.5), .range(from: 20): .ramp(1),
            ])
        let values = MarkerStyle.colors(of: [count("rare", 1), count("frequent", 8), count(nil, 90), count("some", 5)])
        let palette = MarkerColor.palette
        #expect(values == ["frequent": palette[0], "some": palette[1], "rare": palette[2]])
        #expect(MarkerStyle.colors(of: (0..<14).map { count(.value(.number(Double($0))), 3) }).count == 10)
    }

    @Test func `a point is named by its name, its id, or its first text`() throws {
        func title(_ marker: Marker) throws -> String { MarkerStyle().title(of: try MarkerStyleTests.filtered(marker)) }
        #expect(try title(MarkerStyleTests.point(12, ["note": "a", "Name": "Suva", "surname": "b"])) == "Suva")
        #expect(try title(MarkerStyleTests.point(12, ["note": "a", "full_name": "Suva"])) == "Suva")
        #expect(try title(MarkerStyleTests.point("Suva", ["note": "a"])) == "Suva")
        #expect(try title(MarkerStyleTests.point(12, ["note": "a"])) == "12")
        #expect(try title(MarkerStyleTests.point(nil, ["note": "b", "count": 3, "empty": ""])) == "b")
        #expect(try title(MarkerStyleTests.cluster(count: 42)) == "42")
    }
}
