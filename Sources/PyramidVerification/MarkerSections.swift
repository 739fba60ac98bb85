import PyramidTiles

/// The markers of one zoom level by what can merge: those of each group by themselves, and those that are never merged.
struct MarkerSections: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        /// The bytes of the group's value; empty where there are no groups.
        var group: [UInt8] = []
        var isUnclustered = false

        /// What the ids of the group's clusters differ by from those of another (``ClusterGroup``).
        var idMask: UInt64 { ClusterGroup.idMask(of: group) }

        static func < (left: Key, right: Key) -> Bool {
            if left.isUnclustered != right.isUnclustered { return right.isUnclustered }
            return left.group.lexicographicallyPrecedes(right.group)
        }
    }

    let zoom: Int
    /// After ``sort()`` in their order.
    private(set) var keys: [Key] = []
    /// By key.
    private(set) var markers: [ZoomMarkers] = []
    private var indices: [Key: Int] = [:]
    /// The section that was asked for last.
    private var last = 0

    init(zoom: Int) {
        self.zoom = zoom
    }

    /// The markers of a section; none where it has none.
    subscript(key: Key) -> ZoomMarkers {
        indices[key].map { markers[$0] } ?? ZoomMarkers(zoom: zoom, idMask: key.idMask)
    }

    mutating func append(_ record: ZoomMarkers.Record, cluster: ZoomMarkers.ClusterRecord?, to key: Key) {
        markers[index(of: key)].append(record, cluster: cluster)
    }

    mutating func append(_ other: MarkerSections) {
        for (key, part) in zip(other.keys, other.markers) { markers[index(of: key)].append(part) }
    }

    mutating func reserve(records: Int, clusters: Int, for key: Key) {
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

    var markerCount: Int { markers.reduce(0) { $0 + $1.records.count } }
    var clusterCount: Int { markers.reduce(0) { $0 + $1.clusters.count } }

    /// How many points all markers stand for.
    var pointCount: Int { markers.reduce(0) { $0.saturatingAdd($1.pointCount) } }

    private mutating func index(of key: Key) -> Int {
        // Mostly there is one section, or the same as before.
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
