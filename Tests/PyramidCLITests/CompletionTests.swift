import Foundation
import TestSupport
import Testing

/// The scripts that let shells complete command lines.
@Suite(.tags(.slow)) struct CompletionTests {
    /// An argument or option that takes a path, as the program describes itself.
    struct PathArgument: Decodable {
        let kind: String
        let valueName: String?
        let preferredName: Name?
        struct Name: Decodable { let name: String }

        /// What stands for a path in the usage of a command.
        static let valueNames: Set = ["path", "file", "tileset", "input", "destination", "old", "new"]
    }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [PathArgument]?
        let subcommands: [Command]?
    }

    private struct Description: Decodable { let command: Command }

    /// By command, the words that come before each of its paths.
    private static func wordsBeforePaths() throws -> [(command: String, words: [String])] {
        let json = try CommandLineProgram.run(["--experimental-dump-help"]).standardOutput
        let program = try JSONDecoder().decode(Description.self, from: Data(json.utf8)).command
        return (program.subcommands ?? []).flatMap { command in
            var earlier: [String] = []
            return (command.arguments ?? []).compactMap { argument -> (String, [String])? in
                guard let name = argument.valueName, PathArgument.valueNames.contains(name) else { return nil }
                if let option = argument.preferredName, argument.kind == "option" {
                    return (command.commandName, ["--\(option.name)"])
                }
                defer { earlier.append("a") }
                return (command.commandName, earlier)
            }
        }
    }

    @Test func `every path of every command is completed by bash`() throws {
        let folder = try TemporaryFolder()
        try folder.file("names/alpha.js", "")
        try folder.file("names/alphabet/file", "")
        let script = try folder.file("pyramid.bash", completionScript("bash"))
        let cases = try CompletionTests.wordsBeforePaths()
        // 8 commands, two of them with two paths, and options.
        #expect(Set(cases.map(\.command)).count == 8 && cases.count >= 13, "\(cases)")
        for (command, words) in cases + [("build", ["a", "b", "c"]), ("join", ["a", "b"])] {
            let found = try completions(of: ["pyramid", command] + words + ["al"], script, in: folder.path("names"))
            // A place to publish to is no file.
            let expected = command == "publish" && !words.isEmpty ? ["alphabet"] : ["alpha.js", "alphabet"]
            #expect(found == expected, "\(command) \(words)")
        }
        #expect(try completions(of: ["pyramid", "build", "--max-z"], script, in: folder.path) == ["--max-zoom"])
        #expect(try completions(of: ["pyramid", "serve", "--port", "al"], script, in: folder.path("names")) == [])
    }

    /// Their scripts have a line for each argument; one is completed by directories.
    @Test(arguments: [
        ("zsh", [":_files'", ":_files -/'"]), ("fish", [" -F", " -rF", " -fa '(__pyramid_complete_directories)'"]),
    ])
    func `every path of every command is completed by other shells`(shell: String, ends: [String]) throws {
        let lines = try completionScript(shell).split(separator: "\n")
        let completed = lines.filter { line in ends.contains { line.hasSuffix($0) } }
        #expect(try completed.count == CompletionTests.wordsBeforePaths().count, "\(completed)")
    }

    private func completionScript(_ shell: String) throws -> String {
        try CommandLineProgram.run(["--generate-completion-script", shell]).standardOutput
    }

    /// What bash offers for the last of the words.
    private func completions(of words: [String], _ script: String, in folder: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let lines = #"""
            cd "$1" && . "$0" && shift || exit 1
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
            _pyramid pyramid "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            for name in "${COMPREPLY[@]}"; do echo "$name"; done
            """#
        process.arguments = ["bash", "-c", lines, script, folder] + words
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Set(String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)).sorted()
    }
}
