import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct VersionTests {
    /// Where the version stands, relative to the root: what comes before and after it.
    private static let places = [
        ("Sources/PyramidWeb/package.json", "\"version\": \"", "\""),
        ("Sources/PyramidSpark/pyproject.toml", "\nversion = \"", "\""),
        ("Sources/Documentation/Pyramid.docc/Reference/Changes.md", "\n## ", "\n"),
        ("Sources/Documentation/Pyramid.docc/Reference/Format.md", "\"pyramid ", "\""),
    ]

    @Test func `libraries and articles name the program's version`() throws {
        let version = try CommandLineProgram.run(["--version"]).standardOutput.trimmingCharacters(in: .newlines)
        #expect(version.contains("."))
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for (path, before, after) in VersionTests.places {
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            // The first after which the other comes before a line's end.
            let found = text.ranges(of: before).lazy
                .compactMap { start in
                    text[start.upperBound...].firstRange(of: after).map { text[start.upperBound..<$0.lowerBound] }
                }
                .first { $0.first?.isNumber == true && !$0.contains("\n") }
            #expect(found.map(String.init) == version, "\(path), after \(before)")
        }
    }
}
