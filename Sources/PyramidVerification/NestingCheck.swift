import PyramidTiles

/// Compares the markers of a zoom with those of the next higher zoom, of which they consist.
///
/// Both zooms must have been read completely, in a region and around it. What follows from the options is recomputed exactly (`NestingCheck+Grid`,
/// `NestingCheck+Nearest`). If tiles don't store enough for that, necessary conditions are checked (`NestingCheck+Reach`). If
/// places are rounded, only ids and counts are compared (`NestingCheck+IDs`).
struct NestingCheck {
    let options: ClusteringOptions
    let list: FileList
    let storage: TileStorage
    let precision: PlacePrecision
    /// `nil` if clients don't filter.
    let facets: FacetNumbers?
    /// The markers of the lower zoom; sorted.
    let coarse: ZoomMarkers
    /// The markers of the next higher zoom; sorted.
    let fine: ZoomMarkers
    let region: Region
    /// What of a marker must be in the region for it to be reported. Each check names what it compares.
    enum Owner {
        case place
        /// The place that a cluster's id names; a point's own.
        case id
        /// The same, but at unclustered zooms the place.
        case anchor
    }
    var owner = Owner.place
    var log = FindingLog()
    /// By marker of ``fine``: whether it is a point that ``coarse`` shows too.
    var isShownAlready: [Bool] = []
    /// For each marker of ``fine``, that of ``coarse`` which it is part of, or -1; empty if clients don't filter, and where it
    /// can't be computed.
    var parents: [Int32] = []

    init(
        options: ClusteringOptions, list: FileList, storage: TileStorage, precision: PlacePrecision,
        facets: FacetNumbers?, coarse: ZoomMarkers, fine: ZoomMarkers, region: Region
    ) {
        self.region = region
        self.facets = facets
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
        if precision.isExact { checkPoints() } else { checkPointIDs() }
        checkPlaces()
        if coarse.zoom <= options.clusterMaxZoom, options.mode == .markers { checkMembers(jobs: jobs) }
        owner = parents.isEmpty || options.method == .grid ? .anchor : .place
        checkFacets()
    }

    private mutating func checkMembers(jobs: Int) {
        owner = .id
        checkClusters()
        guard precision.isExact else {
            if options.method == .grid { checkCells() }
            return
        }
        let joinsNearest = options.placesAreAnchors && options.minPoints == 2 && options.ranksByCountAlone
        let areComputed = options.method == .grid || joinsNearest
        owner = options.method == .anchors && joinsNearest ? .place : .anchor
        if facets != nil, areComputed { parents = Array(repeating: -1, count: fine.records.count) }
        switch options.method {
        case .grid: checkGridNesting()
        case .anchors where joinsNearest: checkNearestNesting(jobs: jobs)
        case .anchors: checkReachNesting(jobs: jobs)
        }
    }

    /// Reports a problem with a marker of ``coarse``.
    mutating func add(_ kind: Finding.Kind, _ index: Int, _ detail: String) {
        let record = coarse.records[index]
        guard isOwned(record, in: coarse) else { return }
        log.add(
            kind, in: list.path(of: record, atZoom: coarse.zoom, storage), "\(coarse.description(of: record)) \(detail)"
        )
    }

    /// Reports the marker of ``coarse`` if its members don't match what it states.
    mutating func check(_ members: MemberTally, of index: Int) {
        let expected = coarse.pointCount(index)
        if members.pointCount != expected {
            add(
                .wrongNesting, index,
                "has \(expected) points, expected the \(members.pointCount) of its members at zoom \(fine.zoom)")
        }
        if !coarse.records[index].isPoint, let problem = members.boxProblem {
            add(.wrongBoundingBox, index, "has a box \(problem)")
        }
    }

    /// Reports a problem with a marker of ``fine``.
    mutating func add(_ kind: Finding.Kind, fine index: Int, _ detail: String) {
        let record = fine.records[index]
        guard isOwned(record, in: fine) else { return }
        log.add(
            kind, in: list.path(of: record, atZoom: fine.zoom, storage), "\(fine.description(of: record)) \(detail)")
    }

    private func isOwned(_ record: ZoomMarkers.Record, in markers: ZoomMarkers) -> Bool {
        switch owner {
        case .place: region.owns(record.code)
        case .id: region.owns(record.anchor.rawValue)
        case .anchor: region.owns(anchor(of: record, in: markers).rawValue)
        }
    }

    /// Checks that a single point stays one: each point of ``coarse`` is in ``fine`` with the same id, at least as
    /// often. At unclustered zooms, the points must be identical.
    private mutating func checkPoints() {
        var next = 0
        for (index, record) in coarse.records.enumerated() where record.isPoint {
            while next < fine.records.count,
                !fine.records[next].isPoint || fine.records[next].code < record.code
                    || fine.records[next].code == record.code && fine.records[next].pointOrder < record.pointOrder
            {
                // A cluster farther on means that all points before it have been passed.
                if !fine.records[next].isPoint, fine.records[next].code > record.code { break }
                next += 1
            }
            guard next < fine.records.count, fine.records[next].isPoint, fine.records[next].code == record.code,
                fine.records[next].pointOrder == record.pointOrder
            else {
                add(.wrongNesting, index, "is missing at zoom \(fine.zoom)")
                continue
            }
            isShownAlready[next] = true
            next += 1
        }
        guard coarse.zoom > options.clusterMaxZoom else { return }
        for index in fine.records.indices where fine.records[index].isPoint && !isShownAlready[index] {
            add(.wrongNesting, fine: index, "is missing at zoom \(coarse.zoom)")
        }
    }

    /// Checks that coincident clusters don't come apart. At unclustered zooms, they are identical. One whose points are
    /// in a larger cluster at the last clustered zoom has an id of its own.
    private mutating func checkPlaces() {
        guard options.keepsPlacesTogether, fine.zoom > options.clusterMaxZoom else { return }
        let isLastClustered = coarse.zoom == options.clusterMaxZoom
        owner = isLastClustered ? .place : .id
        var same: [UInt64: MarkerDetails.Cluster] = [:]
        for record in coarse.records where !record.isPoint {
            same[record.identity] = coarse.clusters[Int(record.details)]
        }
        for (index, record) in fine.records.enumerated() where !record.isPoint {
            let cluster = fine.clusters[Int(record.details)]
            let code = MortonCode(rawValue: record.code)
            let isSame =
                same[record.identity].map {
                    $0.pointCount == cluster.pointCount
                        && (!precision.hasBoxes || $0.boundingBox == cluster.boundingBox)
                } ?? false
            if isLastClustered, !precision.isExact {
                // The place isn't exact enough to tell the id.
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
                add(.wrongNesting, fine: index, "is missing or different at zoom \(coarse.zoom)")
            }
        }
        guard !isLastClustered, !coarse.clusters.isEmpty else { return }
        let fineIDs = Set(fine.records.lazy.filter { !$0.isPoint }.map(\.identity))
        for (index, record) in coarse.records.enumerated()
        where !record.isPoint && !fineIDs.contains(record.identity) {
            add(.wrongNesting, index, "is missing at zoom \(fine.zoom)")
        }
    }

    /// Checks that a cluster keeps its anchor, and keeps its members until its expansion zoom.
    private mutating func checkClusters() {
        var sameID: [UInt64: Int] = [:]
        sameID.reserveCapacity(fine.clusters.count)
        for (index, record) in fine.records.enumerated() where !record.isPoint { sameID[record.identity] = index }
        // Rounded places don't tell.
        let anchors = precision.isExact ? PlaceAnchors(fine, arePlaces: fine.zoom > options.clusterMaxZoom) : nil
        for (index, record) in coarse.records.enumerated() where !record.isPoint {
            let cluster = coarse.clusters[Int(record.details)]
            if !precision.isExact, cluster.boundingBox.isOnePlace, let zoom = cluster.expansionZoom,
                zoom <= options.clusterMaxZoom
            {
                add(.wrongBoundingBox, index, "is coincident, but has expansion_zoom \(zoom)")
            }
            guard let same = sameID[record.identity] else {
                checkExpansion(of: index, cluster, comesApart: true)
                if let anchors, !anchors.hold(record.identity) {
                    add(.wrongNesting, index, "has no marker with its id at zoom \(fine.zoom)")
                }
                continue
            }
            let next = fine.clusters[Int(fine.records[same].details)]
            checkExpansion(of: index, cluster, comesApart: next.pointCount != cluster.pointCount)
            if next.pointCount == cluster.pointCount && next.expansionZoom != cluster.expansionZoom {
                add(
                    .wrongExpansionZoom, index,
                    "has expansion_zoom \(NestingCheck.text(cluster.expansionZoom)), "
                        + "expected \(NestingCheck.text(next.expansionZoom)) as at zoom \(fine.zoom)"
                )
            }
            if next.pointCount > cluster.pointCount {
                add(
                    .wrongNesting, index,
                    "has \(cluster.pointCount) points, but \(next.pointCount) at zoom \(fine.zoom)")
            }
        }
    }

    private mutating func checkExpansion(of index: Int, _ cluster: MarkerDetails.Cluster, comesApart: Bool) {
        guard (cluster.expansionZoom == fine.zoom) != comesApart else { return }
        let expected =
            comesApart
            ? "\(fine.zoom), where it comes apart" : "a higher one or none, as it is whole at zoom \(fine.zoom)"
        add(
            .wrongExpansionZoom, index,
            "has expansion_zoom \(NestingCheck.text(cluster.expansionZoom)), expected \(expected)")
    }

    private static func text(_ zoom: Int?) -> String { zoom.map { "\($0)" } ?? "none" }
}

/// The markers of a zoom that reveal an anchor's place: single points and coincident clusters.
private struct PlaceAnchors {
    private let ids: [UInt64]

    /// - Parameter arePlaces: whether all clusters are coincident, so that they are at their anchors.
    init(_ markers: ZoomMarkers, arePlaces: Bool) {
        // Ids are made of the upper bits of codes, so they ascend as codes do.
        ids = markers.records.lazy.filter { $0.isPoint || arePlaces }.map { MortonCode(rawValue: $0.code).clusterID }
    }

    /// Whether a marker can be at the anchor of the cluster with this id. O(log n)
    func hold(_ id: UInt64) -> Bool {
        let index = ids.partitioningIndex { $0 >= id }
        return index < ids.count && ids[index] == id
    }
}
