import PyramidStore
import PyramidTiles

/// The hash of a point's id, and the zooms at which a file shows the point.
struct PointID: BitwiseCopyable, Sendable {
    let hash: UInt64
    private let first, last: UInt8

    init(_ hash: UInt64, _ zooms: ClosedRange<Int>) {
        self.hash = hash
        (first, last) = (UInt8(truncatingIfNeeded: zooms.lowerBound), UInt8(truncatingIfNeeded: zooms.upperBound))
    }

    var zooms: ClosedRange<Int> { Int(first)...Int(max(first, last)) }
}

/// The ids that more than one point of a zoom has. Points with the same id can be anywhere on the map, so ids are compared
/// before the regions are checked, some hashes at a time.
struct RepeatedIDs {
    /// A point that is the first with its id, in the order of ``MarkerGroups``.
    private struct First {
        let key: MarkerGroups.Key
        let finding: Finding
    }

    private var spooled: SpooledChunks<ElementChunk<PointID>>
    private let partitionCount: Int
    /// By zoom.
    private var repeated: [Int: Set<UInt64>] = [:]
    /// By zoom and id.
    private var first: [Int: [UInt64: First]] = [:]

    init(in store: ChunkStore, partitionCount: Int) {
        spooled = SpooledChunks(in: store)
        self.partitionCount = partitionCount
    }

    static func partition(of id: PointID, count: Int) -> Int { Int(id.hash % UInt64(count)) }

    mutating func append(_ ids: [Int: [PointID]]) throws(OutputError) {
        for (partition, ids) in ids.sorted(by: { $0.key < $1.key }) {
            try spooled.append(ElementChunk(ids), to: partition)
        }
    }

    /// Finds the ids that repeat among all that were appended, and forgets those of lower zooms.
    /// - Parameter firstZoom: of the zooms at which others may follow.
    mutating func find(keepingZoomsFrom firstZoom: Int = .max) throws(OutputError) {
        for partition in 0..<partitionCount {
            var ids: [PointID] = []
            for chunk in try spooled.take(partition) { ids += chunk.elements }
            ids.sort { $0.hash < $1.hash }
            var start = 0
            while start < ids.count {
                var end = start + 1
                while end < ids.count, ids[end].hash == ids[start].hash { end += 1 }
                if end - start > 1 { addZooms(ids[start..<end]) }
                start = end
            }
            ids.removeAll { $0.zooms.upperBound < firstZoom }
            if !ids.isEmpty { try spooled.append(ElementChunk(ids), to: partition) }
        }
    }

    private mutating func addZooms(_ same: ArraySlice<PointID>) {
        var counts: [Int: Int] = [:]
        for id in same { for zoom in id.zooms { counts[zoom, default: 0] += 1 } }
        for (zoom, count) in counts where count > 1 { repeated[zoom, default: []].insert(same[same.startIndex].hash) }
    }

    func hasAny(atZoom zoom: Int) -> Bool { repeated[zoom] != nil }

    /// Whether another point of the zoom has the same id.
    func contains(_ hash: UInt64, atZoom zoom: Int) -> Bool { repeated[zoom]?.contains(hash) ?? false }

    /// The finding about a point, or that about an earlier one which isn't the first any longer; `nil` for the first. Points come
    /// in order within a group.
    mutating func add(_ finding: Finding, _ hash: UInt64, of key: MarkerGroups.Key, atZoom zoom: Int) -> Finding? {
        let known = first[zoom]?[hash]
        if let known, !(key < known.key) { return finding }
        first[zoom, default: [:]][hash] = First(key: key, finding: finding)
        return known?.finding
    }
}
