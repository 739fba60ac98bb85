import PyramidTiles

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
