import PyramidTiles

/// The markers of one zoom, divided by what can merge: those of each group, and the points that never merge.
struct MarkerGroups: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        /// The group's value; empty if there are no groups.
        var group: [UInt8] = []
        var isUnclustered = false

        /// The bits in which the ids of this group's clusters differ from those without groups (``ClusterGroup``).
        var idMask: UInt64 { ClusterGroup.idMask(of: group) }

        static func < (left: Key, right: Key) -> Bool {
            if left.isUnclustered != right.isUnclustered { return right.isUnclustered }
            return left.group.lexicographicallyPrecedes(right.group)
        }
    }

    let zoom: Int
    /// Ascending after ``sort()``.
    private(set) var keys: [Key] = []
    /// By index in ``keys``.
    private(set) var markers: [ZoomMarkers] = []
    private var indices: [Key: Int] = [:]
    /// The index of the group used last.
    private var last = 0

    init(zoom: Int) {
        self.zoom = zoom
    }

    /// The markers of a group; none if the group is unknown.
    subscript(key: Key) -> ZoomMarkers {
        indices[key].map { markers[$0] } ?? ZoomMarkers(zoom: zoom, idMask: key.idMask)
    }

    /// Appends a marker with details from elsewhere.
    mutating func append(_ record: ZoomMarkers.Record, of details: MarkerDetails, to key: Key) {
        markers[index(of: key)].append(record, of: details)
    }

    mutating func append(_ other: consuming ZoomMarkers, to key: Key) {
        markers[index(of: key)].append(other)
    }

    /// Appends the markers of chunks, and empties each chunk at once, so that not all are in memory twice.
    mutating func append(emptying chunks: inout [MarkerGroups]) {
        var counts: [Key: (records: Int, clusters: Int)] = [:]
        for chunk in chunks {
            for (key, markers) in zip(chunk.keys, chunk.markers) {
                counts[key, default: (0, 0)].records += markers.records.count
                counts[key, default: (0, 0)].clusters += markers.clusters.count
            }
        }
        for (key, count) in counts { reserve(records: count.records, clusters: count.clusters, for: key) }
        for number in chunks.indices {
            let chunk = chunks[number]
            chunks[number] = MarkerGroups(zoom: zoom)
            for (key, markers) in zip(chunk.keys, chunk.markers) { append(markers, to: key) }
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

    /// The markers that a region owns.
    func owned(by region: Region) -> MarkerGroups {
        var owned = MarkerGroups(zoom: zoom)
        for (key, group) in zip(keys, markers) { owned.append(group.filter { region.owns($0.code) }, to: key) }
        owned.sort()
        return owned
    }

    var markerCount: Int { markers.reduce(0) { $0 + $1.records.count } }
    var clusterCount: Int { markers.reduce(0) { $0 + $1.clusters.count } }

    /// The number of points that all markers stand for.
    var pointCount: Int { markers.reduce(0) { $0.saturatingAdd($1.pointCount) } }

    private mutating func index(of key: Key) -> Int {
        // Mostly there is one group, or it is the same as before.
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
