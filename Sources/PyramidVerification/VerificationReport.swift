import PyramidStore

/// What a verifier found, and what the tileset contains.
public struct VerificationReport: Codable, Equatable, Sendable {
    /// How many findings of each kind are listed; any more are only counted.
    public static let listedFindingsPerKind = 100

    /// The first findings of each kind. Their order depends only on the tileset: metadata, unlisted files, then the
    /// zooms from the lowest to the highest, and within each the tiles in the order of the Z curve.
    public let findings: [Finding]
    /// The number of findings of each kind, by its name.
    public let findingCounts: [String: Int]
    /// By zoom, without tiles that could not be read.
    public let zooms: [ZoomTotals]

    /// Sentences on what the tiles' format can't express exactly: where the verifier makes an allowance, and what it
    /// can't check. Empty for GeoJSON.
    public let allowances: [String]

    /// What the tiles of a zoom hold.
    public struct ZoomTotals: Codable, Equatable, Sendable {
        public let zoom: Int
        /// Without tiles that could not be read.
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

    /// The report on an archive that can't be opened; `nil` if its bytes aren't to blame.
    public init?(unreadable error: StoreError) {
        switch error.reason {
        case .missing, .unreadable, .notRegularFile, .notATileset: return nil
        default: break
        }
        var log = FindingLog()
        log.add(.damagedArchive, in: "header", "\(error.reason)")
        self.init(log: log, zooms: [])
    }

    /// Whether nothing was found.
    public var isSound: Bool { findingCounts.isEmpty }

    /// All findings, listed or not.
    public var findingCount: Int { findingCounts.values.reduce(0, +) }

    /// The number of tiles at all zooms.
    public var tiles: Int { zooms.reduce(0) { $0 + $1.tiles } }

    /// The number of markers at all zooms.
    public var markers: Int { zooms.reduce(0) { $0 + $1.markers } }

    /// The number of points that the markers of the max zoom stand for.
    public var points: Int { zooms.last?.points ?? 0 }
}

/// Collects findings: lists the first of each kind and counts them all, so that memory is limited however much is wrong
/// with a tileset.
struct FindingLog: Sendable {
    private(set) var findings: [Finding] = []
    private(set) var counts: [Finding.Kind: Int] = [:]

    mutating func add(_ kind: Finding.Kind, in file: String, _ detail: String) {
        add(Finding(kind: kind, file: file, detail: detail))
    }

    mutating func add(_ finding: Finding) {
        let count = counts[finding.kind, default: 0]
        counts[finding.kind] = count + 1
        guard count < VerificationReport.listedFindingsPerKind else { return }
        findings.append(finding)
    }

    mutating func add(_ stray: StrayFile) {
        switch stray.problem {
        case .unlisted: add(.extraFile, in: stray.path, "is not in the file list")
        case .notADirectory: add(.extraFile, in: stray.path, "is not a directory")
        case .unreadable(let reason): add(.extraFile, in: stray.path, "can't be listed (\(reason))")
        case .missingFolder: add(.missingTile, in: stray.path, "is not a directory")
        }
    }

    /// Appends the findings of a later check.
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
