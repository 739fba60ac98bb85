import PyramidStore
import PyramidTiles

/// Checks the markers of one zoom in a region: ids, places and distances.
struct ZoomCheck {
    let manifest: Manifest
    let list: FileList
    let markers: MarkerGroups
    let region: Region
    private(set) var log = FindingLog()

    /// - Parameter markers: sorted.
    init(manifest: Manifest, list: FileList, markers: MarkerGroups, region: Region) {
        self.region = region
        self.manifest = manifest
        self.list = list
        self.markers = markers
    }

    private var zoom: Int { markers.zoom }

    /// Checks that ids are unique among all points, and among the clusters of each group.
    mutating func checkIDs(_ repeated: inout RepeatedIDs) {
        if repeated.hasAny(atZoom: zoom) {
            for (key, group) in zip(markers.keys, markers.markers) {
                for record in group.records
                where record.isPoint && region.owns(record.code) && repeated.contains(record.identity, atZoom: zoom) {
                    let finding = finding(record, of: group)
                    if let other = repeated.add(finding, record.identity, of: key, atZoom: zoom) { log.add(other) }
                }
            }
        }
        for group in markers.markers { checkClusterIDs(of: group) }
    }

    private mutating func checkClusterIDs(of group: ZoomMarkers) {
        let isIncluded = { [region] (record: ZoomMarkers.Record) in
            !record.isPoint && region.owns(record.anchor.rawValue)
        }
        let ids = group.records.lazy.filter(isIncluded).map(\.identity).sorted()
        let repeated = Set(zip(ids, ids.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
        guard !repeated.isEmpty else { return }
        var isKnown: Set<UInt64> = []
        for record in group.records where isIncluded(record) && repeated.contains(record.identity) {
            // Only the others are reported.
            guard !isKnown.insert(record.identity).inserted else { continue }
            log.add(finding(record, of: group))
        }
    }

    private func finding(_ record: ZoomMarkers.Record, of group: ZoomMarkers) -> Finding {
        Finding(
            kind: .repeatedID, file: list.path(of: record, atZoom: zoom, manifest.content.storage),
            detail: "\(group.description(of: record)) has the same id as another at zoom \(zoom)")
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
                let isApart = hasCluster ? end - start > 1 : options.staysTogether(pointCount: end - start)
                if isApart, region.owns(first.code) {
                    log.add(
                        .tooClose, in: list.path(of: first, atZoom: zoom, manifest.content.storage),
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
        for (first, second) in check.pairsTooClose(jobs: jobs) where region.owns(records[first].code) {
            log.add(
                .tooClose, in: list.path(of: records[first], atZoom: zoom, manifest.content.storage),
                "\(markers.description(of: records[first])) is closer than \(units) units to "
                    + markers.description(of: records[second]))
        }
    }
}

extension FileList {
    /// The path of the file that shows a marker at a zoom. Of an archive, another one at a lower zoom may have been read for it.
    func path(of record: ZoomMarkers.Record, atZoom zoom: Int, _ storage: TileStorage) -> String {
        var address = entries[Int(record.file)].address
        if address.kind == .tile, let tile = address.tile, tile.z < zoom {
            address = .tile(TileCoordinate(containing: MortonCode(rawValue: record.code).point, atZoom: zoom))
        }
        return storage.relativePath(of: address)
    }
}
