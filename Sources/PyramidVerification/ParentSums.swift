import PyramidStore
import PyramidTiles

/// Compares the points of the markers that name a parent with the points of that cluster, for all zooms. Ids can name places
/// anywhere, so they are compared apart from regions, some at a time.
struct ParentSums {
    private struct Sum: BitwiseCopyable, Sendable {
        let id: UInt64
        let pointCount: Int
        /// Of the markers that name the parent.
        let zoom: UInt8
        let isCluster: Bool
    }

    private static let listedPerZoom = 10

    private let partitionCount: Int
    private var spooled: SpooledChunks<ElementChunk<Sum>>

    init(in store: ChunkStore, partitionCount: Int) {
        spooled = SpooledChunks(in: store)
        self.partitionCount = partitionCount
    }

    /// Adds what markers of a zoom name.
    mutating func append(_ parents: ContentTally.Parents, atZoom zoom: Int) throws(OutputError) {
        try append(parents.map { Sum(id: $0, pointCount: $1, zoom: UInt8(zoom), isCluster: false) })
    }

    /// Adds the clusters of a zoom in a region.
    mutating func append(clustersOf markers: MarkerGroups, in region: Region) throws(OutputError) {
        var sums: [Sum] = []
        for (key, group) in zip(markers.keys, markers.markers) {
            for (index, record) in group.records.enumerated() where !record.isPoint && region.owns(record.code) {
                sums.append(
                    Sum(
                        id: record.identity ^ key.idMask, pointCount: group.pointCount(index),
                        zoom: UInt8(markers.zoom + 1), isCluster: true))
            }
        }
        try append(sums)
    }

    private mutating func append(_ sums: [Sum]) throws(OutputError) {
        for (partition, sums) in Dictionary(grouping: sums, by: { Int($0.id % UInt64(partitionCount)) }) {
            try spooled.append(ElementChunk(sums), to: partition)
        }
    }

    /// Sentences on where the sums differ, by zoom.
    mutating func problems() throws(OutputError) -> [Int: [String]] {
        var differing: [Int: [(id: UInt64, problem: String)]] = [:]
        for partition in 0..<partitionCount {
            var sums: [Sum] = []
            for chunk in try spooled.take(partition) { sums += chunk.elements }
            sums.sort { ($0.zoom, $0.id) < ($1.zoom, $1.id) }
            var start = 0
            while start < sums.count {
                let (zoom, id) = (sums[start].zoom, sums[start].id)
                var (named, expected) = (0, 0)
                while start < sums.count, sums[start].zoom == zoom, sums[start].id == id {
                    if sums[start].isCluster {
                        expected = expected.saturatingAdd(sums[start].pointCount)
                    } else {
                        named = named.saturatingAdd(sums[start].pointCount)
                    }
                    start += 1
                }
                guard named != expected else { continue }
                let problem =
                    "markers that name the parent \(id) stand for \(named) points, expected \(expected) "
                    + "(zoom \(zoom - 1))"
                var ofZoom = differing[Int(zoom)] ?? []
                ofZoom.append((id, problem))
                ofZoom.sort { $0.id < $1.id }
                differing[Int(zoom)] = Array(ofZoom.prefix(ParentSums.listedPerZoom))
            }
        }
        return differing.mapValues { $0.map(\.problem) }
    }
}
