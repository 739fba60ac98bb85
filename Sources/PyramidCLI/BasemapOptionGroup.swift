import ArgumentParser
import PyramidServer

/// What the preview page shows behind the markers.
struct BasemapOptionGroup: ParsableArguments {
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

    var value: Basemap? { basemap.map { Basemap(template: $0, attribution: basemapAttribution) } }

    /// Throws a `ValidationError` if there is a basemap but no page.
    func require(preview: Bool) throws {
        guard preview || value == nil else {
            throw ValidationError("--basemap is for the page of --preview, expected --preview as well")
        }
    }

    func validate() throws {
        if basemap == nil, basemapAttribution != nil {
            throw ValidationError("--basemap-attribution credits a basemap, expected --basemap")
        }
        if let problem = value?.problem { throw ValidationError(problem.withFlags) }
    }
}
