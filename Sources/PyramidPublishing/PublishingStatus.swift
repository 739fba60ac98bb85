import PyramidPlatform
import PyramidTiles

/// Who publishes to a destination, and how far it is: a small file there that is also the lock, where the destination
/// has no other. A publish that fails leaves it without an owner; one that succeeds removes it.
struct PublishingStatus: Codable, Equatable, Sendable {
    static let fileName = ".publishing"
    static let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
    private static let currentFormatVersion = 6

    private var formatVersion = currentFormatVersion
    /// The publish that is in progress, or was killed; `nil` if the last one has failed.
    var owner: Owner?
    /// The token of the journal that ``doneCount`` is about.
    var journal: String?
    /// The first items of the journal, this many, are done.
    var doneCount = 0

    enum CodingKeys: String, CodingKey {
        case owner, journal
        case doneCount = "done_count"
        case formatVersion = "format_version"
    }

    struct Owner: Codable, Equatable, Sendable {
        /// After this time a publish has died, or others may think so.
        static let limitSeconds = 6.0 * 3600

        /// Different for every publish.
        var token: String
        /// The machine and process that publish.
        var host: String
        var process: Int
        /// When the publish has begun, in whole seconds.
        var since: Date

        /// This process.
        init(since: Date) {
            token = UInt64.random(in: .min ... .max).hexadecimal
            host = Owner.thisHost
            process = Int(getpid())
            self.since = Date(timeIntervalSince1970: since.timeIntervalSince1970.rounded(.down))
        }

        /// The name of this machine, without querying the network.
        private static var thisHost: String {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
        }
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

extension PublishingStatus {
    init(decoding bytes: [UInt8]) throws(MetadataError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let status = try? decoder.decode(PublishingStatus.self, from: Data(bytes)),
            status.formatVersion == PublishingStatus.currentFormatVersion, status.doneCount >= 0
        else { throw MetadataError("is not the status of a publish") }
        self = status
    }
}
