import PyramidTiles

extension RemoteTiles {
    /// The markers that a map shows in a box under a filter.
    ///
    /// A filter hides markers and lowers their counts, but moves none. The files read last are kept decoded, so another
    /// filter takes milliseconds if the session's cache has the files.
    /// - Parameters:
    ///   - box: the area; `west` is greater than `east` if it crosses the antimeridian.
    ///   - zoom: the map's zoom. Round a fractional one down.
    ///   - filter: the filter; use ``MarkerFilter/all`` to count points by value without hiding any.
    /// - Returns: the markers in the order of their tiles, from west to east and from north to south.
    /// - Throws: ``MarkerFilterError``, ``RemoteTilesError``, and any error of the session.
    public func visibleMarkers(
        in box: BoundingBox, zoom: Int, filter: MarkerFilter
    ) async throws -> [FilteredMarker] {
        _ = try await matcher(filter)
        let shown = try await shown(in: box, zoom: zoom) { file, tiles in
            let filtered = try self.filteredFiles.filtered(file, self.filteredFiles.matcher(filter, file.tileJSON))
            return tiles.map { filtered.markers(in: $0, ofBundle: file.isBundle) }
        }
        return shown.filter { box.contains($0.whole.coordinate) }
    }

    /// The number of points in the tileset that a filter accepts; `nil` if it is unknown, because the filter is a
    /// function or a limit of a range isn't an edge of the column.
    /// - Throws: ``MarkerFilterError``.
    public func matchingCount(_ filter: MarkerFilter) async throws -> Int? {
        let matcher = try await matcher(filter)
        if matcher.facets == nil { return filter == .all ? await currentTileJSON.pointCount : nil }
        return matcher.accepted(of: matcher.combinations)?.reduce(0) { $0 + $1.count }
    }

    /// The values of a column and their numbers of points, in the order of a legend: ranges, numbers and dates ascending,
    /// other values from the most frequent to the least, and points without a value last. Of dates, the spans without points
    /// are listed too.
    /// - Parameter markers: the visible markers, to count their points too.
    /// - Throws: ``MarkerFilterError``.
    public func counts(
        of column: String, filter: MarkerFilter = .all, inView markers: [FilteredMarker]? = nil
    ) async throws -> [FacetValueCounts] {
        let matcher = try await matcher(filter)
        guard let index = matcher.columns.firstIndex(where: { $0.name == column }) else {
            throw MarkerFilterError(unknownColumn: column, of: matcher.columns)
        }
        let all = matcher.combinations.counts(ofColumn: index, in: matcher.columns)
        let filtered = matcher.accepted(of: matcher.combinations, ignoring: index)?
            .counts(ofColumn: index, in: matcher.columns)
        var inView: [FacetValue: Int]? = markers.map { _ in [:] }
        for marker in markers ?? [] {
            inView = marker.counts(of: column).flatMap { inView?.merging($0, uniquingKeysWith: +) }
        }
        let values = matcher.columns[index].ranges ?? all.inOrderOfLegend(matcher.columns[index].dates?.unit)
        return (values + (all[.absent] == nil ? [] : [.absent])).map {
            FacetValueCounts(
                value: $0, all: all[$0, default: 0], filtered: filtered?[$0, default: 0],
                inView: inView?[$0, default: 0])
        }
    }

    func matcher(_ filter: MarkerFilter) async throws -> FacetMatcher {
        let tileJSON = await currentTileJSON
        do {
            return try filteredFiles.matcher(filter, tileJSON)
        } catch let error as MetadataError {
            throw RemoteTilesError(url: url, problem: "\(error)")
        }
    }
}

/// The number of points with a value in a column.
public struct FacetValueCounts: Hashable, Sendable {
    public let value: FacetValue
    /// The number of points in the tileset, whatever the filter.
    public let all: Int
    /// The number of points that match the filters of the other columns; `nil` if unknown.
    public let filtered: Int?
    /// The number of visible points that match all filters; `nil` if unknown, or if no markers were given.
    public let inView: Int?
}

extension [FacetValue: Int] {
    /// The values but ``FacetValue/absent``.
    /// - Parameter unit: of dates.
    fileprivate func inOrderOfLegend(_ unit: DateUnit?) -> [FacetValue] {
        let values = keys.filter { $0 != .absent }
        if let unit {
            let buckets = values.compactMap { if case .value(.string(let bucket)) = $0 { bucket } else { nil } }
            return unit.buckets(spanning: buckets).map { .value(.string($0)) }
        }
        let numbers = values.compactMap { value -> Double? in
            if case .value(.number(let number)) = value { number } else { nil }
        }
        if numbers.count == values.count { return numbers.sorted().map { .value(.number($0)) } }
        return values.map { (value: $0, text: "\($0)") }
            .sorted { (self[$1.value, default: 0], $0.text) < (self[$0.value, default: 0], $1.text) }.map(\.value)
    }
}
