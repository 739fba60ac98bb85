import PyramidPlatform
import PyramidTiles

/// The publishes that may still be writing to a destination, oldest first: a small file there that is rewritten every few
/// seconds. The last one owns the destination; it has overtaken the others, which may not have noticed.
///
/// Every change of the file is made under the condition that it is as its writer saw it last. So nobody but the owner can
/// start a batch of uploads, and what an overtaken publish may yet write is in the batch that it stated before.
struct PublishingStatus: Codable, Equatable, Sendable {
    static let fileName = ".publishing"
    private static let currentFormatVersion = 4

    private var formatVersion = currentFormatVersion
    var publishes: [Publish] = []

    enum CodingKeys: String, CodingKey {
        case publishes
        case formatVersion = "format_version"
    }

    struct Publish: Codable, Equatable, Sendable {
        /// Different for every publish. The file of its journal is named after it.
        var token: String
        /// The machine and process that publish.
        var host: String
        var process: Int
        /// When the process was started, as far as this machine says.
        var start: UInt64?
        var stage = Stage.starting
        /// The indices of the journal's items that are done. Several files are uploaded at once, so there can be gaps.
        var settled = IndexRanges()
        /// The items that the publish may be writing or removing.
        var open = IndexRanges()
        /// Whether it may be writing the files beside the tiles.
        var opensMetadata = false
        /// Whether it may be writing a list that differs from that of the publish that has overtaken it.
        var opensList = false

        /// Whether it changes nothing any more.
        var isClosed: Bool { open.set.isEmpty && !opensMetadata }

        var journalName: String { "\(PublishingStatus.fileName)-\(token)" }
    }

    enum Stage: String, Codable, Sendable {
        /// Its journal may be missing; nothing has changed.
        case starting
        case active
        /// Another publish repairs what it has done; what is open may yet change.
        case overtaken
        /// Only its journal may be left.
        case over
    }

    /// The publish that owns the destination; `nil` if all have ended.
    var owner: Publish? { publishes.last.flatMap { [.starting, .active].contains($0.stage) ? $0 : nil } }

    /// The publishes that may leave the destination in a mixture.
    var unfinished: [Publish] { publishes.filter { [.active, .overtaken].contains($0.stage) } }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

extension PublishingStatus {
    init(decoding bytes: [UInt8]) throws(MetadataError) {
        guard let status = try? JSONDecoder().decode(PublishingStatus.self, from: Data(bytes)),
            status.formatVersion == PublishingStatus.currentFormatVersion,
            status.publishes.allSatisfy({ UInt64($0.token, radix: 16)?.hexadecimal == $0.token })
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
