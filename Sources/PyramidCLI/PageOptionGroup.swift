import ArgumentParser
import PyramidServer
import PyramidStore

/// The page that shows a tileset: its map library, and what it shows behind the markers.
struct PageOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Put this copy of Leaflet 1 into the page, which then needs no network: leaflet.js, with leaflet.css beside it. \
            (default: that of npm's node_modules or Debian's libjs-leaflet, else loaded from unpkg.com)
            """, valueName: "file"),
        completion: .file())
    var leaflet: String?

    @Option(
        help: ArgumentHelp(
            """
            Show raster tiles of another host behind the markers: https://tile.example.org/{z}/{x}/{y}.png. (default: \
            coasts, borders and cities, without a network)
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

    /// The copy for the page; `nil` if there is none on this machine.
    func localLeaflet() throws -> LocalLeaflet? {
        guard let leaflet else { return .installed() }
        do throws(StoreError) {
            return try LocalLeaflet(path: leaflet)
        } catch {
            Console.error("\(error), expected the leaflet.js of Leaflet 1 with leaflet.css beside it")
            throw Failure.exitCode(of: error)
        }
    }

    /// What to know about a page that has no copy of Leaflet.
    static let needsNetwork =
        "loads Leaflet from unpkg.com and needs a network; with npm's leaflet@1, Debian's libjs-leaflet or "
        + "--leaflet FILE it needs none"

    /// Throws a `ValidationError` if there are options but no page.
    func require(preview: Bool) throws {
        for (name, value) in [("--basemap", basemap), ("--leaflet", leaflet)] where !preview && value != nil {
            throw ValidationError("\(name) is for the page of --preview, expected --preview as well")
        }
    }

    func validate() throws {
        if basemap == nil, basemapAttribution != nil {
            throw ValidationError("--basemap-attribution credits a basemap, expected --basemap")
        }
        if let message = basemapValue?.message { throw ValidationError(message) }
    }
}
