import PyramidTiles

/// How much memory a build may use.
public enum MemoryLimit: Equatable, Sendable {
    /// The memory that is available, so that the system neither swaps nor kills the process.
    case available
    case bytes(Int)
    case unlimited

    /// "available", "none", or a number of bytes such as "800M" or "2.5G"; K, M, G and T are powers of 1024.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "available": self = .available
        case "none": self = .unlimited
        default:
            var digits = Substring(text)
            let power = digits.last.flatMap { "KMGT".firstIndex(of: Character($0.uppercased())) }
            if power != nil { digits.removeLast() }
            let unit = power.map { 1 << (10 * ("KMGT".distance(from: "KMGT".startIndex, to: $0) + 1)) } ?? 1
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(digits),
                let bytes = Int(exactly: (number * Double(unit)).rounded()), bytes > 0
            else { return nil }
            self = .bytes(bytes)
        }
    }

    /// - Throws: ``MemoryError`` if the build would need more than the limit.
    func check(_ estimate: MemoryEstimate) throws(MemoryError) {
        let limitBytes: Int
        switch self {
        case .available: limitBytes = SystemMemory().availableBytes
        case .bytes(let bytes): limitBytes = bytes
        case .unlimited: return
        }
        guard estimate.bytes <= limitBytes else {
            throw MemoryError(estimate: estimate, limitBytes: limitBytes, isAvailable: self == .available)
        }
    }
}

/// A build would need more memory than it may use.
public struct MemoryError: OptionNamingError, Equatable {
    let estimate: MemoryEstimate
    let limitBytes: Int
    /// Whether the limit is the system's rather than the user's.
    let isAvailable: Bool
}

extension MemoryError {
    public var message: OptionMessage {
        let points = NumberText.counted(estimate.pointCount, "point")
        let tiles = estimate.tileCount > 0 ? " and \(NumberText.counted(estimate.tileCount, "tile"))" : ""
        let verb = estimate.pointCount == 1 && tiles.isEmpty ? "needs" : "need"
        // The need is rounded up and the limit down, so that the limit always reads as less.
        let need = "\(NumberText.grouped((estimate.bytes + (1 << 20) - 1) >> 20)) MiB"
        let limit: OptionMessage = isAvailable ? "the system has" : "\(.memoryLimit) is"
        let lowerZoom: OptionMessage = estimate.tileCount > 0 ? "lower \(.maxZoom), " : ""
        let cure: OptionMessage =
            isAvailable ? "free some, or try with \(.memoryLimit) none" : "raise the limit or set it to none"
        return "\(points)\(tiles) \(verb) about \(need) of memory, "
            + "\(limit) \(MemoryError.text(bytes: limitBytes)); \(lowerZoom)\(cure)"
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
