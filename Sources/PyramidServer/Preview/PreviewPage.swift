import PyramidTiles
import PyramidWeb

/// The page that shows a tileset on a map: a single file that works on any static host.
public enum PreviewPage {
    static let contentType = "text/html; charset=utf-8"

    /// The HTML that loads Leaflet: an embedded copy, or else from unpkg.com, with checksums that the browser verifies.
    private static func tags(_ leaflet: LocalLeaflet?) -> String {
        guard let leaflet else {
            return """
                <link rel="stylesheet" href="https://unpkg.com/leaflet@1.9.4/dist/leaflet.css" crossorigin=""
                  integrity="sha256-p4NxAoJBhIIN+hmNHrzRCf9tD/miZyoHS5obTRR9BMY=">
                <script defer src="https://unpkg.com/leaflet@1.9.4/dist/leaflet.js" crossorigin=""
                  integrity="sha256-20nQCchB9co0qIjJZRGuk2/Z9VM+kNiyxNV1lvTlZBo="></script>
                """
        }
        // Text that would end the element early occurs only in strings, where a backslash before it changes nothing.
        let script = leaflet.script.replacing(/<(\/script|!--)/.ignoresCase()) { "<\\\($0.1)" }
        let style = leaflet.style.replacing(/<(\/style)/.ignoresCase()) { "<\\\($0.1)" }
        return "<style>\n\(style)\n</style>\n<script>\n\(script)\n</script>"
    }

    /// The page's bytes.
    /// - Parameters:
    ///   - leaflet: the copy to embed; with `nil` the browser loads it from a CDN.
    ///   - directoryName: the title if the tileset has no name; with `nil` it is taken from the page's URL.
    ///   - basemap: must have no ``Basemap/problem``. Without one, the page draws its built-in coasts, borders and
    ///     cities.
    public static func html(
        leaflet: LocalLeaflet?, directoryName: String? = nil, basemap: Basemap? = nil
    ) -> [UInt8] {
        var page = file("preview.html")
        replace("/* preview.css */", with: file("preview.css"), in: &page)
        replace("/* preview.js */", with: script, in: &page)
        // Last, because texts from outside may contain the other marks.
        replace("/* settings */", with: settings(directoryName, basemap), in: &page)
        replace("<!-- leaflet -->", with: Array(tags(leaflet).utf8), in: &page)
        return page
    }

    private static let script = Array(
        ModuleScript.text(
            of: "preview.js",
            among: WebLibrary.modules.merging(EmbeddedFiles.texts) { _, _ in
                preconditionFailure("two modules have the same name")
            }
        ).utf8)

    private static func file(_ name: String) -> [UInt8] {
        guard let text = EmbeddedFiles.texts[name] else { preconditionFailure("no \(name) among the embedded files") }
        return Array(text.utf8)
    }

    /// A JSON object with every `<` escaped, so that no text can end its script element.
    private static func settings(_ directoryName: String?, _ basemap: Basemap?) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.append("{\"name\":")
        buffer.append(quoted: directoryName ?? "")
        if let basemap {
            buffer.append(",\"basemap\":{\"template\":")
            buffer.append(quoted: basemap.template)
            buffer.append(",\"attribution\":")
            buffer.append(quoted: basemap.shownAttribution ?? "")
            buffer.append("}")
        }
        buffer.append("}")
        return buffer.withUnsafeBytes { bytes in
            bytes.flatMap { $0 == UInt8(ascii: "<") ? Array("\\u003c".utf8) : [$0] }
        }
    }

    private static func replace(_ mark: String, with text: [UInt8], in page: inout [UInt8]) {
        guard let place = page.firstRange(of: Array(mark.utf8)) else { preconditionFailure("no \(mark) in the page") }
        page.replaceSubrange(place, with: text)
    }
}
