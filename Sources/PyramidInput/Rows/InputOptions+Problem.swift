import PyramidTiles

extension InputOptions {
    /// Whether the options name columns of coordinates.
    package var namesCoordinates: Bool { longitudeColumn != nil || latitudeColumn != nil || pointColumn != nil }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? {
        if pointColumn != nil, longitudeColumn != nil || latitudeColumn != nil {
            return "\(.pointColumn) can't be used with \(.longitudeColumn) or \(.latitudeColumn)"
        }
        if let delimiter, delimiter.wholeMatch(of: /[ -~\t&&[^A-Za-z0-9"]]/) == nil {
            return
                "\(.delimiter) is \(InputError.list([delimiter])), expected one character that is no letter, digit or quote"
        }
        if skipLines < 0 { return "\(.skipLines) is \(skipLines), expected 0 or more" }
        guard let maxSkipped else { return nil }
        if isStrict { return "\(.maxSkipped) can't be used with \(.strict), which allows no skipped row" }
        return maxSkipped.isValid ? nil : "\(.maxSkipped) is \(maxSkipped), expected 0 or more rows, or 0% to 100%"
    }

    /// The first option that can't be used if all inputs are GeoJSON, described for the user.
    var problemWithGeoJSON: OptionMessage? {
        if namesCoordinates {
            return
                "is GeoJSON, which has coordinates in its geometries, but \(.longitudeColumn), \(.latitudeColumn) and "
                + "\(.pointColumn) are only for CSV"
        }
        return ofCSV.map {
            "is GeoJSON\($0 == .types ? ", whose values have types" : ""), but \($0) is only for CSV"
        }
    }

    /// The first given option that only CSV has a use for, besides columns of coordinates.
    package var ofCSV: OptionName? {
        if !types.isEmpty { return .types }
        if delimiter != nil { return .delimiter }
        return skipLines == 0 ? nil : .skipLines
    }
}

extension OptionName {
    public static var longitudeColumn: OptionName { OptionName() }
    public static var latitudeColumn: OptionName { OptionName() }
    public static var pointColumn: OptionName { OptionName() }
    public static var idColumn: OptionName { OptionName() }
    public static var include: OptionName { OptionName() }
    public static var exclude: OptionName { OptionName() }
    public static var types: OptionName { OptionName() }
    public static var delimiter: OptionName { OptionName() }
    public static var skipLines: OptionName { OptionName() }
    public static var strict: OptionName { OptionName() }
    public static var maxSkipped: OptionName { OptionName() }
    public static var schema: OptionName { OptionName() }
}
