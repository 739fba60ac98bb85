import PyramidStore
import PyramidTiles

/// Checks the markers of one zoom together: sums, ids, places and distances.
struct ZoomCheck {
    let manifest: Manifest
    let list: FileList
    let markers: MarkerGroups
    private(set) var log = FindingLog()

    /// - Parameter markers: sorted.
    init(manifest: Manifest, list: FileList, markers: MarkerGroups) {
        self.manifest = manifest
        self.list = list
        self.markers = markers
    }

    private var zoom: Int { markers.zoom }
    /// Whether some points stand for others that aren't shown.
    private var hidesPoints: Bool { manifest.options.mode == .filter && zoom <= manifest.options.clusterMaxZoom }
    private var directory: String { "\(FileAddress.Kind.tile.folder)/\(zoom)" }

    /// Checks the sums. Call this only if every file was read.
    mutating func checkSums(_ totals: TileCheck.Totals) {
        let accepted = manifest.input.rowsAccepted
        let found = manifest.options.keepsCount ? totals.content.keptCount : markers.pointCount
        // If points are hidden and no counts are kept, nothing states how many there are.
        if found != accepted, !hidesPoints || manifest.options.keepsCount {
            log.add(
                .wrongSum, in: directory, "markers stand for \(found) points, expected the \(accepted) accepted rows")
        }
        let unclustered = markers[MarkerGroups.Key(isUnclustered: true)].records.count
        if unclustered != manifest.totals.unclusteredPoints {
            log.add(
                .wrongSum, in: directory,
                "has \(unclustered) points that never merge, expected \(manifest.totals.unclusteredPoints)")
        }
        guard let summary = manifest.zooms.first(where: { $0.zoom == zoom }) else { return }
        let figures = [
            ("tiles", totals.tiles, summary.tiles),
            ("markers", markers.markerCount, summary.markers),
            ("clusters", markers.clusterCount, summary.clusters),
            ("uncompressed bytes", totals.bodyBytes, summary.bodyBytes),
            ("stored bytes", totals.storedBytes, summary.storedBytes),
        ]
        for (name, found, expected) in figures where found != expected {
            log.add(
                .wrongFigures, in: directory, "has \(found) \(name), expected \(expected) (manifest)")
        }
    }

    /// Checks what the markers carry. Call this only if every file was read.
    mutating func check(_ content: ContentTally) {
        guard !hidesPoints else { return }
        let shown = Set(manifest.content.properties)
        for problem in content.problems(manifest.totals, shownColumns: shown) {
            log.add(.wrongContent, in: directory, problem)
        }
    }

    /// Checks how many points have each combination of values, if every tile was read.
    mutating func check(_ facets: FacetNumbers) {
        var counts = [Int](repeating: 0, count: facets.counts.count + 1)
        for part in markers.markers {
            for record in part.records {
                part.details.forEachFacet(record.details) { counts[Int($0.combination)] += Int($0.count) }
            }
        }
        guard let number = counts.indices.first(where: { counts[$0] != (facets.counts + [0])[$0] }) else { return }
        log.add(
            .wrongContent, in: directory,
            "counts \(counts[number]) points with \(facets.name(of: UInt32(number))), expected "
                + "\((facets.counts + [0])[number]) as \(TileJSON.fileName) says")
    }

    /// Checks the parents that the markers name against the next lower zoom.
    mutating func check(_ content: ContentTally, withParents coarse: MarkerGroups) {
        for problem in content.problems(withParents: coarse) { log.add(.wrongContent, in: directory, problem) }
    }

    /// Checks that ids are unique among all points, and among the clusters of each group.
    mutating func checkIDs() {
        checkIDs(of: markers.markers) { $0.isPoint && $0.identity != 0 }
        for group in markers.markers { checkIDs(of: [group]) { !$0.isPoint } }
    }

    private mutating func checkIDs(of groups: [ZoomMarkers], _ isIncluded: (ZoomMarkers.Record) -> Bool) {
        var ids: [UInt64] = []
        for group in groups { for record in group.records where isIncluded(record) { ids.append(record.identity) } }
        ids.sort()
        let repeated = Set(zip(ids, ids.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
        guard !repeated.isEmpty else { return }
        var isKnown: Set<UInt64> = []
        for group in groups {
            for record in group.records where isIncluded(record) && repeated.contains(record.identity) {
                // Only the others are reported.
                guard !isKnown.insert(record.identity).inserted else { continue }
                log.add(
                    .repeatedID, in: list.path(of: record, manifest.content.storage),
                    "\(group.description(of: record)) has the same id as another at zoom \(zoom)")
            }
        }
    }

    /// Checks that more points at one place than the coincident limit are one cluster, at unclustered zooms too.
    mutating func checkPlaces() {
        // Where places aren't exact, different ones can look the same.
        let options = manifest.options
        guard options.keepsPlacesTogether, zoom > options.clusterMaxZoom, PlacePrecision(manifest).isExact(atZoom: zoom)
        else { return }
        for (key, group) in zip(markers.keys, markers.markers) where !key.isUnclustered {
            var start = 0
            while start < group.records.count {
                let first = group.records[start]
                let end = group.records[start...].firstIndex { $0.code != first.code } ?? group.records.count
                // Points come before clusters.
                let hasCluster = !group.records[end - 1].isPoint
                if hasCluster ? end - start > 1 : options.staysTogether(pointCount: end - start) {
                    log.add(
                        .tooClose, in: list.path(of: first, manifest.content.storage),
                        "\(group.description(of: first)) is one of \(end - start) markers at its place, expected "
                            + "one cluster")
                }
                start = end
            }
        }
    }

    /// Checks the distances that the options promise, within each group.
    mutating func checkDistances(jobs: Int) {
        guard let promised = manifest.options.promisedDistanceUnits(atZoom: zoom) else { return }
        let allowance = PlacePrecision(manifest).distanceUnits(atZoom: zoom)
        guard promised > allowance, case let units = promised - allowance else { return }
        for (key, group) in zip(markers.keys, markers.markers) where !key.isUnclustered {
            checkDistances(of: group, units, jobs: jobs)
        }
    }

    private mutating func checkDistances(of markers: ZoomMarkers, _ units: UInt64, jobs: Int) {
        let coversPoints = manifest.options.promiseCoversPoints
        let records = coversPoints ? markers.records : markers.records.filter { !$0.isPoint }
        let check = DistanceCheck(distanceUnits: units, codes: records.map(\.code))
        for (first, second) in check.pairsTooClose(jobs: jobs) {
            log.add(
                .tooClose, in: list.path(of: records[first], manifest.content.storage),
                "\(markers.description(of: records[first])) is closer than \(units) units to "
                    + markers.description(of: records[second]))
        }
    }

    /// Checks that the bounds contain every point and are no larger than that needs. Latitudes past the map's edge
    /// count as its edge.
    mutating func check(_ bounds: BoundingBox) {
        guard let problem = PlacePrecision(manifest).isExact ? problem(of: bounds) : problem(ofShown: bounds) else {
            return
        }
        log.add(.wrongTileJSON, in: TileJSON.fileName, "has bounds \(problem)")
    }

    private func problem(of bounds: BoundingBox) -> String? {
        var members = MemberTally(in: bounds.clampedToMap)
        for group in markers.markers {
            for index in group.records.indices { members.add(group.boundingBox(index).clampedToMap, pointCount: 1) }
        }
        return members.boxProblem
    }

    /// What is wrong as far as inexact places tell: each must possibly be in the bounds, and one possibly on each
    /// border.
    private func problem(ofShown bounds: BoundingBox) -> String? {
        let precision = PlacePrecision(manifest)
        let (northWest, southEast) = bounds.cornerPoints
        var (touchesWest, touchesEast, touchesNorth, touchesSouth) = (false, false, false, false)
        for group in markers.markers {
            for record in group.records {
                let places = precision.places(shownAs: MortonCode(rawValue: record.code), atZoom: zoom)
                guard places.x.upperBound >= northWest.x, places.x.lowerBound <= southEast.x,
                    places.y.upperBound >= northWest.y, places.y.lowerBound <= southEast.y
                else { return "too small for the members" }
                touchesWest = touchesWest || places.x.contains(northWest.x)
                touchesEast = touchesEast || places.x.contains(southEast.x)
                touchesNorth = touchesNorth || places.y.contains(northWest.y)
                touchesSouth = touchesSouth || places.y.contains(southEast.y)
            }
        }
        guard markers.markerCount > 0, !(touchesWest && touchesEast && touchesNorth && touchesSouth) else { return nil }
        return "larger than the members need"
    }
}

extension BoundingBox {
    /// The corners on the map. An eastern border at 180 degrees is on the map's eastern edge.
    fileprivate var cornerPoints: (northWest: WorldPoint, southEast: WorldPoint) {
        let northWest = WebMercator.project(Coordinate(longitudeMicrodegrees: west, latitudeMicrodegrees: north))
        let southEast = WebMercator.project(Coordinate(longitudeMicrodegrees: east, latitudeMicrodegrees: south))
        return (northWest, WorldPoint(x: east == 180_000_000 ? .max : southEast.x, y: southEast.y))
    }
}

extension FileList {
    /// The path of the file that a marker was read from.
    func path(of record: ZoomMarkers.Record, _ storage: TileStorage) -> String {
        storage.relativePath(of: entries[Int(record.file)].address)
    }
}
