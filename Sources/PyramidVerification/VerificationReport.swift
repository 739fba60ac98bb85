import PyramidStore

/// What a verifier found, and what the tileset contains.
public struct VerificationReport: Codable, Equatable, Sendable {
    /// The number of findings listed of each kind; the others are only counted.
    public static let listedFindingsPerKind = 100

    /// The first findings of each kind. The order depends only on the tileset: metadata, directories, then the zoom
    /// levels from first to last, and within each the tiles in the order of the Z curve.
    public let findings: [Finding]
    /// The number of findings of each kind, by its name.
    public let findingCounts: [String: Int]
    /// By zoom, as far as the tiles could be read.
    public let zooms: [ZoomTotals]

    /// What the format of the tiles can't tell, as sentences: where a verifier makes an allowance, and what it can't check.
    /// Empty for GeoJSON.
    public let allowances: [String]

    /// What the tiles of a zoom level hold.
    public struct ZoomTotals: Codable, Equatable, Sendable {
        public let zoom: Int
        /// Tiles that could be read.
        public let tiles: Int
        public let markers: Int
        /// How many of the markers are clusters.
        public let clusters: Int
        /// The number of points that the markers stand for.
        public let points: Int
    }

    init(log: FindingLog, zooms: [ZoomTotals], allowances: [String] = []) {
        self.allowances = allowances
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

    /// The points of the last zoom level, where each stands alone.
    public var points: Int { zooms.last?.points ?? 0 }
}

/// Collects findings: lists the first of each kind and counts them all, so that a tileset that is wrong everywhere
/// takes no more memory than one that is wrong in a few places.
struct FindingLog: Sendable {
    private(set) var findings: [Finding] = []
    private(set) var counts: [Finding.Kind: Int] = [:]

    mutating func add(_ kind: Finding.Kind, in file: String, _ detail: String) {
        let count = counts[kind, default: 0]
        counts[kind] = count + 1
        guard count < VerificationReport.listedFindingsPerKind else { return }
        findings.append(Finding(kind: kind, file: file, detail: detail))
    }

    mutating func add(_ stray: StrayFile) {
        switch stray.problem {
        case .unlisted: add(.extraFile, in: stray.path, "is no tile of the list")
        case .notADirectory: add(.extraFile, in: stray.path, "is not a directory")
        case .unreadable(let reason): add(.extraFile, in: stray.path, "can't be listed (\(reason))")
        case .missingFolder: add(.missingTile, in: stray.path, "is not a directory")
        }
    }

    /// Appends the findings of a later part.
    mutating func append(_ other: FindingLog) {
        var room = counts.mapValues { VerificationReport.listedFindingsPerKind - $0 }
        for finding in other.findings {
            let left = room[finding.kind, default: VerificationReport.listedFindingsPerKind]
            guard left > 0 else { continue }
            room[finding.kind] = left - 1
            findings.append(finding)
        }
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}
