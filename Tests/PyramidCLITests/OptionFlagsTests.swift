import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidCLI

@Suite(.tags(.slow)) struct OptionFlagsTests {
    /// The properties of `OptionName` in the sources.
    private static var declaredNames: [String] {
        get throws {
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Sources").standardizedFileURL.path
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
            return try files.flatMap { file in
                let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
                return text.matches(of: /static var (\w+): OptionName/).map { String($0.1) }
            }
        }
    }

    @Test func `every option that a message names has the flag that a command takes`() throws {
        let help = try CommandLineProgram.run(["build", "--help-hidden"]).standardOutput
        let words = Set(help.split { " \n,()[]".contains($0) })
        let names = try OptionFlagsTests.declaredNames
        #expect(names.count > 40)
        for name in names {
            let flag = OptionName(name).flag
            #expect(words.contains(Substring(flag)), "\(name)")
        }
    }

    @Test func `errors name flags`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("points.csv", "lat,lon\n48,11\n")
        let usage = try CommandLineProgram.run(["build", file, folder.path("out"), "--members", "5"])
        #expect(usage.exitCode == 64)
        #expect(usage.standardError.contains("--members needs --id-column, or --member-properties"))
        let column = try CommandLineProgram.run(["build", file, folder.path("out"), "--weight", "w"])
        #expect(column.exitCode == 64)
        #expect(column.standardError.contains("no column \"w\" for --weight, expected one of"))
    }

    @Test(arguments: [
        (["build", "a", "b", "--nonsense"], "build"), (["build", "a"], "build"), (["--nonsense"], nil),
        (["build", "a", "b", "--position", "x"], "build"), (["build", "a", "b", "--max-zoom"], "build"),
        (["build", "a", "b", "--max-zoom", "24"], "build"), (["verify"], "verify"),
        (["show", "a", "b\nc", "d"], "show"),
    ])
    func `a wrong option is one line, and another says where the options are`(
        arguments: [String], command: String?
    ) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.exitCode == 64 && outcome.standardOutput.isEmpty)
        let lines = outcome.standardError.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3 && lines[0].hasPrefix("error: ") && lines[0].count > 20, "\(lines)")
        #expect(lines[1] == "see pyramid \(command.map { $0 + " " } ?? "")--help" && lines[2].isEmpty, "\(lines)")
    }

    @Test(arguments: [
        "-z 9 -Z 2 -q -f", "-z9 -Z2 -qf", "--max-zoom 9 --min-zoom=2 --quiet --force",
        "--max-zoom 9 --min-zoom 2 --force --quiet",
    ])
    func `options have the names that tippecanoe gives them`(options: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("points.csv", "lat,lon\n48,-11\n")
        _ = try folder.file("out/foreign.txt", "mine")
        let outcome = try CommandLineProgram.run(
            ["build", file, folder.path("out")] + options.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 0 && outcome.standardError.isEmpty, "\(outcome.standardError)")
        let manifest = try DirectoryTileset(path: folder.path("out")).manifest()
        #expect(manifest.options.minZoom == 2 && manifest.options.maxZoom == 9)
    }

    @Test(arguments: [
        [
            "--include", #"kind, a,x\,y,p,q,b"#, "--exclude", "c,b", "--types", "p:string,q:string",
            "--accumulate-attribute", #"a:sum:total,x\,y:max:top"#, "--count-by", #"kind:2,x\,y"#,
            "--cluster-properties", "a,p", "--member-properties", "p,q",
        ],
        [
            "--include", "kind,a", "--include", #"x\,y"#, "--include", "p,q", "--include", "b", "--exclude", "b",
            "--exclude", "c", "--types", "p:string", "--types", "q:string", "--accumulate-attribute", "a:sum:total",
            "--accumulate-attribute", #"x\,y:max:top"#, "--count-by", "kind:2", "--count-by", #"x\,y"#,
            "--cluster-properties", "a", "--cluster-properties", "p", "--member-properties", "p",
            "--member-properties", "q",
        ],
    ])
    func `lists are written with commas or by repeating the option`(options: [String]) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("points.csv", "lat,lon,kind,\"x,y\",a,b,c,p,q\n48,-11,k,2,3,4,5,6,7\n")
        let outcome = try CommandLineProgram.run(
            ["build", file, folder.path("out"), "--format", "mvt", "--members", "5"] + options)
        #expect(outcome.exitCode == 0, "\(outcome.standardError)")
        let tileset = DirectoryTileset(path: folder.path("out"))
        let content = try tileset.manifest().content
        #expect(content.properties == ["kind", "x,y", "a", "p", "q"])
        #expect(
            content.clusters.accumulate == [
                Accumulation(name: "a", operation: .sum, output: "total"),
                Accumulation(name: "x,y", operation: .max, output: "top"),
            ])
        #expect(content.clusters.countBy == [CategoryCount(name: "kind", limit: 2), CategoryCount(name: "x,y")])
        #expect(content.clusters.properties == ["a", "p"] && content.clusters.memberProperties == ["p", "q"])
        let fields = try tileset.tileJSON().vectorLayers[0].fields
        #expect(fields["p"] == "String" && fields["q"] == "String" && fields["a"] == "Number")
    }

    @Test(arguments: [["build", "a.csv", "-o", "out"], ["build", "-oout"], ["join", "a", "b", "--output=out"]])
    func `an output that is given as an option is refused with the right place`(arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.exitCode == 64)
        let line = try #require(outcome.standardError.split(separator: "\n").first)
        #expect(line.contains("'out'") && line.hasSuffix("the output is the last argument: pyramid build INPUT OUTPUT"))
    }

    @Test(arguments: [
        ("price:maxx", "; did you mean max?"), ("a:b:meen:total", "; did you mean mean?"), ("price:sum:", ""),
        ("price", ""), (":sum", ""), ("sums:nothing", ""),
    ])
    func `a misspelt operation is recognised`(text: String, advice: String) throws {
        let outcome = try CommandLineProgram.run(["build", "a", "b", "--accumulate-attribute", text])
        #expect(outcome.exitCode == 64)
        let line = try #require(outcome.standardError.split(separator: "\n").first)
        #expect(line.hasSuffix("sum, min, max, mean, count, concat, comma" + advice), "\(line)")
    }
}
