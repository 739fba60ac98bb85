import PyramidTiles

/// Raster tiles of another host that the preview page shows behind the markers.
public struct Basemap: Equatable, Sendable {
    /// The URL of a tile with `{z}`, `{x}` and `{y}` (or `{-y}`). Optional: `{s}` for one of the servers a, b and c,
    /// and `{r}` for `@2x` on high-resolution screens, as in [Leaflet](https://leafletjs.com/reference.html#tilelayer).
    public var template: String
    /// The credit that the map shows, as text or HTML, of which only links are kept; `nil` for the one that is known
    /// for the host.
    public var attribution: String?

    public init(template: String, attribution: String? = nil) {
        self.template = template
        self.attribution = attribution
    }

    public enum Problem: Equatable, Sendable {
        /// In braces, such as "{w}".
        case unknownPlaceholder(String)
        /// The template isn't a URL with `{z}`, `{x}` and `{y}`.
        case noURLOfTiles
        /// There is no attribution, and none is known for the host.
        case noAttribution
    }

    /// Why the basemap can't be shown; `nil` if it can.
    public var problem: Problem? {
        let placeholders = template.matches(of: /\{[^{}]*\}/).map { String($0.output) }
        let known: Set = ["{z}", "{x}", "{y}", "{-y}", "{s}", "{r}"]
        if let unknown = placeholders.first(where: { !known.contains($0) }) {
            return .unknownPlaceholder(unknown)
        }
        let isAddressed =
            ["{z}", "{x}"].allSatisfy(placeholders.contains)
            && (placeholders.contains("{y}") || placeholders.contains("{-y}"))
        // A template may have a query, and its host may begin with a placeholder.
        let url = placeholders.reduce(template) { $0.replacing($1, with: "0") }.replacing("?", with: "/")
        guard isAddressed, TileJSONOptions.isBaseURL(url) else { return .noURLOfTiles }
        return shownAttribution == nil ? .noAttribution : nil
    }

    /// OpenStreetMap's [guidelines](https://osmfoundation.org/wiki/Licence/Attribution_Guidelines) ask for it.
    private static let openStreetMap =
        #"© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors"#

    var shownAttribution: String? {
        if let attribution { return attribution }
        let host = template.split(separator: "/").dropFirst().first?.lowercased() ?? ""
        return ".\(host)".hasSuffix(".openstreetmap.org") ? Basemap.openStreetMap : nil
    }
}
