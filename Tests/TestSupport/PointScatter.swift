import Foundation
import PyramidTiles

/// Random places of many shapes, none of them symmetric.
package struct PointScatter {
    package enum Shape: CaseIterable {
        case everywhere, acrossTheAntimeridian, northernEdge, southernEdge, oneCell, coincident, line, lumps, lattice,
            risingChain
    }

    package static func points(_ shape: Shape, count: Int, random: inout SeededRandom) -> [WorldPoint] {
        if shape == .risingChain { return risingChain(random: &random) }
        var points: [WorldPoint] = []
        let centre = WorldPoint(x: random.next(), y: random.next())
        let spread = UInt32(1) << UInt32.random(in: 8...29, using: &random)
        for index in 0..<count {
            let (dx, dy) = (
                UInt32.random(in: 0...spread, using: &random), UInt32.random(in: 0...spread, using: &random) / 3
            )
            let point: WorldPoint =
                switch shape {
                case .everywhere: WorldPoint(x: random.next(), y: random.next())
                case .acrossTheAntimeridian: WorldPoint(x: dx &- spread / 2, y: centre.y &+ dy)
                case .northernEdge: WorldPoint(x: centre.x &+ dx, y: dy)
                case .southernEdge: WorldPoint(x: centre.x &+ dx, y: UInt32.max - dy)
                case .oneCell: WorldPoint(x: centre.x &+ dx % 4096, y: centre.y &+ dy % 1024)
                case .coincident:
                    index % 3 == 0 || points.isEmpty
                        ? WorldPoint(x: centre.x &+ dx, y: centre.y &+ dy)
                        : points[Int.random(in: 0..<points.count, using: &random)]
                case .line: WorldPoint(x: centre.x &+ UInt32(index) &* (spread / 40), y: centre.y &+ UInt32(index))
                case .lumps:
                    WorldPoint(
                        x: centre.x &+ UInt32(index % 5) &* 977_000_003 &+ dx,
                        y: centre.y / 2 &+ UInt32(index % 3) &* 577_000_003 &+ dy)
                // Equal distances, so that ties are decided.
                case .lattice:
                    WorldPoint(
                        x: centre.x &+ dx / (spread / 8) &* (spread / 8),
                        y: centre.y &+ dy / (spread / 16) &* (spread / 16))
                case .risingChain: preconditionFailure("made elsewhere")
                }
            points.append(point)
        }
        return points
    }

    /// Places 30 pixels apart, each of more points than the one before it, so that hardly any is the highest of those
    /// around it and most are left to the last resort of a selection.
    private static func risingChain(random: inout SeededRandom) -> [WorldPoint] {
        let pixels = Double(UInt32(1) << UInt32.random(in: 12...22, using: &random)) * 30
        var place = (x: Double(random.next() as UInt32), y: Double(UInt32.max) * 0.4)
        var direction = Double.random(in: 0..<6, using: &random)
        return (1...14).flatMap { count in
            direction += Double.random(in: -0.7...0.7, using: &random)
            place.x += pixels * cos(direction)
            place.y += pixels * sin(direction)
            let point = WorldPoint(
                x: UInt32(truncatingIfNeeded: Int64(place.x)), y: UInt32(min(max(place.y, 0), 4_294_967_295)))
            return [WorldPoint](repeating: point, count: count)
        }
    }
}

extension PointScatter {
    /// Features with a few columns of all types, some of them missing here and there.
    package static func features(_ shape: Shape, count: Int, random: inout SeededRandom) -> [String] {
        points(shape, count: count, random: &random).enumerated().map { index, point in
            let place = WebMercator.unproject(point)
            var properties = ["\"nr\":\(index)"]
            func add(_ column: String, _ values: [String]) {
                guard random.next(below: 10) > 0 else { return }
                properties.append("\"\(column)\":\(values[random.next(below: values.count)])")
            }
            add("kind", ["\"a\"", "\"b\"", "\"other\"", "\"ü\"", "7", "7.0", "true", "null"])
            add("n", ["\(random.next(below: 100))", "-0.25", "1e3", "\"none\""])
            add("w", ["0", "1", "7"])
            add("g", ["\"x\"", "\"y\"", "\"\""])
            if random.next(below: 12) == 0 { add("u", ["1", "0"]) }
            let id =
                random.next(below: 3) == 0
                ? "" : random.next(below: 2) == 0 ? "\"id\":\(index)," : "\"id\":\"i\(index)\","
            return "{\"type\":\"Feature\",\(id)\"geometry\":{\"type\":\"Point\",\"coordinates\":"
                + "[\(place.longitude),\(place.latitude)]},\"properties\":{\(properties.joined(separator: ","))}}"
        }
    }
}

extension SeededRandom {
    fileprivate mutating func next() -> UInt32 { UInt32(truncatingIfNeeded: next() as UInt64 >> 32) }
}
