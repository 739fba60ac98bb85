import PyramidTiles

/// The markers of one zoom level, divided into those that can merge: those of each group, and the points that never
/// merge.
struct MarkerGroups: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        /// The bytes of the group's value; empty if there are no groups.
        var group: [UInt8] = []
        var isUnclustered = false

        /// What distinguishes the ids of this group's clusters from those of another (``ClusterGroup``).
        var idMask: UInt64 { ClusterGroup.idMask(of: group) }

        static func < (left: Key, right: Key) -> Bool {
            if left.isUnclustered != right.isUnclustered { return right.isUnclustered }
            return left.group.lexicographicallyPrecedes(right.group)
        }
    }

    let zoom: Int
    /// In order, after ``sort()``.
    private(set) var keys: [Key] = []
    /// By key.
    private(set) var markers: [ZoomMarkers] = []
    private var indices: [Key: Int] = [:]
    /// The group used last.
    private var last = 0

    init(zoom: Int) {
        self.zoom = zoom
    }

    /// The markers of a group; empty if it has none.
    subscript(key: Key) -> ZoomMarkers {
        indices[key].map { markers[$0] } ?? ZoomMarkers(zoom: zoom, idMask: key.idMask)
    }

    mutating func append(_ record: ZoomMarkers.Record, cluster: ZoomMarkers.ClusterRecord?, to key: Key) {
        markers[index(of: key)].append(record, cluster: cluster)
    }

    mutating func append(_ part: consuming ZoomMarkers, to key: Key) {
        markers[index(of: key)].append(part)
    }

    /// Appends several parts and empties one after the other, as two copies of all are large.
    mutating func append(emptying parts: inout [MarkerGroups]) {
        var counts: [Key: (records: Int, clusters: Int)] = [:]
        for part in parts {
            for (key, markers) in zip(part.keys, part.markers) {
                counts[key, default: (0, 0)].records += markers.records.count
                counts[key, default: (0, 0)].clusters += markers.clusters.count
            }
        }
        for (key, count) in counts { reserve(records: count.records, clusters: count.clusters, for: key) }
        for number in parts.indices {
            let part = parts[number]
            parts[number] = MarkerGroups(zoom: zoom)
            for (key, markers) in zip(part.keys, part.markers) { append(markers, to: key) }
        }
    }

    private mutating func reserve(records: Int, clusters: Int, for key: Key) {
        markers[index(of: key)].reserve(records: records, clusters: clusters)
    }

    mutating func sort() {
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        keys = order.map { keys[$0] }
        markers = order.map { markers[$0] }
        for index in markers.indices {
            markers[index].sort()
            indices[keys[index]] = index
        }
    }

    /// How many tiles of the zoom level have markers. After ``sort()``.
    var tileCount: Int {
        var nodes: [UInt64] = []
        for part in markers {
            for record in part.records {
                let node = MortonCode(rawValue: record.code).node(atDepth: zoom)
                if nodes.last != node { nodes.append(node) }
            }
        }
        // Of one group, they are in order and different already.
        return markers.count > 1 ? Set(nodes).count : nodes.count
    }

    var markerCount: Int { markers.reduce(0) { $0 + $1.records.count } }
    var clusterCount: Int { markers.reduce(0) { $0 + $1.clusters.count } }

    /// The number of points that all markers stand for.
    var pointCount: Int { markers.reduce(0) { $0.saturatingAdd($1.pointCount) } }

    private mutating func index(of key: Key) -> Int {
        // Usually there is only one group, or it is the same as before.
        if last < keys.count, keys[last] == key { return last }
        if let index = indices[key] {
            last = index
            return index
        }
        indices[key] = keys.count
        keys.append(key)
        markers.append(ZoomMarkers(zoom: zoom, idMask: key.idMask))
        return keys.count - 1
    }
}
