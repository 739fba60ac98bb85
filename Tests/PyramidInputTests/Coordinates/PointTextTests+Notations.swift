import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Each notation of a point in one cell.
extension PointTextTests {
    private func read(_ text: String, _ order: PointOrder? = nil) -> PointText.Reading {
        // Bytes around the text must not matter.
        let bytes = Array("[7(\(text)7)]".utf8)
        return PointText.read(bytes.span, 3..<bytes.count - 3, order: order)
    }

    /// The point, its order and whether that is fixed, or why there is none.
    private func outcome(_ text: String, _ order: PointOrder? = nil) -> String {
        switch read(text, order) {
        case .point(let point):
            "\(point.longitude)/\(point.latitude) \(point.order.rawValue)\(point.hasFixedOrder ? " fixed" : "")"
        case .missing: "missing"
        case .foreign(let srid): "SRID \(srid)"
        case .unclearDirection: "unclear"
        case .unreadable: "unreadable"
        }
    }

    private static let place = "-3500000/51250000"

    @Test(arguments: [
        "51.25, -3.5", "51,25; -3,5", "51,25;-3,5", "51,25 -3,5", "51,25/-3,5", "51.25/-3.5", "(51,25; -3,5)",
        "51.25°, -3.5°", "51.25°,-3.5°", "51,25°, -3,5°", "51°15', -3°30'", "51°15'0\",-3°30'0\"", "51:15:00, -3:30:00",
        "51,25\u{a0}\u{2212}3,5", "\u{a0}51.25,\u{202f}-3.5\u{a0}", "51° 15' -3° 30'", "51:15 -3:30", "51° -3.5°",
    ])
    func `a pair without directions has the latitude first`(text: String) {
        let expected = text == "51° -3.5°" ? "-3500000/51000000" : PointTextTests.place
        #expect(outcome(text) == "\(expected) lat-lon")
        #expect(outcome(text, .latitudeFirst) == "\(expected) lat-lon")
        let swapped = expected.split(separator: "/").reversed().joined(separator: "/")
        #expect(outcome(text, .longitudeFirst) == "\(swapped) lon-lat")
    }

    @Test func `the degrees of the second coordinate are not the minutes of the first`() {
        #expect(outcome("51° 3°") == "3000000/51000000 lat-lon")
        #expect(outcome("51° 15' 3° 30'") == "3500000/51250000 lat-lon")
        #expect(outcome("51 deg 3 deg") == "3000000/51000000 lat-lon")
        // 51 degrees, 3 minutes, and no other coordinate.
        #expect(outcome("51° 3") == "unreadable")
        #expect(outcome("51 3 N") == "unreadable")
    }

    @Test(arguments: [
        ("51°15'N, 3°30'W", "3°30'W, 51°15'N"), ("51.25N 3.5W", "3.5W 51.25N"), ("N51.25 W3.5", "W3.5 N51.25"),
        ("N51.25W3.5", "W3.5N51.25"), ("51.25N3.5W", "3.5W51.25N"), ("51,25 N, 3,5 W", "3,5 W, 51,25 N"),
        ("51 15 0 N 3 30 0 W", "3 30 0 W 51 15 0 N"), ("N 51 15.0 / W 3 30.0", "W 3 30.0 / N 51 15.0"),
        ("(51° 15′ 0″ n; 3° 30′ 0″ w)", "(3° 30′ 0″ w; 51° 15′ 0″ n)"),
        ("51 deg 15' 0.00\" N, 3 deg 30' 0.00\" W", "3°30'W 51°15'N"),
    ])
    func `directions decide the order, whatever is asked for`(northFirst: String, westFirst: String) {
        for order in [nil, PointOrder.latitudeFirst, .longitudeFirst] {
            #expect(outcome(northFirst, order) == "\(PointTextTests.place) lat-lon fixed")
            #expect(outcome(westFirst, order) == "\(PointTextTests.place) lon-lat fixed")
        }
    }

    @Test(arguments: ["[-3.5, 51.25]", "[-3.5,51.25,-7.5]", " [ -35e-1 , 51.25 ] ", "[-3.5 51.25]"])
    func `a JSON array has the longitude first`(text: String) {
        #expect(outcome(text) == "\(PointTextTests.place) lon-lat")
        #expect(outcome(text, .longitudeFirst) == "\(PointTextTests.place) lon-lat")
        #expect(outcome(text, .latitudeFirst) == "51250000/-3500000 lat-lon")
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[-3.5,51.25]}"#, #"{"coordinates":[-3.5,51.25,7],"type":"Point"}"#,
        "{ \"bbox\" : [[{}]],\n\t\"type\" : \"P\\u006fint\" ,\r\n \"coordinates\" : [ -3.5 , 51.25 ] , \"crs\" : null }\n",
        "POINT (-3.5 51.25)", "0101000000" + "0000000000000cc0" + "0000000000a04940",
    ])
    func `geometries have the longitude first, whatever is asked for`(text: String) {
        for order in [nil, PointOrder.latitudeFirst, .longitudeFirst] {
            #expect(outcome(text, order) == "\(PointTextTests.place) lon-lat fixed")
        }
    }

    @Test func `a pair in parentheses may end an address`() {
        let address = "100 MAIN ST (REAR)\nBALTIMORE, MD\n"
        #expect(outcome(address + "(51.25, -3.5)") == "\(PointTextTests.place) lat-lon")
        #expect(outcome(address + "(51.25, -3.5)\r\n", .longitudeFirst) == "51250000/-3500000 lon-lat")
        #expect(outcome("7,8\r(51.25°, -3.5°)") == "\(PointTextTests.place) lat-lon")
        #expect(outcome(address + "(,)") == "missing")
        for text in ["100 MAIN ST (51.25, -3.5)", address + "at (51.25, -3.5)", "Point 7, (A)\n(51.25, -3.5)"] {
            #expect(outcome(text) == "\(PointTextTests.place) lat-lon", "\(text)")
        }
        for text in [address, address + "51.25, -3.5", address + "(51.25, -3.5) x", "MAIN ST(51.25, -3.5)"] {
            #expect(outcome(text) == "unreadable", "\(text)")
        }
    }

    @Test(arguments: [
        "", " \u{a0}", "null", "NULL", "None", ",", "(,)", "( , )", "()", "[]", "[ ]", "[null, null]", "(nan, nan)",
        "POINT EMPTY", "SRID=4326;POINT Z EMPTY", #"{"type":"Point","coordinates":[]}"#,
        #"{"coordinates":null,"type":"Point"}"#, "0101000000" + "000000000000f87f" + "000000000000f87f",
        "00000000017ff80000000000007ff8000000000000",
    ])
    func `an empty point is missing`(text: String) {
        #expect(outcome(text) == "missing")
    }

    @Test(arguments: [
        "51.25 N, -3.5", "51.25, 3.5 W", "51 N, 3 S", "51 E, 3 W", "51.25 N, -3.5 W", "1 2 3", "51 15 3 30",
        "48,1, 11,5",
        "48,1,11,5", "[48,1; 11,5; 7]", "[51.25]", "[1,2,3,4]", "[[1,2]]", "[1,2", "(1,2]", "51, -3.5, 7", "40 42 74 0",
        "51.25 -3.5 1 2 3", "51.25, -3.5, 7, 8", #"{"lat":51.25,"lng":1,"latitude":2}"#,
        #"{"start_lat":1,"start_lon":2}"#, #"{"lat":51.25}"#, #"{"lat":51.25,"lng":"x"}"#,
        "51.25,, -3.5",
        "51°15'3°30'", "{}", #"{"type":"Point"}"#, #"{"type":"Point","coordinates":[1]}"#,
        #"{"type":"Point","coordinates":[1,"2"]}"#,
        #"{"type":"MultiPoint","coordinates":[1,2]}"#, #"{"type":"Point","coordinates":[1,2]}x"#,
        #"{"type":"Point","coordinates":[1,2]"#,
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#,
        #"{""type"":""Point"",""coordinates"":[1,2]}"#,
        "MULTIPOINT (1, 2)", "ST_Point(1, 2)", "\n(1, 2", "nullnull", "(null", "51.25,", "Munich",
    ])
    func `other text is unreadable`(text: String) {
        #expect(outcome(text) == "unreadable")
    }

    @Test func `the direction O and other coordinate systems say what they are`() {
        func hint(_ text: String) -> String? {
            let bytes = Array(text.utf8)
            return PointText.hint(bytes.span, bytes.indices)
        }
        #expect(outcome("51,25 N 3,5 O") == "unclear")
        #expect(outcome("O 3°30', N 51°15'") == "unclear")
        #expect(outcome("SRID=3857;POINT(1 2)") == "SRID 3857")
        #expect(outcome("SRID=3857;POINT EMPTY") == "SRID 3857")
        #expect(hint("51,25 N 3,5 O")?.contains("write E or W") == true)
        #expect(hint("SRID=25832;POINT(1 2)")?.contains("SRID is 25832, expected 4326") == true)
        let wkb = "01010000200000000000000000000027400000000000004840"
        #expect(hint(wkb)?.contains("state it with ST_SetSRID(geom, 4326)") == true)
        #expect(outcome(wkb.replacing("2000000000", with: "20E6100000")) == "11500000/48000000 lon-lat fixed")
        #expect(hint("Munich") == nil)
        #expect(hint("51.25, -3.5") == nil)
    }

    @Test func `any text is read the same wherever it stands, and an order only swaps the numbers`() {
        let pieces = [
            "4", "8", "48.1", "11,5", "°", "'", "\"", "″", " ", "\u{a0}", ",", ";", "/", ":", "-", "\u{2212}", "+", "N",
            "S", "E", "W",
            "O", "e5", "(", ")", "[", "]", "{", "}", "\n", "POINT", "SRID=4326;", "null", "\"type\":\"Point\"",
            "0101000000",
        ]
        var random = SeededRandom(seed: 45)
        var points = 0
        for _ in 0..<60_000 {
            let text = (0..<random.next(below: 9)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
            let bytes = Array(text.utf8)
            let outcome = outcome(text)
            guard case .point(let point) = PointText.read(bytes.span, bytes.indices, order: nil) else {
                #expect(!outcome.contains("/"), "\(text)")
                continue
            }
            points += 1
            let isSame = outcome.hasPrefix("\(point.longitude)/\(point.latitude) \(point.order.rawValue)")
            #expect(isSame, "\(text)")
            for order in PointOrder.allCases {
                guard case .point(let other) = read(text, order) else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(other.order == (point.hasFixedOrder ? point.order : order), "\(text)")
                let isSwapped = other.order != point.order
                #expect(other.longitude == (isSwapped ? point.latitude : point.longitude), "\(text)")
                #expect(other.latitude == (isSwapped ? point.longitude : point.latitude), "\(text)")
            }
        }
        #expect(points > 300)
    }

    /// Well-known binary as PostGIS (EWKB) or ISO writes it, in hexadecimal digits.
    private func wkb(
        _ ordinates: [Double], z: Bool = false, m: Bool = false, srid: UInt32? = nil, isBig: Bool, isISO: Bool,
        geometry: UInt32 = 1
    ) -> String {
        func hex<Number: FixedWidthInteger>(_ number: Number) -> String {
            withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { bytes in
                bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        }
        var type = geometry
        if z { type += isISO ? 1_000 : 0x8000_0000 }
        if m { type += isISO ? 2_000 : 0x4000_0000 }
        if srid != nil { type += 0x2000_0000 }
        return (isBig ? "00" : "01") + hex(type) + (srid.map(hex) ?? "") + ordinates.map { hex($0.bitPattern) }.joined()
    }

    @Test func `points in well-known binary are read to the nearest microdegree`() {
        var random = SeededRandom(seed: 44)
        for round in 0..<2_000 {
            let longitude = Double(random.next(below: 360_000_000_000)) / 1e9 - 180
            let latitude = Double(random.next(below: 180_000_000_000)) / 1e9 - 90
            let (z, m, isBig, isISO) = (round & 1 > 0, round & 2 > 0, round & 4 > 0, round & 8 > 0)
            let ordinates = [longitude, latitude] + (z ? [520.5] : []) + (m ? [-7] : [])
            var text = wkb(ordinates, z: z, m: m, srid: round & 16 > 0 ? 4326 : nil, isBig: isBig, isISO: isISO)
            if round & 32 > 0 { text = text.uppercased() }
            if round % 7 == 0 { text = (round & 1 > 0 ? "0x" : "\\x") + text }
            // Nine decimals are far from a half in binary, unless they are one in decimals.
            let expected = [longitude, latitude].map { Int(($0 * 1e6).rounded(.toNearestOrAwayFromZero)) }
            #expect(outcome(text) == "\(expected[0])/\(expected[1]) lon-lat fixed", "\(longitude) \(latitude)")
        }
        #expect(outcome(wkb([181, 1e300], isBig: true, isISO: true)) == "181000000/1000000000 lon-lat fixed")
    }

    @Test func `well-known binary of anything else is refused`() {
        let point = wkb([-3.5, 51.25], isBig: false, isISO: false)
        #expect(outcome(wkb([-3.5, 51.25], srid: 3857, isBig: false, isISO: false)) == "SRID 3857")
        #expect(outcome(wkb([-3.5, 51.25, 7], z: true, srid: 25832, isBig: true, isISO: false)) == "SRID 25832")
        var others = [
            wkb([-3.5, 51.25, 7], isBig: false, isISO: true), wkb([-3.5, 51.25], z: true, isBig: false, isISO: true),
            wkb([-3.5, .infinity], isBig: false, isISO: true), point + "00", point + "0", "02" + point.dropFirst(2),
        ]
        for geometry: UInt32 in [0, 2, 4, 7, 1_002, 4_001, 0x1000_0001] {
            others.append(wkb([-3.5, 51.25], isBig: false, isISO: false, geometry: geometry))
        }
        for length in 1..<point.count { others.append(String(point.prefix(length))) }
        for place in 0..<point.count {
            others.append(String(point.prefix(place)) + "g" + String(point.dropFirst(place + 1)))
        }
        for text in others { #expect(outcome(text) == "unreadable", "\(text)") }
        #expect(outcome(" \(point)\u{a0}") == "\(PointTextTests.place) lon-lat fixed")
    }
}
