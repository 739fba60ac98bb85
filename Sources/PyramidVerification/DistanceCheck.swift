import PyramidTiles

/// Finds markers of a group that are closer than promised, and searches only the quadtree cells around each marker.
///
/// If a cell less than two distances wide holds more than nine places, they can't all be a distance apart: divide the
/// cell into three by three squares, and two places share a square less than two thirds of a distance wide. So the
/// first ten places of each cell are enough to tell whether any two markers are too close, and no arrangement of
/// markers makes the check slow. If a cell holds more, not every pair is reported.
struct DistanceCheck {
    /// One more than a cell can hold without two places that are too close.
    private static let testedPlacesPerCell = 10
    private static let markersPerChunk = 1 << 14

    /// Sorted.
    private let markers: StoredElements<PlacedMarker>
    private let distanceUnits: UInt64
    /// The depth of cells that are at least a distance wide, and less than two, unless one is the whole world.
    private let depth: Int

    /// - Parameters:
    ///   - markers: sorted.
    ///   - distanceUnits: in 1 ... 2³².
    init(_ markers: StoredElements<PlacedMarker>, distanceUnits: UInt64) {
        (self.markers, self.distanceUnits) = (markers, distanceUnits)
        depth = distanceUnits <= 1 ? 32 : min(32, (distanceUnits - 1).leadingZeroBitCount - 32)
    }

    /// Pairs of markers that are too close, at most one for each first marker. O(n log n), mostly O(n)
    func pairsTooClose(jobs: Int) -> [(PlacedMarker, PlacedMarker)] {
        let chunks = (0..<markers.count).split(every: DistanceCheck.markersPerChunk)
        return SharedWork(jobs: jobs).map(chunks) { pairs(ofCellsIn: $0) }.flatMap { $0 }
    }

    /// - Parameter chunk: of the first markers of cells.
    private func pairs(ofCellsIn chunk: Range<Int>) -> [(PlacedMarker, PlacedMarker)] {
        var pairs: [(PlacedMarker, PlacedMarker)] = []
        var near: [PlacedMarker] = []
        var start = chunk.lowerBound == 0 ? 0 : end(ofCellOf: chunk.lowerBound - 1)
        while start < chunk.upperBound {
            let end = end(ofCellOf: start)
            near.removeAll(keepingCapacity: true)
            for index in start..<min(end, start + DistanceCheck.testedPlacesPerCell) { near.append(markers[index]) }
            let ownCount = near.count
            appendMarkers(ofCellsAfter: start, from: end, to: &near)
            for index in 0..<ownCount {
                let place = near[index].code.point
                let other = near[(index + 1)...].first { $0.code.point.isCloser(than: distanceUnits, to: place) }
                if let other { pairs.append((near[index], other)) }
            }
            start = end
        }
        return pairs
    }

    /// Appends the first markers of the cells around one that come after it, also across the antimeridian. So each pair
    /// of cells is tested once.
    private func appendMarkers(ofCellsAfter index: Int, from end: Int, to near: inout [PlacedMarker]) {
        let group = markers[index].group
        let node = markers[index].code.node(atDepth: depth)
        let mask = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(depth)) - 1)
        let (column, row) = (MortonCode.gather(node), MortonCode.gather(node >> 1))
        // At depths 0 and 1 there are fewer than three columns.
        let columns = UInt32(min(3, 1 << min(depth, 2)))
        for rowOffset in -1...1 {
            guard case let nearRow = Int64(row) + Int64(rowOffset), 0...Int64(mask) ~= nearRow else { continue }
            let rowBits = MortonCode.spread(UInt32(nearRow)) << 1
            for columnOffset in 0..<columns {
                let nearNode = MortonCode.spread((column &+ columnOffset &- 1) & mask) | rowBits
                guard nearNode > node else { continue }
                var next = firstIndex(from: end, notBefore: key(ofNode: nearNode, group))
                let last = min(markers.count, next + DistanceCheck.testedPlacesPerCell)
                while next < last, markers[next].group == group, markers[next].code.node(atDepth: depth) == nearNode {
                    near.append(markers[next])
                    next += 1
                }
            }
        }
    }

    private func end(ofCellOf index: Int) -> Int {
        let (marker, shift) = (markers[index], UInt64(64 - 2 * depth))
        // The last code of the cell.
        let last = shift == 64 ? .max : marker.code.rawValue | ((1 << shift) - 1)
        return firstIndex(from: index + 1, notBefore: (UInt128(marker.group) << 64 | UInt128(last)) + 1)
    }

    private func key(ofNode node: UInt64, _ group: UInt64) -> UInt128 {
        UInt128(group) << 64 | UInt128(depth == 0 ? 0 : node << UInt64(64 - 2 * depth))
    }

    /// The first index from `start` on whose marker doesn't precede the key. It is mostly near, so the steps double.
    private func firstIndex(from start: Int, notBefore key: UInt128) -> Int {
        var (low, step) = (start, 1)
        while low + step <= markers.count, markers[low + step - 1].sortKey < key {
            low += step
            step *= 2
        }
        let high = min(markers.count, low + step - 1)
        return (low..<high).partitioningIndex { markers[$0].sortKey >= key }
    }
}

extension WorldPoint {
    /// Whether the points are closer than `units`, in 1 ... 2³². Exact.
    func isCloser(than units: UInt64, to other: WorldPoint) -> Bool {
        let (east, south) = (eastward(from: other).magnitude, southward(from: other).magnitude)
        let (square, overflow) = (east * east).addingReportingOverflow(south * south)
        // The square of 2³² doesn't fit, but the number before it does.
        return !overflow && square <= units &* units &- 1
    }
}
