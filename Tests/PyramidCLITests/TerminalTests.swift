import Foundation
import TestSupport
import Testing

@testable import PyramidCLI

/// What reaches a terminal.
@Suite(.tags(.slow)) struct TerminalTests {
    @Test func `whatever a terminal could obey is escaped as in JSON`() {
        #expect("Reykjavík 東京 🏔️ 'x' \\".escapingControls() == "Reykjavík 東京 🏔️ 'x' \\")
        #expect("e\u{1b}]0;pwn\u{7}.csv".escapingControls() == "e\\u001b]0;pwn\\u0007.csv")
        #expect("a\nb\tc\r\0\u{7f}".escapingControls() == "a\\nb\\tc\\r\\u0000\\u007f")
        #expect("\u{9b}31m\u{80}\u{9f}\u{a0}".escapingControls() == "\\u009b31m\\u0080\\u009f\u{a0}")
        #expect(
            "\u{202e}gpj\u{202c}\u{2066}\u{2069}\u{2028}\u{61c}\u{200f}".escapingControls()
                == "\\u202egpj\\u202c\\u2066\\u2069\\u2028\\u061c\\u200f")
        #expect("{\n  \"a\u{7f}\" : 1\n}".escapingControls(keepingLines: true) == "{\n  \"a\\u007f\" : 1\n}")
    }

    /// The byte of every control character but the line end, those of Unicode in UTF-8.
    private static func controls(in text: String) -> [String] {
        text.unicodeScalars.filter {
            $0 != "\n"
                && ($0.properties.generalCategory == .control || $0.properties.isBidiControl)
        }.map { String($0.value, radix: 16) }
    }

    private static let evil = "\u{1b}]0;pwn\u{7}\u{9b}31m\u{202e}\u{7f}"

    @Test func `names and values with control characters don't reach the terminal, whatever the command`() throws {
        let folder = try TemporaryFolder()
        let evil = TerminalTests.evil
        let csv = "n\(evil),lat,lon\nv\(evil),-18.1416,178.4419\nw,9\(evil),7\n"
        let input = try folder.file("e\(evil).csv", csv)
        let out = folder.path("o\(evil)")
        let other = folder.path("p\(evil)")
        _ = try CommandLineProgram.run(["build", input, other, "--max-zoom", "2", "--cluster-distance", "9"])
        var commands = [
            ["build", input, out, "--max-zoom", "2", "--json"], ["build", input, out, "--quiet", "--strict"],
            ["build", input, out, "--id-column", "x\(evil)"], ["build", input, input], ["build", out, other],
            ["build", "nothing\(evil)", out], ["build", input, out, "--group-by", "n\(evil)", "--max-zoom", "3"],
            ["verify", out], ["show", out], ["show", out, "--json"], ["show", out, "3/7/4"], ["show", out, "3/0/0"],
            ["show", "nothing\(evil)"], ["diff", out, other], ["diff", out, other, "--json"], ["diff", out, evil],
            ["publish", out, folder.path("w\(evil)"), "--json"], ["publish", out, "gs\(evil)://x"],
            ["publish", out, "s3://\(evil)", "--endpoint-url", evil], ["serve", out, "--host", "h\(evil)"],
            [evil], ["build", "--\(evil)"], ["build", input, out, "--max-zoom", evil], ["show", out, "a\n\(evil)"],
        ]
        commands.append(["build", input, "\(out)\nerror: done"])
        for arguments in commands {
            let outcome = try CommandLineProgram.run(arguments)
            let said = outcome.standardOutput + outcome.standardError
            #expect(TerminalTests.controls(in: said) == [], "\(arguments): \(said)")
            #expect(!said.contains("\nerror: done"))
            #expect(!outcome.wasKilled)
        }
        // A damaged tile and a foreign file are named in findings.
        _ = FileManager.default.createFile(atPath: out + "/tiles/\(evil)", contents: nil)
        let verified = try CommandLineProgram.run(["verify", out])
        #expect(verified.exitCode == 1)
        #expect(verified.standardOutput.contains("\\u001b]0;pwn\\u0007\\u009b31m\\u202e\\u007f"))
        #expect(TerminalTests.controls(in: verified.standardOutput + verified.standardError) == [])

        // What a program reads is the same.
        let json = try CommandLineProgram.run(["show", out, "--json"]).json()
        #expect((json["fields"] as? [String: String])?.keys.first == "n\(evil)")
        let shown = try CommandLineProgram.run(["show", out, "3/7/4"]).json()
        let feature = try #require((shown["features"] as? [[String: Any]])?.first)
        #expect((feature["properties"] as? [String: Any])?["n\(evil)"] as? String == "v\(evil)")
    }

    /// Runs the program with a terminal as its standard error.
    /// - Returns: what the terminal gets.
    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        var (primary, replica): (Int32, Int32) = (0, 0)
        try #require(openpty(&primary, &replica, nil, nil, nil) == 0)
        defer {
            close(primary)
            close(replica)
        }
        var bytes: [UInt8] = []
        func read(upTo isEnd: () -> Bool) {
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while !isEnd() {
                var file = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
                guard poll(&file, 1, 10) > 0 else { continue }
                let count = Foundation.read(primary, &piece, piece.count)
                bytes += piece.prefix(count)
            }
        }
        let name = try #require(ttyname(replica).map { String(cString: $0) })
        let outcome = try CommandLineProgram.run(arguments, errorPath: name, environment: environment) { process in
            // A terminal holds little that nobody has read.
            read { !process.isRunning }
        }
        #expect(outcome.exitCode == 0 && outcome.standardOutput.isEmpty)
        // What a terminal holds is lost on some systems when it is closed, so its end is a byte of our own.
        try #require(write(replica, [0], 1) == 1)
        read { bytes.last == 0 }
        return String(decoding: bytes.dropLast(), as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `a build on a terminal says what to do next, once`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", "name,lat,lon\nSuva,-18.1416,178.4419\n")
        let out = folder.path("my map")
        let said = try run(["build", input, out, "--max-zoom", "3"])
        #expect(said.split(separator: "\n").last == "Next: pyramid serve '\(out)'")
        #expect(said.ranges(of: "Next").count == 1)
        #expect(try run(["build", input, out, "--max-zoom", "3", "--quiet"]) == "")
        let plain = try CommandLineProgram.run(["build", input, out, "--max-zoom", "3"])
        #expect(!plain.standardError.contains("Next"))
    }

    @Test func `only a terminal without NO_COLOR gets colours`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", "name,lat,lon\nSuva,-18.1416,178.4419\nNowhere,98,3\n")
        let arguments = ["build", input, folder.path("out"), "--max-zoom", "3", "--quiet"]
        #expect(try run(arguments, environment: ["NO_COLOR": ""]).hasPrefix("\u{1b}[33mwarning: \u{1b}[0m"))
        #expect(try run(arguments, environment: ["NO_COLOR": "1"]).hasPrefix("warning: "))
    }
}
