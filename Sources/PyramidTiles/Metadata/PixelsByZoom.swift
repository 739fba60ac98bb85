/// A number of pixels that depends on the zoom: one for all zooms, or one for each range of zooms.
///
/// As text, `40`, or `0-8:60,9-:40` for 60 pixels at zooms 0 to 8 and 40 from zoom 9. The ranges have no gaps; the
/// first starts at 0 and the last is open-ended.
public struct PixelsByZoom: Hashable, Sendable {
    private struct Range: Hashable {
        let firstZoom: Int
        let pixels: Int
    }

    /// Ascending; the first starts at zoom 0.
    private let ranges: [Range]

    /// The same at every zoom.
    public init(_ pixels: Int) {
        ranges = [Range(firstZoom: 0, pixels: pixels)]
    }

    /// `nil` if the text has neither form.
    public init?(_ text: String) {
        if let pixels = Int(text) {
            self.init(pixels)
            return
        }
        var ranges: [Range] = []
        var nextZoom: Int? = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: ":", omittingEmptySubsequences: false)
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
            guard halves.count == 2, ends.count == 2, let pixels = Int(halves[1]),
                let first = Int(ends[0]), first == nextZoom
            else { return nil }
            ranges.append(Range(firstZoom: first, pixels: pixels))
            if ends[1].isEmpty {
                nextZoom = nil
            } else {
                guard let last = Int(ends[1]), last >= first, last < 64 else { return nil }
                nextZoom = last + 1
            }
        }
        guard nextZoom == nil else { return nil }
        self.init(ranges: ranges)
    }

    private init(ranges: [Range]) { self.ranges = ranges }

    public subscript(zoom: Int) -> Int {
        (ranges.last { $0.firstZoom <= zoom } ?? ranges[0]).pixels
    }

    /// The pixels of every range, from the lowest zooms to the highest.
    public var values: [Int] { ranges.map(\.pixels) }
}

extension PixelsByZoom: CustomStringConvertible, LosslessStringConvertible {
    public var description: String {
        guard ranges.count > 1 else { return "\(ranges[0].pixels)" }
        return ranges.indices.map { index in
            let end = index + 1 < ranges.count ? "\(ranges[index + 1].firstZoom - 1)" : ""
            return "\(ranges[index].firstZoom)-\(end):\(ranges[index].pixels)"
        }.joined(separator: ",")
    }
}

extension PixelsByZoom: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}

extension PixelsByZoom: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = PixelsByZoom(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is neither a number of pixels nor a list of them by zoom"))
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
