import PyramidStore
import PyramidTiles

/// What a part hands over to the join: the markers of the cut zoom that are inside, and the rows that are needed to go on.
struct PartHandOver {
    private let points: PointTable
    private let content: ClusterContent
    private let candidates: [(anchor: Int, members: [Int], cluster: CarriedCluster?)]
    /// The points whose rows are handed over, ascending.
    private let rows: [Int]
    /// The part's own points.
    let ownPoints: [Int]

    /// - Parameter descent: at the cut zoom.
    init(
        of descent: ClusterDescent, inside codes: ClosedRange<UInt64>, points: PointTable, content: ClusterContent
    ) {
        self.points = points
        self.content = content
        let (quadtree, clusters) = (descent.quadtree, descent.clusters)
        var candidates: [(anchor: Int, members: [Int], cluster: CarriedCluster?)] = []
        var isNeeded = [Bool](repeating: false, count: quadtree.count)
        for candidate in descent.anchors.map(Int.init) {
            let anchor = Int(descent.hierarchy.anchorPoint[candidate])
            guard codes.contains(quadtree.codes[anchor]) else { continue }
            if let entry = descent.cluster(of: candidate) {
                let members = content.neededMembers(
                    of: entry, in: clusters, points: points, minPoints: descent.rules.minPoints)
                candidates.append((anchor, members, clusters.table.carriedCluster(of: entry)))
                for member in members { isNeeded[member] = true }
            } else {
                candidates.append((anchor, [anchor], nil))
            }
            isNeeded[anchor] = true
        }
        for point in quadtree.unclustered where codes.contains(quadtree.codes[point]) { isNeeded[point] = true }
        self.candidates = candidates
        rows = isNeeded.indices.filter { isNeeded[$0] }
        ownPoints = quadtree.codes.indices.filter { codes.contains(quadtree.codes[$0]) }
    }

    var rowCount: Int { rows.count }
    var candidateCount: Int { candidates.count }

    /// West, south, east, north of the part's own points in microdegrees; `nil` if it has none.
    var bounds: [Int32]? {
        guard let first = ownPoints.first else { return nil }
        let box = ownPoints.reduce(BoundingBox(points.coordinate(first))) { box, point in
            let (longitude, latitude) = (points.longitudes[point], points.latitudes[point])
            return BoundingBox(
                west: min(box.west, longitude), south: min(box.south, latitude), east: max(box.east, longitude),
                north: max(box.north, latitude))
        }
        return [box.west, box.south, box.east, box.north]
    }

    /// Writes everything but the manifest.
    func write(to file: PartFileWriter, idRule options: InputOptions) throws {
        try file.writeSection(PartSection.rows) { append in
            let lineEnd: [UInt8] = [UInt8(ascii: "\n")]
            for point in rows {
                try append(points.rowBytes(of: point))
                try lineEnd.withUnsafeBytes(append)
            }
        }
        try file.writeSection(PartSection.candidates) { append in
            var numbers = [UInt32](repeating: 0, count: points.count)
            for (number, point) in rows.enumerated() { numbers[point] = UInt32(number) }
            var bytes = ByteBuffer()
            for (anchor, members, cluster) in candidates {
                bytes.removeAll()
                bytes.append(
                    PartCandidate(
                        anchorRow: Int(numbers[anchor]), rows: members.map { Int(numbers[$0]) }, cluster: cluster))
                try bytes.withUnsafeBytes(append)
            }
        }
        try file.writeSection(PartSection.texts) { append in
            for column in content.countedTexts {
                var bytes = ByteBuffer()
                bytes.append(texts: column.texts)
                try bytes.withUnsafeBytes(append)
            }
        }
        try file.writeSection(PartSection.totals) { append in
            var bytes = ByteBuffer()
            bytes.append(content.aggregates(of: ownPoints).values(of: 0))
            try bytes.withUnsafeBytes(append)
        }
        try file.writeSection(PartSection.ids) { append in
            var bytes = ByteBuffer()
            if points.report.hasIDs {
                for id in PartIDs.hashes(of: ownPoints, points, options) { bytes.append(id) }
            }
            try bytes.withUnsafeBytes(append)
        }
    }
}

/// Two hashes of an id: too many bits to be equal by chance.
struct IDHash: Comparable, Hashable {
    let first, second: UInt64

    static func < (left: IDHash, right: IDHash) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}

enum PartIDs {
    static let byteCount = 16

    /// Those of the points that have ids, ascending.
    static func hashes(of points: [Int], _ table: PointTable, _ options: InputOptions) -> [IDHash] {
        var readers = table.inputs.inputs.map { GeoJSONPointReader($0, options: options) }
        var hashes: [IDHash] = []
        for point in points {
            let (input, start) = table.inputs.position(of: table.rowStarts[point])
            let id = readers[input].id(ofRowAt: start)
            guard !id.isEmpty else { continue }
            hashes.append(
                IDHash(first: RowDigest(id.span.bytes).hash, second: id.withUnsafeBytes { StableHash.hash($0) }))
        }
        return hashes.sorted()
    }
}

extension ByteBuffer {
    fileprivate mutating func append(_ id: IDHash) {
        append(littleEndian: id.first, byteCount: 8)
        append(littleEndian: id.second, byteCount: 8)
    }
}
