import PyramidTiles

extension TileStorage {
    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        switch fault {
        case .suffix:
            "\(.tileSuffix) is \"\(suffix)\", expected a dot followed by lower-case letters, digits, - or _, "
                + "once or more, at most \(TileStorage.suffixLimit) characters, such as .json or .json.gz, "
                + "but not .bak, .old or .orig"
        case .gzipSuffixWithoutGzip:
            "\(.tileSuffix) is \"\(suffix)\" with \(.compression) none, expected one that doesn't end in .gz"
        case .bundleLimit(let limit): "\(.bundle) is \(limit), expected 1 to 10000"
        case .bundlesOfCodec: "\(.bundle) can't be used with \(.format) \(codec.rawValue)"
        case .mvtPropertiesOfCodec: "\(.mvtProperties) needs \(.format) mvt"
        case .layerLength: "\(.layer) is \"\(layer)\", expected 1 to \(TileStorage.layerLimitBytes) bytes"
        case .layerOfCodec: "\(.layer) needs \(.format) mvt"
        case nil: nil
        }
    }
}

extension OptionName {
    public static var format: OptionName { OptionName() }
    public static var layer: OptionName { OptionName() }
    public static var mvtProperties: OptionName { OptionName() }
    public static var tileSuffix: OptionName { OptionName() }
    public static var bundle: OptionName { OptionName() }
    public static var compression: OptionName { OptionName() }
}
