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
    package let needBytes: Int
    package let limitBytes: Int
    /// Whether the limit is the system's rather than the user's.
    package let isAvailable: Bool
    /// What the need was estimated from; `nil` if it was stated.
    package let estimate: MemoryEstimate?
    /// Why the build can't be done in parts; `nil` if it can, or is one.
    package var obstacle: OptionMessage?
    private var problem: OptionMessage = ""
    private var cure: OptionMessage = ""

    /// - Parameters:
    ///   - things: what is counted: points or markers.
    ///   - advice: what helps besides more memory; `nil` for a lower max zoom if there are too many tiles.
    package init(
        estimate: MemoryEstimate, of things: String = "point", advice: OptionMessage? = nil, limitBytes: Int,
        isAvailable: Bool
    ) {
        (self.estimate, needBytes) = (estimate, estimate.bytes)
        (self.limitBytes, self.isAvailable) = (limitBytes, isAvailable)
        let points = NumberText.counted(estimate.pointCount, things)
        let tiles = estimate.tileCount > 0 ? " and \(NumberText.counted(estimate.tileCount, "tile"))" : ""
        let verb = estimate.pointCount == 1 && tiles.isEmpty ? "needs" : "need"
        problem = "\(points)\(tiles) \(verb) \(amount)"
        let advice: OptionMessage? = advice ?? (estimate.tileCount > 0 ? "lower \(.maxZoom)" : nil)
        let more: OptionMessage =
            isAvailable ? "free some, or try with \(.memoryLimit) none" : "raise the limit or set it to none"
        cure = advice.map { "\($0), \(more)" } ?? more
    }

    /// - Parameters:
    ///   - problem: says what needs how much memory; gets the amount.
    ///   - alternative: what helps besides more memory.
    package init(
        needBytes: Int, limitBytes: Int, isAvailable: Bool, alternative: OptionMessage? = nil,
        _ problem: (_ amount: OptionMessage) -> OptionMessage
    ) {
        (self.needBytes, self.limitBytes, self.isAvailable, estimate) = (needBytes, limitBytes, isAvailable, nil)
        self.problem = problem(amount)
        let more: OptionMessage = isAvailable ? "free some, or set \(.memoryLimit) \(enough)" : "raise it to \(enough)"
        cure = alternative.map { "\(more), or \($0)" } ?? more
    }

    public static func == (one: MemoryError, other: MemoryError) -> Bool { one.message == other.message }
}

extension MemoryError {
    public var message: OptionMessage {
        let limit: OptionMessage = isAvailable ? "the system has" : "\(.memoryLimit) is"
        let limits: OptionMessage = "\(limit) \(MemoryError.text(bytes: limitBytes))"
        let reason: OptionMessage = obstacle.map { "; it can't be done in parts because of \($0)" } ?? ""
        return "\(problem), \(limits)\(reason); \(cure)"
    }

    /// Rounded up, and the limit down, so that the limit always reads as less.
    private var mebibytes: Int { (needBytes + (1 << 20) - 1) >> 20 }
    private var amount: OptionMessage { "about \(NumberText.grouped(mebibytes)) MiB of memory" }
    private var enough: OptionMessage { "\("\(mebibytes)M")" }

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
