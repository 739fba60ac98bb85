import Foundation
import PyramidTiles

/// The points in a box or of a cluster.
public struct PointList: Hashable, Sendable {
    /// The nearest points to the middle of the box or to the marker, in this order; those at one distance by their ids.
    public let points: [Feature]
    /// The number of all points that match the filter, also of those beyond the limit. Otherwise, if it isn't known, the
    /// number that the markers show.
    public let count: Int
    /// Whether all points are known. If not, ``points`` lacks some.
    public let isExact: Bool
}

extension RemoteTiles {
    /// The points in a box, such as the visible part of a map, from the nearest to its middle to the farthest.
    ///
    /// Reads at most 64 files. Another call for the same box and filter reads on: each brings more points until the list is
    /// exact, and none is lost. The points of a cluster that never splits (`--coincident-limit`) are in no file.
    /// - Parameters:
    ///   - box: the area; `west` is greater than `east` if it crosses the antimeridian.
    ///   - limit: the most points to return.
    ///   - filter: the points to return and count.
    /// - Throws: ``MarkerFilterError``, ``RemoteTilesError``, and any error of the session.
    public func points(in box: BoundingBox, limit: Int = 100, filter: MarkerFilter = .all) async throws -> PointList {
        try await list(around: WebMercator.unproject(box.middle), limit, filter) { search in
            let target = LastBoxSearch.Target(box: box, filter: filter, tileJSON: search.tileJSON)
            var known = lastBoxSearch.search(for: target)
            defer { lastBoxSearch.keep(known, for: target) }
            try await search.read(on: &known)
            return (known.pointsInside, known.count)
        }
    }

    /// The points of a marker, from the nearest to its place to the farthest.
    ///
    /// Reads at most 64 files. The list is exact if these suffice, because tiles and bundles of JSON state parents. In
    /// vector tiles it is exact if the box around the cluster has no other points. The points of a cluster that never splits
    /// are in no file: if there are more of them at one place than `--coincident-limit`.
    /// - Parameters:
    ///   - marker: a marker of this tileset.
    ///   - limit: the most points to return.
    ///   - filter: the points to return and count.
    /// - Throws: ``MarkerFilterError``, ``RemoteTilesError``, and any error of the session.
    public func points(
        of marker: Marker, limit: Int = 100, filter: MarkerFilter = .all
    ) async throws -> PointList {
        try await points(of: marker, count: marker.pointCount, limit, filter)
    }

    /// The points of a marker that was read with a filter.
    /// - Parameters:
    ///   - limit: the most points to return.
    ///   - filter: the points to return and count: the same filter.
    /// - Throws: ``MarkerFilterError``, ``RemoteTilesError``, and any error of the session.
    public func points(
        of marker: FilteredMarker, limit: Int = 100, filter: MarkerFilter
    ) async throws -> PointList {
        try await points(of: marker.whole, count: marker.count, limit, filter)
    }

    private func points(
        of marker: Marker, count: Int, _ limit: Int, _ filter: MarkerFilter
    ) async throws -> PointList {
        try await list(around: marker.coordinate, limit, filter) { search in
            (try await search.points(of: [marker]), count)
        }
    }

    private func list(
        around place: Coordinate, _ limit: Int, _ filter: MarkerFilter,
        _ find: (inout PointSearch) async throws -> (points: [Feature], count: Int)
    ) async throws -> PointList {
        precondition(limit >= 0, "a negative number of points")
        return try await reading { files in
            var search = PointSearch(files, try await matcher(filter))
            let (found, count) = try await find(&search)
            let points = found.filter(search.matcher.accepts).sorted(from: place)
            let tileJSON = await currentTileJSON
            let isExact = search.isExact && tileJSON == files.description.tileJSON
            return PointList(
                points: Array(points.prefix(limit)), count: isExact ? points.count : max(count, points.count),
                isExact: isExact)
        }
    }
}

extension [Feature] {
    /// From the nearest to a place to the farthest, on the globe; those at one distance by their ids: numbers, then texts.
    fileprivate func sorted(from place: Coordinate) -> [Feature] {
        let ranked = map { point in
            let distance = point.coordinate.squaredHalfChord(to: place)
            let rank: (Double, Int, Double, String) =
                switch point.id {
                case .number(let number): (distance, 0, number, "")
                case .string(let text): (distance, 1, 0, text)
                default: (distance, 2, 0, "")
                }
            return (point, rank)
        }
        return ranked.sorted { $0.1 < $1.1 }.map(\.0)
    }
}

extension Coordinate {
    /// A measure of the distance on the globe.
    fileprivate func squaredHalfChord(to other: Coordinate) -> Double {
        func radians(_ microdegrees: Int32) -> Double { Double(microdegrees) * .pi / 180e6 }
        let (south, north) = (radians(latitudeMicrodegrees), radians(other.latitudeMicrodegrees))
        let across = sin((radians(longitudeMicrodegrees) - radians(other.longitudeMicrodegrees)) / 2)
        let along = sin((north - south) / 2)
        return along * along + cos(south) * cos(north) * across * across
    }
}
