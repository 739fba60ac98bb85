import Foundation

/// A colour on light and on dark maps.
public struct MarkerColor: Hashable, Sendable {
    /// Red, green and blue: 0xRRGGBB.
    public let light, dark: UInt32

    public init(light: UInt32, dark: UInt32) { (self.light, self.dark) = (light, dark) }

    /// The same colour on both.
    public init(_ color: UInt32) { self.init(light: color, dark: color) }
}

/// The colours of PyramidWeb; a test compares them with `color-schemes.js`.
extension MarkerColor {
    static let middle = MarkerColor(light: 0xffffff, dark: 0x17202e)
    static let text = MarkerColor(light: 0x17202e, dark: 0xeef2f8)
    static let textOnColor = MarkerColor(light: 0xffffff, dark: 0x10151d)
    static let textOnOther = MarkerColor(0x10151d)
    static let outline = MarkerColor(light: 0xffffff, dark: 0x10151d)
    static let point = MarkerColor(light: 0xc2570c, dark: 0xee9350)
    static let noValue = MarkerColor(light: 0x574c41, dark: 0xd7c9bc)
    static let other = MarkerColor(light: 0x7a8593, dark: 0x818d9a)

    /// The colours of clusters by their least number of points.
    static let counts: [(leastCount: Int, color: MarkerColor)] = [
        (10_000, MarkerColor(light: 0xa8285e, dark: 0xee7dab)), (1_000, MarkerColor(light: 0x7a3cc0, dark: 0xb487ee)),
        (100, MarkerColor(light: 0x4456cf, dark: 0x8592f2)), (10, MarkerColor(light: 0x1f6fb0, dark: 0x4c9fe6)),
        (0, MarkerColor(light: 0x14796a, dark: 0x3fae9b)),
    ]

    /// The colours of values.
    static let palette = [
        MarkerColor(light: 0x2081ef, dark: 0x5fb5fd), MarkerColor(light: 0x9d8207, dark: 0xb9d27b),
        MarkerColor(light: 0xd92b6e, dark: 0xe95d60), MarkerColor(light: 0x9f1b06, dark: 0xd67d39),
        MarkerColor(light: 0x9976b7, dark: 0xd262c6), MarkerColor(light: 0x035391, dark: 0x2ddff7),
        MarkerColor(light: 0x1a742e, dark: 0x4ab882), MarkerColor(light: 0x5241b2, dark: 0x7681f5),
        MarkerColor(light: 0xc96855, dark: 0xe4b93e), MarkerColor(light: 0x8c2867, dark: 0xe09bcc),
    ]

    /// From low to high ranges.
    static let ramp = [
        MarkerColor(light: 0xa9760a, dark: 0xf4dd85), MarkerColor(light: 0xc2502e, dark: 0xf0a35f),
        MarkerColor(light: 0xa8285e, dark: 0xe27590), MarkerColor(light: 0x6d2a91, dark: 0xb877d2),
        MarkerColor(light: 0x2a2470, dark: 0x8482f2),
    ]

    /// The colour of a range.
    /// - Parameter share: 0 for the lowest range, 1 for the highest.
    static func ramp(_ share: Double) -> MarkerColor {
        let place = share * Double(ramp.count - 1)
        let index = min(Int(place), ramp.count - 2)
        func between(_ low: UInt32, _ high: UInt32) -> UInt32 {
            [16, 8, 0].reduce(0) { color, shift in
                let (from, to) = (Double(low >> shift & 0xff), Double(high >> shift & 0xff))
                return color << 8 | UInt32((from + (to - from) * (place - Double(index)) + 0.5).rounded(.down))
            }
        }
        let (low, high) = (ramp[index], ramp[index + 1])
        return MarkerColor(light: between(low.light, high.light), dark: between(low.dark, high.dark))
    }

    /// A colour for a value without one of its own, chosen by its name, so that it is the same in every view.
    static func ofValue(named name: String) -> MarkerColor {
        // FNV-1a of the UTF-16 code units, as in PyramidWeb.
        let hash = name.utf16.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return palette[Int(hash >> 8) % palette.count]
    }
}
