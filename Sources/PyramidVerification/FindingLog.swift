import PyramidStore

/// Collects findings: lists the first of each kind and counts them all, so that a pyramid that is wrong everywhere
/// costs no more memory than one that is wrong in a few places.
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

    /// Adds the findings of a later part, in their order.
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
