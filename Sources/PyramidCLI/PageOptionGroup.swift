import ArgumentParser
import PyramidServer
import PyramidStore

/// The page that shows a tileset on a map: its copy of Leaflet and its basemap.
struct PageOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Embed this copy of Leaflet 1, so that the page works offline: leaflet.js, with leaflet.css beside it. \
            (default: the one of npm or of Debian's libjs-leaflet if installed, else loaded from unpkg.com)
            """, valueName: "file"),
        completion: .file())
    var leaflet: String?

    @Option(
        help: ArgumentHelp(
            """
            Show raster tiles of another host behind the markers: https://tile.example.org/{z}/{x}/{y}.png. (default: \
            built-in coasts, borders and cities)
            """, valueName: "template"))
    var basemap: String?

    @Option(
        help: ArgumentHelp(
            """
            The credit that the basemap's provider asks for, as text or HTML; "" for none. (default: known for \
            openstreetmap.org)
            """, valueName: "text"))
    var basemapAttribution: String?

    var basemapValue: Basemap? { basemap.map { Basemap(template: $0, attribution: basemapAttribution) } }

    /// The copy of Leaflet to embed; `nil` if none is installed on this machine.
    func localLeaflet() throws -> LocalLeaflet? {
        guard let leaflet else { return .installed() }
        do throws(StoreError) {
            return try LocalLeaflet(path: leaflet)
        } catch {
            Console.error("\(error), expected the leaflet.js of Leaflet 1 with leaflet.css beside it")
            throw Failure.exitCode(of: error)
        }
    }

    /// A note on pages without a copy of Leaflet.
    static let needsNetwork =
        "loads Leaflet from unpkg.com; to make it work offline, install npm's leaflet@1 or Debian's libjs-leaflet, or "
        + "use --leaflet FILE"

    /// Throws a `ValidationError` if options for the page are given without `--preview`.
    func require(preview: Bool) throws {
        for (name, value) in [("--basemap", basemap), ("--leaflet", leaflet)] where !preview && value != nil {
            throw ValidationError("\(name) needs --preview")
        }
    }

    func validate() throws {
        if basemap == nil, basemapAttribution != nil {
            throw ValidationError("--basemap-attribution needs --basemap")
        }
        if let message = basemapValue?.message { throw ValidationError(message) }
    }
}
