import PyramidVerification

/// A report that depends on the memory.
package struct ReportsDiffer: Error, CustomStringConvertible {
    package let description: String
}

extension PyramidVerifier {
    /// The report from memory.
    /// - Throws: ``ReportsDiffer`` if the report with temporary files is another.
    package func checkedReport() throws -> VerificationReport {
        let report = verify()
        // Some dozen markers stay in memory.
        let limited = try verify(within: .bytes(1 << 16), temporaryFolder: TemporaryFolder.parent.path)
        guard limited == report else { throw ReportsDiffer(description: "\(limited), expected \(report)") }
        return report
    }
}
