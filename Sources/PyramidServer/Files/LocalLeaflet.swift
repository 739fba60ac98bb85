/// The Leaflet library from the system's packages, for machines that can't reach a CDN.
public struct LocalLeaflet: Sendable {
    /// Where Debian's libjs-leaflet puts it.
    public static let debianDirectory = "/usr/share/javascript/leaflet"
    /// The path under which the server offers it.
    static let urlPrefix = "leaflet/"

    private let directory: String

    /// `nil` if it isn't installed.
    /// - Parameter directory: holds `leaflet.js` and `leaflet.css`.
    public init?(directory: String = debianDirectory) {
        self.directory = directory
        guard file(named: "leaflet/leaflet.js") != nil, file(named: "leaflet/leaflet.css") != nil else { return nil }
    }

    /// - Parameter name: "leaflet/leaflet.js" or "leaflet/leaflet.css".
    func file(named name: String) -> (opened: OpenedFile, contentType: String)? {
        switch name {
        case "\(LocalLeaflet.urlPrefix)leaflet.js":
            (open("leaflet.min.js") ?? open("leaflet.js")).map { ($0, "text/javascript; charset=utf-8") }
        case "\(LocalLeaflet.urlPrefix)leaflet.css":
            open("leaflet.css").map { ($0, "text/css; charset=utf-8") }
        default: nil
        }
    }

    private func open(_ name: String) -> OpenedFile? { (try? OpenedFile(below: directory, [name])) ?? nil }
}
