import Foundation
import TestSupport
import Testing

/// Holds the article Options against what the program says of itself.
@Suite(.tags(.slow)) struct OptionsArticleTests {
    /// By option, such as `--max-zoom`, its default; empty for none.
    typealias Defaults = [String: String]

    /// The sections of commands whose options aren't all those of `build`.
    private static let sections = [
        "serve": "Serving", "plan": "Planning parts", "schema": "Listing columns", "diff": "Comparing",
        "publish": "Publishing", "verify": "Verifying",
    ]

    @Test func `the article has every option of every command with its default, and no other`() throws {
        let help = { command in
            let said = try CommandLineProgram.run([command, "--help-hidden"]).standardOutput
            return OptionsArticleTests.options(inHelp: said)
        }
        let build = try help("build")
        #expect(build.count > 40)
        let parts = try article().components(separatedBy: "\n### ")
        func expect(_ expected: Defaults, in parts: [String], _ command: String) {
            let found = OptionsArticleTests.options(inArticle: parts.joined(separator: "\n"))
            #expect(Set(found.keys).symmetricDifference(expected.keys) == [], "\(command)")
            for (name, value) in expected { #expect(found[name] == value, "\(command) \(name)") }
        }
        let others = OptionsArticleTests.sections.values
        expect(build, in: parts.filter { part in !others.contains { part.hasPrefix($0 + "\n") } }, "build")
        for command in try commands() where command != "build" {
            // Options that are those of `build` stand in its tables.
            let own = try help(command).filter { build[$0.key] != $0.value }
            let section = OptionsArticleTests.sections[command]
            expect(own, in: section.map { name in parts.filter { $0.hasPrefix(name + "\n") } } ?? [], command)
        }
    }

    /// All commands but `help`.
    private func commands() throws -> [String] {
        let lines = try CommandLineProgram.run(["--help"]).standardOutput.split(separator: "\n")
        let names = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { $0 != "Exit codes:" }.filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ")
        }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
        try #require(names.count > 8)
        return names.filter { $0 != "help" }
    }

    @Test func `the article and the help of pyramid list the same exit codes`() throws {
        let help = try CommandLineProgram.run(["--help"]).standardOutput
        #expect(help.contains(/USAGE: [^§]*Exit codes:/), "the usage comes first")
        let codes = { (text: Substring) in text.split { " ,".contains($0) }.compactMap { Int($0) } }
        let expected = help.split(separator: "\n").drop { $0 != "Exit codes:" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }.flatMap { codes($0.prefix(12)) }
        let found = try article().split(separator: "\n").drop { $0 != "### Exit codes" }
            .filter { $0.hasPrefix("| ") }.flatMap { codes($0.dropFirst(2).prefix { $0 != "|" }) }
        #expect(expected.contains(71))
        #expect(found == expected)
    }

    @Test func `a missing option, another default and an option of the past are told apart`() {
        let help = """
              --zoom <zoom>           The last zoom. (values: 1, 2;
                                      default: 2)
              --jobs <n>              Threads. (default: all cores)
              -q, --quiet, --silent   Say less.
            """
        #expect(OptionsArticleTests.options(inHelp: help) == ["--zoom": "2", "--jobs": "all cores", "--quiet": ""])
        let table = "| `--zoom` | `2` | The last. |\n| `--old` | | Gone. |"
        #expect(OptionsArticleTests.options(inArticle: table) == ["--zoom": "2", "--old": ""])
    }

    private func article() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("Sources/Documentation/Pyramid.docc/Reference/Options.md"),
            encoding: .utf8)
    }

    private static func options(inHelp help: String) -> Defaults {
        var entries: [(name: String, text: String)] = []
        for line in help.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("  -"), let name = words.first(where: { $0.hasPrefix("--") }) {
                entries.append((String(name.prefix { $0 != "," }), line.dropFirst(2).description))
            } else if line.hasPrefix("      "), let last = entries.indices.last {
                entries[last].text += " " + words.joined(separator: " ")
            }
        }
        return Dictionary(entries.map { ($0.name, defaultValue(in: $0.text)) }) { $1 }
    }

    private static func defaultValue(in text: String) -> String {
        guard let start = text.range(of: "default: ") else { return "" }
        return String(text[start.upperBound...].prefix { $0 != ")" })
    }

    private static func options(inArticle article: String) -> Defaults {
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
            }
        }
        return Dictionary(rows.map { ($0[1], $0[2]) }) { $1 }
    }
}
