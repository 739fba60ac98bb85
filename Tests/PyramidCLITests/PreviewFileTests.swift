import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PreviewFileTests {
    private let folder: TemporaryFolder
    private let input: String
    private var output: String { folder.path("out") }
    private var page: String { output + "/index.html" }

    init() throws {
        folder = try TemporaryFolder()
        input = try folder.file("cities.csv", "name,lat,lon\nSuva,-18.1416,178.4419\nReykjavík,64.1466,-21.9426\n")
    }

    private func build(_ options: String...) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["build", input, output, "--max-zoom", "3", "--quiet"] + options)
    }

    private func content() -> String? {
        FileManager.default.contents(atPath: page).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `the page is a file of the pyramid while builds ask for it`() throws {
        #expect(try build("--preview").exitCode == 0)
        let written = try #require(content())
        #expect(written.hasPrefix("<!doctype html>") && written.hasSuffix("</html>\n"))
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)
        #expect(try DirectoryTileset(path: output).manifest().files["index.html"]?.bytes == written.utf8.count)

        #expect(try build("--preview").exitCode == 0)
        #expect(content() == written)

        #expect(try build().exitCode == 0)
        #expect(content() == nil)
        #expect(try DirectoryTileset(path: output).manifest().files["index.html"] == nil)
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)
    }

    @Test func `a copy of Leaflet is in the page, and the summary says so`() throws {
        let script = "typeof exports; version = \"1.9.4\"; // from the test"
        let leaflet = try folder.file("leaflet/leaflet.js", script)
        let missing = try build("--preview", "--leaflet", leaflet)
        #expect(missing.exitCode == 66)
        #expect(
            missing.standardError
                == "error: \(folder.path("leaflet/leaflet.css")): is missing, expected the leaflet.js of Leaflet 1 with "
                + "leaflet.css beside it\n")
        #expect(!FileManager.default.fileExists(atPath: output))
        try folder.file("leaflet/leaflet.css", ".from-the-test {}")
        let outcome = try CommandLineProgram.run(["build", input, output, "--preview", "--leaflet", leaflet])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("preview   index.html contains Leaflet and works offline\n"))
        let page = try #require(content())
        #expect(page.contains(script) && page.contains(".from-the-test {}") && !page.contains("unpkg.com/leaflet"))
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)
        let refused = try build("--leaflet", leaflet)
        #expect(refused.exitCode == 64 && refused.standardError.contains("--leaflet needs --preview"))
    }

    @Test func `the same page shows plain and bundled pyramids`() throws {
        #expect(try build("--preview").exitCode == 0)
        let plain = try #require(content())
        #expect(try build("--preview", "--bundle", "2").exitCode == 0)
        #expect(content() == plain)
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)
    }

    @Test func `a basemap is in the page with its credit, and refused without the page or the credit`() throws {
        let template = "https://tiles.example/{z}/{x}/{y}.png"
        for options in [["--basemap", template], ["--basemap-attribution", "© Example"]] {
            let outcome = try CommandLineProgram.run(["build", input, output, "--preview"] + options)
            #expect(outcome.exitCode == 64)
            let served = try CommandLineProgram.run(["serve", folder.url.path] + options)
            #expect(served.exitCode == 64)
            #expect(served.standardError.contains("--basemap") && served.standardError.contains("needs --basemap"))
        }
        #expect(try build("--basemap", template, "--basemap-attribution", "© Example").exitCode == 64)
        #expect(content() == nil)
        #expect(try build("--preview", "--basemap", template, "--basemap-attribution", "© Example").exitCode == 0)
        let written = try #require(content())
        #expect(written.contains(template) && written.contains("\"© Example\""))
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)
    }

    @Test func `a changed or missing page is found`() throws {
        #expect(try build("--preview").exitCode == 0)
        let written = try #require(content())
        try Data(written.replacingOccurrences(of: "</html>", with: "</html >").utf8).write(
            to: URL(fileURLWithPath: page))
        let changed = try CommandLineProgram.run(["verify", output, "--quiet"])
        #expect(changed.exitCode == 1)
        #expect(changed.standardOutput.hasPrefix("index.html: has \(written.utf8.count + 1) bytes"))

        try FileManager.default.removeItem(atPath: page)
        let missing = try CommandLineProgram.run(["verify", output, "--quiet"])
        #expect(missing.standardOutput == "index.html: is missing\n")
    }

    @Test func `a page of the user's own is neither removed nor replaced`() throws {
        #expect(try build().exitCode == 0)
        try Data("<p>mine</p>".utf8).write(to: URL(fileURLWithPath: page))
        #expect(try build().exitCode == 0)
        #expect(content() == "<p>mine</p>")
        #expect(try CommandLineProgram.run(["verify", output]).exitCode == 0)

        let before = try Data(contentsOf: URL(fileURLWithPath: output + "/manifest.json"))
        let refused = try build("--preview", "--max-zoom", "4")
        #expect(refused.exitCode == 73)
        #expect(
            refused.standardError.contains(
                "index.html: is not a page that a build has written; move it away, or build without --preview"))
        #expect(content() == "<p>mine</p>")
        #expect(try Data(contentsOf: URL(fileURLWithPath: output + "/manifest.json")) == before)
    }

    @Test func `a page that the user has changed stays`() throws {
        #expect(try build("--preview").exitCode == 0)
        try Data("<p>changed</p>".utf8).write(to: URL(fileURLWithPath: page))
        #expect(try build("--preview").exitCode == 73)
        #expect(try build().exitCode == 0)
        #expect(content() == "<p>changed</p>")
    }

    @Test func `a link in the page's place is left alone`() throws {
        #expect(try build("--preview").exitCode == 0)
        let target = try folder.file("target.html", "<p>target</p>")
        try FileManager.default.removeItem(atPath: page)
        try FileManager.default.createSymbolicLink(atPath: page, withDestinationPath: target)
        #expect(try build("--preview").exitCode == 73)
        #expect(try build().exitCode == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "<p>target</p>")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: page) == target)
    }

    @Test func `a manifest can't make verify read other files`() throws {
        #expect(try build("--preview").exitCode == 0)
        let secret = try folder.file("secret.txt", "secret")
        var manifest = try DirectoryTileset(path: output).manifest()
        manifest.files["../secret.txt"] = Manifest.FileSummary(
            of: Array(try Data(contentsOf: URL(fileURLWithPath: secret))))
        try Data(try manifest.encoded()).write(to: URL(fileURLWithPath: output + "/manifest.json"))
        let outcome = try CommandLineProgram.run(["verify", output, "--quiet"])
        #expect(outcome.exitCode == 1)
        #expect(outcome.standardOutput.contains("manifest.json: has a checksum of ../secret.txt"))
    }
}
