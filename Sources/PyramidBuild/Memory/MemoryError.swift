import PyramidClusters
import PyramidStore
import PyramidTiles

extension MemoryLimit {
    /// - Throws: ``MemoryError`` if the build would need more than the limit.
    package func check(_ estimate: MemoryEstimate) throws(MemoryError) {
        guard let limitBytes, estimate.bytes > limitBytes else { return }
        throw MemoryError(estimate: estimate, limitBytes: limitBytes, isAvailable: self == .available)
    }
}

/// A build would need more memory than it may use.
public struct MemoryError: OptionNamingError, Equatable {
    /// What is too large.
    package enum Need: Equatable {
        case build(MemoryEstimate)
        /// A part of the world that can't be split further, with its halo.
        case part(TileCoordinate, points: Int)
        /// Rows that parts hand over because of an option.
        case join(points: Int, OptionName)
    }

    package let need: Need
    package let needBytes: Int
    package let limitBytes: Int
    /// Whether the limit is the system's rather than the user's.
    package let isAvailable: Bool
    /// Why the build can't be done in parts; `nil` if it can, or is one.
    package var obstacle: OptionMessage?
    /// Whether it is about the markers of parts that were built elsewhere, whose zooms are fixed.
    package var joinsParts = false

    package init(estimate: MemoryEstimate, limitBytes: Int, isAvailable: Bool) {
        self.init(.build(estimate), bytes: estimate.bytes, limitBytes: limitBytes, isAvailable: isAvailable)
    }

    package init(_ need: Need, bytes: Int, limitBytes: Int, isAvailable: Bool) {
        (self.need, needBytes, self.limitBytes, self.isAvailable) = (need, bytes, limitBytes, isAvailable)
    }

    public static func == (one: MemoryError, other: MemoryError) -> Bool { one.message == other.message }
}

extension MemoryError {
    public var message: OptionMessage {
        // The need is rounded up and the limit down, so that the limit always reads as less.
        let bytes = "about \(NumberText.grouped(mebibytes)) MiB of memory"
        let limit: OptionMessage = isAvailable ? "the system has" : "\(.memoryLimit) is"
        let limits: OptionMessage = "\(limit) \(MemoryError.text(bytes: limitBytes))"
        let reason: OptionMessage = obstacle.map { "; it can't be done in parts because of \($0)" } ?? ""
        switch need {
        case .build(let estimate):
            let points = NumberText.counted(estimate.pointCount, joinsParts ? "marker" : "point")
            let tiles = estimate.tileCount > 0 ? " and \(NumberText.counted(estimate.tileCount, "tile"))" : ""
            let verb = estimate.pointCount == 1 && tiles.isEmpty ? "needs" : "need"
            let lowerZoom: OptionMessage =
                joinsParts
                ? "build the parts with a lower \(.cutZoom), " : estimate.tileCount > 0 ? "lower \(.maxZoom), " : ""
            let cure: OptionMessage =
                isAvailable ? "free some, or try with \(.memoryLimit) none" : "raise the limit or set it to none"
            return "\(points)\(tiles) \(verb) \(bytes), \(limits)\(reason); \(lowerZoom)\(cure)"
        case .part(let tile, let points):
            return "the area of tile \("\(tile)") can't be split and needs \(bytes) for "
                + "\(NumberText.counted(points, "point")), \(limits); \(raise)"
        case .join(let points, let option):
            return
                "\(NumberText.counted(points, "row")) are needed at once because of \(option), which takes \(bytes), "
                + "\(limits); \(raise), or leave out \(option)"
        }
    }

    private var mebibytes: Int { (needBytes + (1 << 20) - 1) >> 20 }

    private var raise: OptionMessage {
        isAvailable ? "free some, or set \(.memoryLimit) \("\(mebibytes)M")" : "raise it to \("\(mebibytes)M")"
    }

    /// "5 MiB", "1.5 KiB", "800 bytes": in the units of ``MemoryLimit``.
    private static func text(bytes: Int) -> String {
        for (unit, size) in [("MiB", 1 << 20), ("KiB", 1 << 10)] where bytes >= size {
            let tenths = bytes % size * 10 / size
            return "\(NumberText.grouped(bytes / size))\(tenths > 0 ? ".\(tenths)" : "") \(unit)"
        }
        return NumberText.counted(bytes, "byte")
    }
}

extension OptionName {
    public static var memoryLimit: OptionName { OptionName() }
}
