/// What a verifier found, and what there is in the pyramid.
public struct VerificationReport: Codable, Equatable, Sendable {
    /// So many findings of each kind are listed; the others are only counted.
    public static let listedFindingsPerKind = 100

    /// The first findings of each kind. The order depends on the pyramid alone: metadata, directories, then the zoom
    /// levels from the first to the last, and in each the tiles in the order of the Z curve.
    public let findings: [Finding]
    /// How many findings there are of each kind, by its name.
    public let findingCounts: [String: Int]
    /// By zoom, as far as the tiles could be read.
    public let zooms: [ZoomTotals]

    /// What the tiles of a zoom level hold.
    public struct ZoomTotals: Codable, Equatable, Sendable {
        public let zoom: Int
        /// Tiles that could be read.
        public let tiles: Int
        public let markers: Int
        /// How many of the markers are clusters.
        public let clusters: Int
        /// How many points the markers stand for.
        public let points: Int
    }

    init(log: FindingLog, zooms: [ZoomTotals]) {
        findings = log.findings
        findingCounts = Dictionary(uniqueKeysWithValues: log.counts.map { ($0.key.rawValue, $0.value) })
        self.zooms = zooms
    }

    /// Whether nothing was found.
    public var isSound: Bool { findingCounts.isEmpty }

    /// All findings, listed or not.
    public var findingCount: Int { findingCounts.values.reduce(0, +) }

    /// The tiles of all zoom levels.
    public var tiles: Int { zooms.reduce(0) { $0 + $1.tiles } }

    /// The markers of all zoom levels.
    public var markers: Int { zooms.reduce(0) { $0 + $1.markers } }

    /// The points of the last zoom level, where each is by itself.
    public var points: Int { zooms.last?.points ?? 0 }
}
