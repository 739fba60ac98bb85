import Foundation
import PyramidStore
import PyramidVerification

/// Findings, or figures, that depend on how the verifier cuts the map.
package struct RegionsDiffer: Error, CustomStringConvertible {
    package let description: String
}

extension PyramidVerifier {
    /// The report on the whole map at once.
    /// - Throws: ``RegionsDiffer`` if a report by regions is another, but for the order of findings.
    package func reportByRegions(_ counts: [Int] = isCampaign ? [3, 40] : [7]) throws -> VerificationReport {
        let whole = verify()
        for count in counts {
            var verifier = self
            verifier.regionCount = count
            // Some chunks stay in memory and others don't.
            let report = try verifier.verify(within: .bytes(count << 16), temporaryFolder: NSTemporaryDirectory())
            guard report.zooms == whole.zooms, report.allowances == whole.allowances else {
                throw RegionsDiffer(description: "\(count) regions: \(report.zooms), expected \(whole.zooms)")
            }
            guard report.findingCounts == whole.findingCounts else {
                throw RegionsDiffer(
                    description: "\(count) regions: \(report.findingCounts), expected \(whole.findingCounts)")
            }
            // Of more findings, others may be listed.
            guard whole.findingCounts.values.allSatisfy({ $0 <= VerificationReport.listedFindingsPerKind }) else {
                continue
            }
            let (found, expected) = (report.findings.map(\.description), whole.findings.map(\.description))
            if found.sorted() != expected.sorted() {
                throw RegionsDiffer(
                    description: "\(count) regions: \(Set(found).symmetricDifference(expected).sorted())")
            }
        }
        return whole
    }
}
