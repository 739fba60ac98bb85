import PyramidTiles

extension RemoteTiles {
    /// The markers that lie in a box and have points that a filter accepts: what a map shows there.
    ///
    /// They are some of those without a filter, at the same places. The files that were read last are kept decoded, so
    /// another filter takes some milliseconds if the session's cache has the files.
    /// - Parameters:
    ///   - box: in degrees; `west` is greater than `east` if it crosses the antimeridian.
    ///   - zoom: for a fractional map zoom, its whole part.
    ///   - filter: ``MarkerFilter/all`` to count the values of all points.
    /// - Returns: in the order of their tiles, from west to east and from north to south.
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

    /// How many of all points a filter accepts; `nil` if that is unknown: under a function, and if a limit of a range is no
    /// edge.
    /// - Throws: ``MarkerFilterError``.
    public func matchingCount(_ filter: MarkerFilter) async throws -> Int? {
        let matcher = try await matcher(filter)
        if matcher.facets == nil { return filter == .all ? await currentTileJSON.pointCount : nil }
        return matcher.accepted(of: matcher.combinations)?.reduce(0) { $0 + $1.count }
    }

    /// The values of a column with their numbers of points, in the order of a legend: ranges and numbers ascending, others
    /// the most frequent first, and no value last.
    /// - Parameter markers: those in view, to count their points too.
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
        let values = matcher.columns[index].ranges ?? all.inOrderOfLegend
        return (values + (all[.absent] == nil ? [] : [.absent])).map {
            FacetValueCounts(
                value: $0, all: all[$0, default: 0], filtered: filtered?[$0, default: 0],
                inView: inView?[$0, default: 0])
        }
    }

    private func matcher(_ filter: MarkerFilter) async throws -> FacetMatcher {
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
    /// Of all points.
    public let all: Int
    /// Of those that match in the other columns; `nil` if unknown.
    public let filtered: Int?
    /// Of those in view that match in all columns; `nil` if unknown, or if no markers were given.
    public let inView: Int?
}

extension [FacetValue: Int] {
    /// The values but ``FacetValue/absent``.
    fileprivate var inOrderOfLegend: [FacetValue] {
        let values = keys.filter { $0 != .absent }
        let numbers = values.compactMap { value -> Double? in
            if case .value(.number(let number)) = value { number } else { nil }
        }
        if numbers.count == values.count { return numbers.sorted().map { .value(.number($0)) } }
        return values.map { (value: $0, text: "\($0)") }
            .sorted { (self[$1.value, default: 0], $0.text) < (self[$0.value, default: 0], $1.text) }.map(\.value)
    }
}
