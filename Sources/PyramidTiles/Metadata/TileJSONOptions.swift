/// What the user says of a pyramid in its ``TileJSON``.
public struct TileJSONOptions: Equatable, Sendable {
    /// A name for people.
    public var name: String?
    /// Text or HTML that clients show on the map, such as the source of the data.
    public var attribution: String?
    /// Where the pyramid will be found: the URL of the directory that holds `tilejson.json`, with or without a slash at
    /// its end. It makes the tiles' URLs absolute, as the specification demands.
    public var baseURL: String?

    public init(name: String? = nil, attribution: String? = nil, baseURL: String? = nil) {
        self.name = name
        self.attribution = attribution
        self.baseURL = baseURL
    }

    /// What paths are put behind.
    public var baseURLWithSlash: String? { baseURL.map { $0.hasSuffix("/") ? $0 : $0 + "/" } }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        guard let baseURL, !TileJSONOptions.isBaseURL(baseURL) else { return nil }
        return
            "\(.baseURL) is \"\(baseURL)\", expected http:// or https:// with a host and no query, fragment, space or brace"
    }

    /// Whether paths can be put behind the text to make URLs.
    public static func isBaseURL(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        return rest.first.map { $0 != UInt8(ascii: "/") } ?? false
            && rest.allSatisfy { (0x21...0x7e).contains($0) && !forbidden.contains($0) }
    }

    private static let forbidden = Array(#"?#{}"<>\^`|"#.utf8)
}
