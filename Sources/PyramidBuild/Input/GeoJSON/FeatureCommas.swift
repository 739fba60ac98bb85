import PyramidTiles

/// What is wrong with the commas between the features of a list.
enum FeatureCommas {
    /// The fault, and where the comma is or should be.
    /// - Parameters:
    ///   - offset: the byte that doesn't fit there, between two features.
    ///   - feature: the number of the feature before it.
    /// - Returns: `nil` if the fault is another one.
    static func fault(
        at offset: Int, after feature: Int, in bytes: Span<UInt8>
    ) -> (offset: Int, problem: OptionMessage)? {
        guard offset < bytes.count, feature > 0 else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            return (offset, "has no comma between features \(feature) and \(feature + 1); put one before this one")
        case UInt8(ascii: "]"):
            let comma = (0..<offset).last { bytes[$0] == UInt8(ascii: ",") } ?? offset
            return (comma, "has a comma after feature \(feature), the last one; remove it")
        case UInt8(ascii: ","):
            return (offset, "has two commas after feature \(feature), expected one; remove the other")
        default: return nil
        }
    }
}
