import PyramidTiles
import Synchronization

/// The points in a box, as far as they are read.
struct BoxSearch: Sendable {
    /// The markers of a zoom in a file, which are still to be read.
    struct Node: Sendable {
        let zoom: Int
        let file: FileAddress
        /// From the middle of the box.
        let squaredDistance: Double
    }

    let box: BoundingBox
    var nodes: [Node] = []
    /// The files that are or were among the nodes, by zoom.
    var known: [Int: Set<FileAddress>] = [:]
    var points: [MarkerID: Feature] = [:]
    /// The number of matching points that the markers of the first zoom in the box show.
    var count = 0
    var firstZoom: Int?
    /// Whether the markers hide no points: there are clusters, or the last zoom is read.
    var hidesNothing = false
    /// Whether some of the points are in no file that can be read.
    var lacksPoints = false

    init(_ box: BoundingBox) { self.box = box }

    /// The points in the box, matching or not.
    var pointsInside: [Feature] { points.values.filter { box.contains($0.coordinate) } }
    var isOver: Bool { firstZoom != nil && nodes.isEmpty && hidesNothing }
}

/// The search in the last box, so that the next call for the same one reads on.
final class LastBoxSearch: Sendable {
    struct Target: Equatable {
        let box: BoundingBox
        let filter: MarkerFilter
        let tileJSON: TileJSON
    }

    private let last = Mutex<(target: Target, search: BoxSearch)?>(nil)

    func search(for target: Target) -> BoxSearch {
        last.withLock { $0.flatMap { $0.target == target ? $0.search : nil } } ?? BoxSearch(target.box)
    }

    /// Of two calls at the same time, that with more points counts.
    func keep(_ search: BoxSearch, for target: Target) {
        last.withLock { last in
            if let last, last.target == target, last.search.points.count > search.points.count { return }
            last = (target, search)
        }
    }
}
