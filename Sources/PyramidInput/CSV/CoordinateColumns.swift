import PyramidTiles

/// The columns of the coordinates.
package struct CoordinateColumns: Equatable {
    package var longitude, latitude: AngleColumns
    /// The order of two numbers in one column that its name states, such as "lonlat".
    package var order: PointOrder?

    init(longitude: AngleColumns, latitude: AngleColumns) { (self.longitude, self.latitude) = (longitude, latitude) }

    /// One column that holds both coordinates (``PointText``).
    init(point: Int, order: PointOrder? = nil) {
        self.init(longitude: AngleColumns(point), latitude: AngleColumns(point))
        self.order = order
    }

    /// Whether one column holds both coordinates.
    var isPoint: Bool { longitude.degrees == latitude.degrees }

    package var columns: [Int] { isPoint ? [longitude.degrees] : longitude.columns + latitude.columns }

    /// The last of the columns.
    package var last: Int { max(longitude.last, latitude.last) }

    subscript(axis: Axis) -> AngleColumns {
        get { axis == .longitude ? longitude : latitude }
        set { if axis == .longitude { longitude = newValue } else { latitude = newValue } }
    }

    /// Finds pairs of columns by their names. One or both of the columns may be given.
    ///
    /// There are kinds of pairs, tried in this order: names that mean latitude and longitude; these after a prefix that means
    /// decimals; y and x, or the former with a common prefix; one of each; pairs with a common prefix, first of the former names, then of the latter; names that may be sizes. The first
    /// kind that occurs is the result. A given column first looks for a partner with the same prefix.
    ///
    /// - Returns: all pairs of that kind, without the columns of minutes, seconds and directions; empty if no kind occurs.
    package static func candidates(among names: [String], longitude: Int? = nil, latitude: Int? = nil)
        -> [CoordinateColumns]
    {
        if let longitude, let latitude {
            return [
                CoordinateColumns(
                    longitude: CoordinateName(.longitude, given: longitude, among: names).angle,
                    latitude: CoordinateName(.latitude, given: latitude, among: names).angle)
            ]
        }
        return pairsByKind(among: names, longitude: longitude, latitude: latitude).first { !$0.isEmpty } ?? []
    }

    /// Finds columns that hold both coordinates by their names. The first kind of name that occurs is the result; the
    /// least ambiguous kinds come first.
    ///
    /// - Returns: all columns of that kind.
    static func pointCandidates(among names: [String]) -> [CoordinateColumns] {
        pointsByKind(among: names).first { !$0.isEmpty } ?? []
    }

    /// Other columns whose names are those of coordinates, the likeliest first: pairs, then columns that hold both.
    /// For inputs whose first choice is empty in every row.
    ///
    /// - Returns: a few at most; none shares a column with the first choice.
    static func alternatives(to found: CoordinateColumns, among names: [String]) -> [CoordinateColumns] {
        var others: [CoordinateColumns] = []
        let pairs = pairsByKind(among: names, longitude: nil, latitude: nil).joined()
        for candidate in Array(pairs) + pointsByKind(among: names).joined()
        where !others.contains(candidate) && candidate.columns.allSatisfy({ !found.columns.contains($0) }) {
            others.append(candidate)
            if others.count == alikeLimit { break }
        }
        return others
    }

    /// All pairs of each kind, by kind.
    private static func pairsByKind(
        among names: [String], longitude: Int?, latitude: Int?
    ) -> LazyMapSequence<[(CoordinateName, CoordinateName) -> Bool], [CoordinateColumns]> {
        let readings = firstOfEachKind(CoordinateName.all(names).filter { $0.part == nil })
        var latitudes = readings.filter { $0.axis == .latitude && $0.column != longitude }
        var longitudes = readings.filter { $0.axis == .longitude && $0.column != latitude }
        var kinds: [(CoordinateName, CoordinateName) -> Bool] = [
            { $0.prefix.isEmpty && $1.prefix.isEmpty && $0.word == .degrees && $1.word == .degrees },
            { $0.prefix == $1.prefix && $0.isDecimal && $0.word == .degrees && $1.word == .degrees },
            {
                $0.prefix == $1.prefix && $0.word == $1.word
                    && ($0.word == .degrees || $0.word == .axis && $0.prefix.isEmpty)
            },
            { $0.prefix.isEmpty && $1.prefix.isEmpty && $0.word != .size && $1.word != .size },
            { $0.prefix == $1.prefix && $0.word != .size && $1.word != .size },
            { $0.word == .size && $1.word == .size },
        ]
        // A given column counts as its coordinate, whatever its name.
        if let latitude { latitudes = [CoordinateName(.latitude, given: latitude, among: names)] }
        if let longitude { longitudes = [CoordinateName(.longitude, given: longitude, among: names)] }
        if latitude != nil || longitude != nil {
            let ofOther: (CoordinateName, CoordinateName) -> CoordinateName = { latitude == nil ? $0 : $1 }
            kinds.insert({ $0.prefix == $1.prefix }, at: 0)
            kinds.insert({ $0.prefix == $1.prefix && ofOther($0, $1).word != .size }, at: 0)
            kinds += [{ ofOther($0, $1).word == .degrees && ofOther($0, $1).prefix.isEmpty }, { _, _ in true }]
        }

        // By prefix, so that thousands of columns don't make millions of pairs.
        let longitudesByPrefix = Dictionary(grouping: longitudes, by: \.prefix)
        return kinds.lazy.map { isPair in
            latitudes.flatMap { north in
                let partners = latitude == nil && longitude == nil ? longitudesByPrefix[north.prefix] ?? [] : longitudes
                return partners.filter { isPair(north, $0) && north.power == $0.power }.map {
                    CoordinateColumns(longitude: $0.angle, latitude: north.angle)
                }
            }
        }
    }

    /// All columns with a name of each kind, by kind.
    private static func pointsByKind(among names: [String]) -> LazyMapSequence<[Int], [CoordinateColumns]> {
        let found = names.map(CoordinateName.point)
        return Array(1...3).lazy.map { kind in
            found.enumerated().compactMap { column, point in
                guard let point, point.kind == kind else { return nil }
                return CoordinateColumns(point: column, order: point.order)
            }
        }
    }

    /// The first few names of each kind. Thousands with the same meaning are as ambiguous as a few, but would make
    /// millions of pairs.
    private static func firstOfEachKind(_ readings: [CoordinateName]) -> [CoordinateName] {
        let kinds = Dictionary(grouping: readings) { "\($0.axis) \($0.word) \($0.prefix)" }
        return kinds.values.flatMap { $0.prefix(alikeLimit) }.sorted { $0.column < $1.column }
    }

    /// More than messages show.
    private static let alikeLimit = 16
}
