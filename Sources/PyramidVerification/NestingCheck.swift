import PyramidTiles

/// Compares the markers of a zoom level with those of the next, which they consist of.
///
/// Both zoom levels must have been read completely. Whatever follows from the options is recomputed exactly
/// (`NestingCheck+Grid`, `NestingCheck+Nearest`); if tiles don't reveal enough for that, `NestingCheck+Reach` checks
/// necessary conditions.
struct NestingCheck {
    let options: ClusteringOptions
    let list: FileList
    let storage: TileStorage
    let precision: PlacePrecision
    /// The zoom level above, with fewer markers; sorted.
    let coarse: ZoomMarkers
    /// The next zoom level; sorted.
    let fine: ZoomMarkers
    var log = FindingLog()
    /// For each marker of ``fine``, whether it is a point that ``coarse`` shows as well.
    var isShownAlready: [Bool] = []
    /// For each marker of ``fine``, whether it may be such a point: where places are not exact, points without ids can't be
    /// told apart.
    var mayBeShownAlready: [Bool] = []

    init(
        options: ClusteringOptions, list: FileList, storage: TileStorage, precision: PlacePrecision,
        coarse: ZoomMarkers, fine: ZoomMarkers
    ) {
        self.precision = precision
        self.options = options
        self.list = list
        self.storage = storage
        self.coarse = coarse
        self.fine = fine
    }

    /// O(n log n)
    mutating func run(jobs: Int) {
        isShownAlready = Array(repeating: false, count: fine.records.count)
        mayBeShownAlready = isShownAlready
        if precision.isExact { checkPoints() } else { checkShownPoints() }
        checkPlaces()
        guard coarse.zoom <= options.clusterMaxZoom, options.mode == .markers else { return }
        checkClusters()
        switch options.method {
        case .grid where !precision.isExact: checkShownGridNesting()
        case .grid: checkGridNesting()
        case .anchors where !precision.isExact: checkReachNesting(jobs: jobs)
        case .anchors where options.placesAreAnchors && options.minPoints == 2 && options.ranksByCountAlone:
            checkNearestNesting(jobs: jobs)
        case .anchors: checkReachNesting(jobs: jobs)
        }
    }

    /// Reports a problem with a marker of ``coarse``.
    mutating func add(_ kind: Finding.Kind, _ index: Int, _ detail: String) {
        let record = coarse.records[index]
        log.add(kind, in: list.path(of: record, storage), "\(coarse.description(of: record)) \(detail)")
    }

    /// Reports a marker whose members don't match what it says.
    mutating func check(_ members: MemberTally, of index: Int) {
        let expected = coarse.pointCount(index)
        if members.pointCount != expected {
            add(
                .wrongNesting, index,
                "has \(expected) points, expected the \(members.pointCount) of its members at zoom \(fine.zoom)")
        }
        if !coarse.records[index].isPoint, let problem = members.boxProblem {
            add(.wrongBoundingBox, index, "has a box whose borders \(problem)")
        }
    }

    /// Reports a problem with a marker of ``fine``.
    mutating func add(_ kind: Finding.Kind, fine index: Int, _ detail: String) {
        let record = fine.records[index]
        log.add(kind, in: list.path(of: record, storage), "\(fine.description(of: record)) \(detail)")
    }

    /// A single point stays one: each point of ``coarse`` is in ``fine`` with the same id, at least as often. Beyond
    /// the clustered zooms, the points are identical.
    private mutating func checkPoints() {
        var next = 0
        for (index, record) in coarse.records.enumerated() where record.isPoint {
            while next < fine.records.count,
                !fine.records[next].isPoint || fine.records[next].code < record.code
                    || fine.records[next].code == record.code && fine.records[next].pointOrder < record.pointOrder
            {
                // Clusters at the same place come after the points there.
                if !fine.records[next].isPoint, fine.records[next].code > record.code { break }
                next += 1
            }
            guard next < fine.records.count, fine.records[next].isPoint, fine.records[next].code == record.code,
                fine.records[next].pointOrder == record.pointOrder
            else {
                add(.wrongNesting, index, "is not there at zoom \(fine.zoom)")
                continue
            }
            isShownAlready[next] = true
            next += 1
        }
        guard coarse.zoom > options.clusterMaxZoom else { return }
        for index in fine.records.indices where fine.records[index].isPoint && !isShownAlready[index] {
            add(.wrongNesting, fine: index, "is not there at zoom \(coarse.zoom)")
        }
    }

    /// Points that stay together do so at every zoom: beyond the clustered zooms, the clusters are identical. A place that is
    /// no cluster of its own at the last clustered zoom has an id of its own.
    private mutating func checkPlaces() {
        guard options.keepsPlacesTogether, fine.zoom > options.clusterMaxZoom else { return }
        let isLastClustered = coarse.zoom == options.clusterMaxZoom
        var same: [UInt64: ZoomMarkers.ClusterRecord] = [:]
        for record in coarse.records where !record.isPoint {
            same[record.identity] = coarse.clusters[Int(record.cluster)]
        }
        var found = 0
        for (index, record) in fine.records.enumerated() where !record.isPoint {
            let cluster = fine.clusters[Int(record.cluster)]
            let code = MortonCode(rawValue: record.code)
            let isSame =
                same[record.identity].map {
                    $0.pointCount == cluster.pointCount
                        && (!precision.hasBoxes || $0.boundingBox == cluster.boundingBox)
                } ?? false
            if isSame { found += 1 }
            if isLastClustered, !precision.isExact {
                // Its place tells no id.
            } else if isLastClustered {
                let expected =
                    same[code.clusterID].map {
                        $0.expansionZoom == nil && $0.pointCount == cluster.pointCount
                            && $0.boundingBox == cluster.boundingBox
                    } ?? false ? code.clusterID : code.placeID
                if record.identity != expected {
                    add(
                        .wrongClusterID, fine: index,
                        "has the id of another cluster, expected \(expected ^ fine.idMask)")
                }
            } else if !isSame {
                add(.wrongNesting, fine: index, "is not the same at zoom \(coarse.zoom)")
            }
        }
        if !isLastClustered, found < coarse.clusters.count {
            let fineIDs = Set(fine.records.lazy.filter { !$0.isPoint }.map(\.identity))
            for (index, record) in coarse.records.enumerated()
            where !record.isPoint && !fineIDs.contains(record.identity) {
                add(.wrongNesting, index, "is not there at zoom \(fine.zoom)")
                break
            }
        }
    }

    /// A cluster keeps its anchor, and its expansion zoom says how long it keeps its members.
    private mutating func checkClusters() {
        var sameID: [UInt64: Int] = [:]
        sameID.reserveCapacity(fine.clusters.count)
        for (index, record) in fine.records.enumerated() where !record.isPoint { sameID[record.identity] = index }
        let anchors = PlaceAnchors(fine, arePlaces: fine.zoom > options.clusterMaxZoom, precision)
        for (index, record) in coarse.records.enumerated() where !record.isPoint {
            let cluster = coarse.clusters[Int(record.cluster)]
            if !precision.isExact, cluster.boundingBox.isPoint, let zoom = cluster.expansionZoom,
                zoom <= options.clusterMaxZoom
            {
                add(.wrongBoundingBox, index, "is coincident, but has expansion_zoom \(zoom)")
            }
            guard let same = sameID[record.identity] else {
                checkExpansion(of: index, cluster, comesApart: true)
                if !anchors.hold(record.identity) {
                    add(.wrongNesting, index, "has no marker with its id at zoom \(fine.zoom)")
                }
                continue
            }
            let part = fine.clusters[Int(fine.records[same].cluster)]
            checkExpansion(of: index, cluster, comesApart: part.pointCount != cluster.pointCount)
            if part.pointCount == cluster.pointCount && part.expansionZoom != cluster.expansionZoom {
                add(
                    .wrongExpansionZoom, index,
                    "has expansion_zoom \(NestingCheck.text(cluster.expansionZoom)), "
                        + "expected \(NestingCheck.text(part.expansionZoom)) as at zoom \(fine.zoom)"
                )
            }
            if part.pointCount > cluster.pointCount {
                add(
                    .wrongNesting, index,
                    "has \(cluster.pointCount) points, but \(part.pointCount) at zoom \(fine.zoom)")
            }
        }
    }

    private mutating func checkExpansion(of index: Int, _ cluster: ZoomMarkers.ClusterRecord, comesApart: Bool) {
        guard (cluster.expansionZoom == fine.zoom) != comesApart else { return }
        let expected =
            comesApart ? "\(fine.zoom), where it comes apart" : "more, since it is whole at zoom \(fine.zoom)"
        add(
            .wrongExpansionZoom, index,
            "has expansion_zoom \(NestingCheck.text(cluster.expansionZoom)), expected \(expected)")
    }

    private static func text(_ zoom: Int?) -> String { zoom.map { "\($0)" } ?? "none" }
}

/// Tells whether a cluster's anchor is a single point, or one of those that stay together.
private struct PlaceAnchors {
    private let ids: [UInt64]
    /// The places that are not exact.
    private let shown: ShownPlaces?

    /// - Parameter arePlaces: whether each cluster is the points of one place, so that it stands at its anchor.
    init(_ markers: ZoomMarkers, arePlaces: Bool, _ precision: PlacePrecision) {
        let codes = markers.records.filter { $0.isPoint || arePlaces }.map(\.code)
        shown = precision.isExact(atZoom: markers.zoom) ? nil : ShownPlaces(codes, zoom: markers.zoom, precision)
        // Codes ascend, and so do the ids, which are their upper bits.
        ids = codes.map { MortonCode(rawValue: $0).clusterID }
    }

    /// O(log n).
    func hold(_ id: UInt64) -> Bool {
        if let shown { return shown.hold(PlaceRange(ofCluster: id)) }
        let index = ids.partitioningIndex { $0 >= id }
        return index < ids.count && ids[index] == id
    }
}
