import PyramidTiles

extension NumberText {
    /// 1234567 is "1.2 MB".
    static func bytes(_ count: Int) -> String {
        for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)] where count >= size {
            return "\(tenths(count, of: size)) \(unit)"
        }
        return "\(count) B"
    }

    /// "3.2 s".
    static func seconds(_ duration: Duration) -> String {
        let milliseconds =
            Int(duration.components.seconds) * 1000
            + Int(duration.components.attoseconds / 1_000_000_000_000_000)
        return "\(tenths(milliseconds, of: 1000)) s"
    }

    /// A time to wait: "45 s", "12 min", "3 h".
    static func time(seconds: Int) -> String {
        for (unit, size) in [("h", 3600), ("min", 60)] where seconds >= 2 * size {
            return "\(grouped((seconds + size / 2) / size)) \(unit)"
        }
        return "\(seconds) s"
    }

    private static func tenths(_ number: Int, of unit: Int) -> String {
        let tenths = (number * 10 + unit / 2) / unit
        return "\(grouped(tenths / 10)).\(tenths % 10)"
    }
}
