import PyramidStore
import PyramidTiles

/// A marker of a zoom by its place, in 24 bytes. Sorted, markers of a group lie along the Z curve.
struct PlacedMarker: SortableElement {
    private let rawCode: UInt64
    /// ``MarkerGroup/idMask``
    let group: UInt64
    /// The index of its file in the list.
    let file: UInt32
    let isCluster: Bool

    init(_ code: MortonCode, group: UInt64, file: UInt32, isCluster: Bool) {
        (rawCode, self.group, self.file, self.isCluster) = (code.rawValue, group, file, isCluster)
    }

    var code: MortonCode { MortonCode(rawValue: rawCode) }

    var sortKey: UInt128 { UInt128(group) << 64 | UInt128(rawCode) }
}

/// An id, and the zooms at which a file shows its marker, in 24 bytes.
struct ShownID: SortableElement {
    /// A hash of the id of a point, or of the id and the group of a cluster.
    let hash: UInt64
    private let rawCode: UInt64
    /// The index of its file in the list.
    let file: UInt32
    private let first, last: UInt8
    let isCluster: Bool

    init(_ hash: UInt64, at code: MortonCode, in file: UInt32, zooms: ClosedRange<Int>, isCluster: Bool) {
        (self.hash, rawCode, self.file, self.isCluster) = (hash, code.rawValue, file, isCluster)
        (first, last) = (UInt8(truncatingIfNeeded: zooms.lowerBound), UInt8(truncatingIfNeeded: zooms.upperBound))
    }

    var code: MortonCode { MortonCode(rawValue: rawCode) }
    var zooms: ClosedRange<Int> { Int(first)...Int(last) }

    var sortKey: UInt64 { hash }
}

extension RunSorter<ShownID> {
    /// Calls `body` with each marker that has the id of another at its first zoom. No more can be appended.
    mutating func forEachRepeated(_ body: (ShownID) -> Void) throws(OutputError) {
        try forEachShared { same in
            var lastZoom = -1
            for id in same.sorted(by: {
                ($0.zooms.lowerBound, $0.file, $0.code) < ($1.zooms.lowerBound, $1.file, $1.code)
            }) {
                if id.zooms.lowerBound <= lastZoom { body(id) }
                lastZoom = max(lastZoom, id.zooms.upperBound)
            }
        }
    }
}

extension MortonCode {
    /// The kind and the place of a marker, for a finding. Past the map's edge, the place is on the edge.
    func description(isCluster: Bool) -> String {
        let place = WebMercator.unproject(point)
        return "\(isCluster ? "cluster" : "point") at \(place.longitude),\(place.latitude)"
    }
}
