import PyramidTiles

/// The page that shows a pyramid on a map: one file, which needs nothing of a host but that it serves files.
public enum PreviewPage {
    public static let fileName = "index.html"
    static let contentType = "text/html; charset=utf-8"

    /// Where the browser gets Leaflet from.
    public enum LeafletSource: Sendable {
        /// unpkg.com, with checksums that the browser holds the files against.
        case contentNetwork
        /// The server itself: ``LocalLeaflet``.
        case local
    }

    /// The page's bytes.
    public static func html(leaflet: LeafletSource) -> [UInt8] {
        var page = PackageResources.preview_html
        insert(PackageResources.preview_css, for: "/* preview.css */", into: &page)
        return page
    }

    private static func insert(_ text: [UInt8], for mark: String, into page: inout [UInt8]) {
        guard let place = page.firstRange(of: Array(mark.utf8)) else { preconditionFailure("no \(mark) in the page") }
        page.replaceSubrange(place, with: text)
    }
}
