import Foundation
import PyramidStore
import TestSupport
import Testing

@testable import PyramidServer

struct LocalLeafletTests {
    private static let script = "typeof exports; version=\"1.9.4\";"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a copy, and gives the path of its script.
    private func copy(in directory: String, _ script: String = script, _ style: String = "") throws -> String {
        try folder.file("\(directory)/leaflet.css", style)
        return try folder.file("\(directory)/leaflet.js", script)
    }

    private func page(_ path: String) throws -> String {
        String(decoding: PreviewPage.html(leaflet: try LocalLeaflet(path: path)), as: UTF8.self)
    }

    @Test func `a copy is in the page with its images, and nothing is loaded from elsewhere`() throws {
        let style = """
            .a { background: url(images/layers.png) } .b { background: url("images/layers-2x.png") }
            .c { background: url(images/missing.png) }
            """
        let path = try copy(in: "dist", LocalLeafletTests.script + " // the script", style)
        try folder.file("dist/images/layers.png", "one")
        try folder.file("dist/images/layers-2x.png", "two")
        let page = try page(path)
        #expect(page.contains("version=\"1.9.4\"; // the script\n</script>"))
        #expect(page.contains(".a { background: url(data:image/png;base64,b25l) }"))
        #expect(page.contains(".b { background: url(data:image/png;base64,dHdv) }"))
        #expect(page.contains(".c { background: url(images/missing.png) }"))
        #expect(!page.contains("unpkg.com/leaflet") && !page.contains("src=\"") && !page.contains("rel=\"stylesheet\""))
        #expect(page.contains("/* settings */") == false)
        let start = try #require(page.range(of: ".a {"))
        #expect(start.lowerBound < (try #require(page.range(of: "#map"))).lowerBound)
    }

    @Test func `without a copy the page loads Leaflet with checksums`() {
        let page = String(decoding: PreviewPage.html(leaflet: nil), as: UTF8.self)
        #expect(page.components(separatedBy: "https://unpkg.com/leaflet@1.").count == 3)
        #expect(page.components(separatedBy: "integrity=\"sha256-").count == 3)
    }

    @Test func `no text in a copy ends its element, and no mark in it is replaced`() throws {
        let texts = #"var a = "</script><b>", b = "<!-- <script", c = "</SCRIPT>", d = "/* settings */";"#
        let path = try copy(in: "dist", LocalLeafletTests.script + texts, "a::after { content: '</style>' }")
        let page = try page(path)
        #expect(
            page.contains(#"a = "<\/script><b>", b = "<\!-- <script", c = "<\/SCRIPT>", d = "/* settings */";"#))
        #expect(page.contains(#"content: '<\/style>'"#))
    }

    @Test(arguments: [
        "typeof exports; version=\"2.0.0\";", "export const version=\"1.9.4\";", "version=\"1.9.4\"", "", "<html>",
    ])
    func `what is not the script of Leaflet 1 is refused and passed over`(script: String) throws {
        let path = try copy(in: "a/node_modules/leaflet/dist", script)
        let error = #expect(throws: StoreError.self) { try LocalLeaflet(path: path) }
        #expect(error?.description == "\(path): is not the script of Leaflet 1")
        #expect(found(above: "a") == nil)
        _ = try copy(in: "debian", LocalLeafletTests.script + "debian")
        #expect(found(above: "a")?.hasSuffix("debian") == true)
    }

    @Test func `a file that is missing is named`() throws {
        let path = folder.path("dist/leaflet.js")
        #expect(throws: StoreError(path: path, reason: .missing)) { try LocalLeaflet(path: path) }
        try folder.file("dist/leaflet.js", LocalLeafletTests.script)
        let style = folder.path("dist/leaflet.css")
        #expect(throws: StoreError(path: style, reason: .missing)) { try LocalLeaflet(path: path) }
    }

    @Test func `a copy is found in node_modules here or above, then in Debian's package, its small script first`()
        throws
    {
        #expect(found(above: "a/b/c") == nil)
        _ = try copy(in: "debian", LocalLeafletTests.script + "large")
        #expect(found(above: "a/b/c")?.hasSuffix("large") == true)
        try folder.file("debian/leaflet.min.js", LocalLeafletTests.script + "small")
        #expect(found(above: "a/b/c")?.hasSuffix("small") == true)
        _ = try copy(in: "a/node_modules/leaflet/dist", LocalLeafletTests.script + "above")
        #expect(found(above: "a/b/c")?.hasSuffix("above") == true && found(above: "b")?.hasSuffix("small") == true)
        _ = try copy(in: "a/b/c/node_modules/leaflet/dist", LocalLeafletTests.script + "here")
        #expect(found(above: "a/b/c")?.hasSuffix("here") == true)
    }

    /// The script that is found for a working directory.
    private func found(above directory: String) -> String? {
        LocalLeaflet.installed(above: folder.path(directory), debianDirectory: folder.path("debian"))?.script
    }
}
