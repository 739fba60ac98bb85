import PyramidBuild
import PyramidServer
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidCLI
@testable import PyramidPublishing
@testable import PyramidStore

@Suite(.tags(.slow)) struct AdviceTests {
    private static let tile = FileAddress.tile(TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0))

    @Test(arguments: [
        (
            OutputError(.unusable, "out", "holds files", cause: .otherFiles),
            "out: holds files; use --force to build beside them"
        ),
        (
            OutputError(.unusable, "a", "is other; move it away", cause: .foreignArchive),
            "move it away, or --force replaces it"
        ),
        (
            OutputError(.unusable, "p", "is other; remove it", cause: .foreignPage),
            "remove it, or build without --preview"
        ),
        (OutputError(tooLarge: tile, markerCount: 3, byteCount: 9), "; leave columns out or raise --max-zoom"),
        (OutputError(.failed, "out", "is full"), "out: is full"),
    ])
    func `errors of the output name the options that help`(error: OutputError, end: String) {
        #expect(error.lineWithAdvice.hasPrefix("\(error)") && error.lineWithAdvice.hasSuffix(end))
        #expect(!error.description.contains("--"))
    }

    @Test(arguments: [
        (
            PublishingError(.badData, "www: a", cause: .damagedMetadata),
            "www: a; --all uploads every file again"
        ),
        (
            PublishingError(.stopped, "the next publish continues from there", cause: .interruptedUploadOfAll),
            "the next publish continues from there if it is without --all"
        ),
        (
            PublishingError(.unusable, "www/a: b", cause: .otherFile),
            "www/a: b; --force replaces files whose names the tileset needs, and leaves other files alone"
        ),
        (PublishingError(.busy, "www: b"), "www: b"),
    ])
    func `errors of publishing name the options that help`(error: PublishingError, line: String) {
        #expect(error.lineWithAdvice == line)
    }

    @Test func `a file that isn't as listed gets the command that finds all such files`() {
        let error = StoreError(path: "out/files.tsv", reason: .notAsListed)
        #expect(error.lineWithAdvice == "\(error); run pyramid verify for details")
        #expect(StoreError(path: "a", reason: .missing).lineWithAdvice == "a: is missing")
    }

    @Test func `what is wrong with a basemap is said with its options`() {
        #expect(Basemap(template: "https://a/{z}/{x}/{y}").message?.contains("needs --basemap-attribution") == true)
        #expect(Basemap(template: "https://a/{w}").message?.contains("--basemap has \"{w}\"") == true)
        #expect(Basemap(template: "a").message?.contains("--basemap is \"a\"") == true)
        #expect(Basemap(template: "https://a/{z}/{x}/{y}", attribution: "").message == nil)
    }

    @Test func `advice names flags that the commands take`() throws {
        let help = try ["build", "publish", "serve"].map {
            try CommandLineProgram.run([$0, "--help"]).standardOutput
        }.joined()
        let flags = Set(help.split { " \n,()[].".contains($0) })
        let advice =
            OutputError.Cause.allCases.map { OutputError(.failed, "a", "b", cause: $0).lineWithAdvice }
            + PublishingError.Cause.allCases.map { PublishingError(.failed, "a", cause: $0).lineWithAdvice }
            + ["a", "https://a/{z}/{x}/{y}"].compactMap { Basemap(template: $0).message }
        for word in advice.joined(separator: " ").split(whereSeparator: { " ,;".contains($0) })
        where word.hasPrefix("--") {
            #expect(flags.contains(word), "\(word)")
        }
    }

    @Test func `suggested commands are spelled out`() {
        let message: OptionMessage = "load it: \(.buildFromOutput(of: "curl x")); \(.makeSchema)"
        #expect(
            message.withFlags
                == "load it: curl x | pyramid build - OUT; make a schema of all rows: pyramid schema INPUT ...")
        #expect(message.description == "load it: curl x; make a schema of all rows")
    }
}
