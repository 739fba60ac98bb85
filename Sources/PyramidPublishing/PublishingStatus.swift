import PyramidPlatform
import PyramidTiles

/// Who publishes to a destination, and what is done: a small file there that is rewritten every few seconds.
///
/// Every change of the file is made under the condition that it is as its writer saw it last. So only the owner can start a
/// batch of uploads, and what a publish may yet write after it was overtaken is in the batch that it stated before.
struct PublishingStatus: Codable, Equatable, Sendable {
    static let fileName = ".publishing"
    private static let currentFormatVersion = 5

    private var formatVersion = currentFormatVersion
    /// The publish that is in progress, or was killed; `nil` if the last one has ended.
    var owner: Owner?
    /// That of the last publish that has begun. It can be an earlier one than the owner, which then changes nothing yet.
    var progress: Progress?

    enum CodingKeys: String, CodingKey {
        case owner, progress
        case formatVersion = "format_version"
    }

    struct Owner: Codable, Equatable, Sendable {
        /// Different for every publish.
        var token: String
        /// The machine and process that publish.
        var host: String
        var process: Int
        /// When the process was started, as far as this machine says.
        var start: UInt64?
    }

    struct Progress: Codable, Equatable, Sendable {
        /// The token of the publish, which its journal has, too.
        var token: String
        /// Whether everything is done.
        var isOver = false
        /// The indices of the journal's items that are done. Several files are uploaded at once, so there can be gaps.
        var settled = IndexRanges()
        /// The items that the publish may be writing or removing.
        var open = IndexRanges()
        /// Whether it may be writing the files beside the tiles.
        var opensMetadata = false
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

extension PublishingStatus {
    init(decoding bytes: [UInt8]) throws(MetadataError) {
        guard let status = try? JSONDecoder().decode(PublishingStatus.self, from: Data(bytes)),
            status.formatVersion == PublishingStatus.currentFormatVersion
        else { throw MetadataError("is not the status of a publish") }
        self = status
    }
}

/// A set of indices, written as the bounds of its ranges: `[0,4000,4003,4010]`.
struct IndexRanges: Codable, Equatable, Sendable {
    var set: RangeSet<Int>

    init(_ set: RangeSet<Int> = RangeSet()) { self.set = set }

    init(from decoder: any Decoder) throws {
        let bounds = try decoder.singleValueContainer().decode([Int].self)
        guard bounds.count.isMultiple(of: 2), zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }),
            bounds.first ?? 0 >= 0
        else { throw MetadataError("has ranges out of order") }
        set = RangeSet(stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(set.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }

    /// The number of indices from `first` on.
    func count(from first: Int) -> Int {
        set.ranges.reduce(0) { $0 + max($1.upperBound - max($1.lowerBound, first), 0) }
    }
}
