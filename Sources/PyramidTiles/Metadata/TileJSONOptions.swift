/// The texts and the URL that the user adds to the ``TileJSON`` of a tileset.
public struct TileJSONOptions: Codable, Equatable, Sendable {
    /// A human-readable name.
    public var name: String?
    /// A text that describes the tileset.
    public var description: String?
    /// Text or HTML that maps show, such as the source of the data.
    public var attribution: String?
    /// The URL that the directory of `tilejson.json` will have, with or without a trailing slash. It makes the tiles'
    /// URLs absolute, as the specification requires.
    public var baseURL: String?

    public init(
        name: String? = nil, description: String? = nil, attribution: String? = nil, baseURL: String? = nil
    ) {
        self.name = name
        self.description = description
        self.attribution = attribution
        self.baseURL = baseURL
    }

    /// The prefix of all URLs.
    public var baseURLWithSlash: String? { baseURL.map { $0.hasSuffix("/") ? $0 : $0 + "/" } }

    /// Whether appending a path to the text gives a URL that browsers can fetch. It must not contain a user or
    /// password, because the URL becomes public.
    public static func isBaseURL(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        return rest.first.map { $0 != UInt8(ascii: "/") } ?? false
            && !rest.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "@"))
            && rest.allSatisfy { (0x21...0x7e).contains($0) && !forbidden.contains($0) }
    }

    private static let forbidden = Array(#"?#{}"<>\^`|"#.utf8)
}

extension TileJSONOptions {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        guard let baseURL, !TileJSONOptions.isBaseURL(baseURL) else { return nil }
        return
            "\(.baseURL) is \"\(baseURL)\", expected http:// or https:// with a host and no user, query, fragment, space or "
            + "brace"
    }
}

extension OptionName {
    public static var baseURL: OptionName { OptionName() }
}
