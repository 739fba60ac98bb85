/// How much memory a command may use.
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

    /// In bytes; `nil` without a limit.
    package var limitBytes: Int? {
        switch self {
        case .available: SystemMemory().availableBytes
        case .bytes(let bytes): bytes
        case .unlimited: nil
        }
    }
}
