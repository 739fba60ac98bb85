import PyramidTiles

/// The specification once more, by comparing everything with everything: no cells to look into, no
/// sorted runs, no code shared with the program, and the measures worked out anew. It is O(n²) per zoom.
package struct BruteForceClustering {
    /// A marker: its anchor and its members, as numbers of points.
    package struct Group: Hashable {
        package let anchor: Int
        package let members: Set<Int>
        package var expansionZoom = 0

        package init(anchor: Int, members: Set<Int>, expansionZoom: Int = 0) {
            (self.anchor, self.members, self.expansionZoom) = (anchor, members, expansionZoom)
        }
    }

    private struct Candidate {
        var anchor: Int
        var members: [Int]
        var x: Int128
        var y: Int128
        var mixed: UInt64
        var priority: Int
        var weight: Int
    }

    let points: [WorldPoint]
    let options: ClusteringOptions
    /// By point; all equal where there are none.
    var priorities: [Int] = []
    /// By point; 1 where there are none.
    var weights: [Int] = []

    package init(points: [WorldPoint], options: ClusteringOptions, priorities: [Int] = [], weights: [Int] = []) {
        (self.points, self.options, self.priorities, self.weights) = (points, options, priorities, weights)
    }

    private func priority(_ point: Int) -> Int { priorities.isEmpty ? 0 : priorities[point] }
    private func weight(_ point: Int) -> Int { weights.isEmpty ? 1 : weights[point] }

    /// The width of a cell of a zoom in world units: the world's through the greatest power of two for which a cell is at
    /// least a cluster distance wide.
    private func cellSide(_ zoom: Int) -> Int128 {
        var pixels = 256
        while pixels / 2 >= options.clusterDistance[zoom] { pixels /= 2 }
        return Int128(pixels) * (1 << 24) / (1 << zoom)
    }

    /// The width of a micro-cell: at most a quarter of the last clustered zoom's cluster distance, by a power of two.
    private var microCellSide: Int128 {
        let zoom = options.clusterMaxZoom
        // In parts of a pixel, of which there are 1024.
        var parts = 256 * 1024
        while parts * 4 > options.clusterDistance[zoom] * 1024 { parts /= 2 }
        return Int128(parts) * (1 << 14) / (1 << zoom)
    }

    /// The markers of every clustered zoom, with the zooms at which they come apart.
    package func groupsByZoom() -> [Int: Set<Group>] {
        var byZoom: [Int: Set<Group>] = [:]
        var candidates = firstCandidates()
        for zoom in options.clusteredZooms {
            candidates = anchors(candidates, zoom)
            byZoom[zoom] = Set(candidates.map { Group(anchor: $0.anchor, members: Set($0.members)) })
        }
        return byZoom.reduce(into: [:]) { result, entry in
            result[entry.key] = Set(
                entry.value.map { group in
                    var group = group
                    group.expansionZoom = expansionZoom(of: group.members, at: entry.key, byZoom)
                    return group
                })
        }
    }

    /// The first zoom at which the members are in more than one marker.
    private func expansionZoom(of members: Set<Int>, at zoom: Int, _ byZoom: [Int: Set<Group>]) -> Int {
        var next = zoom + 1
        while let groups = byZoom[next], groups.contains(where: { $0.members.isSuperset(of: members) }) { next += 1 }
        return next
    }

    private func firstCandidates() -> [Candidate] {
        let side = microCellSide
        let places = Dictionary(grouping: points.indices) { points[$0] }
        let cells = Dictionary(grouping: places.values) { members in
            let point = points[members[0]]
            return [Int128(point.x) / side, Int128(point.y) / side]
        }
        return cells.values.map { places in
            let ofPlaces = places.map { members in
                let point = points[members[0]]
                // Of equals the last, as points of one place are in the order of their content.
                let anchor = members.sorted().reduce(members[0]) { one, other in
                    (priority(other), weight(other)) >= (priority(one), weight(one)) ? other : one
                }
                return Candidate(
                    anchor: anchor, members: members, x: Int128(point.x), y: Int128(point.y), mixed: mix(point),
                    priority: priority(anchor), weight: members.reduce(0) { $0 + weight($1) })
            }
            var candidate = highest(ofPlaces)
            candidate.members = places.flatMap { $0 }
            candidate.weight = ofPlaces.reduce(0) { $0 + $1.weight }
            return candidate
        }
    }

    private func anchors(_ all: [Candidate], _ zoom: Int) -> [Candidate] {
        let distance = Int128(options.clusterDistance[zoom]) * (1 << 24) / (1 << zoom)
        func near(_ a: Candidate, _ b: Candidate) -> Bool { squaredDistance(a, b) < distance * distance }

        var undecided = Set(all.indices)
        var anchors: [Int] = []
        func keep(_ winners: [Int]) {
            anchors += winners
            undecided.subtract(winners)
            undecided = undecided.filter { other in !winners.contains { near(all[$0], all[other]) } }
        }
        for _ in 0..<2 {
            keep(
                undecided.filter { one in
                    !undecided.contains { $0 != one && near(all[$0], all[one]) && isHigher(all[$0], all[one]) }
                })
        }
        let side = cellSide(zoom)
        for colour in 0..<4 {
            let cells = Dictionary(
                grouping: undecided.filter { index in
                    Int(all[index].y / side % 2) * 2 + Int(all[index].x / side % 2) == colour
                }
            ) { [all[$0].x / side, all[$0].y / side] }
            for cell in cells.values {
                for index in cell.sorted(by: { isHigher(all[$0], all[$1]) }) where undecided.contains(index) {
                    keep([index])
                }
            }
        }

        var result = anchors.map { all[$0] }
        for index in Set(all.indices).subtracting(anchors) {
            let reachable = anchors.indices.filter { near(all[anchors[$0]], all[index]) }
            let asHeavy = reachable.filter { all[anchors[$0]].weight >= all[index].weight }
            let joinable = asHeavy.isEmpty ? reachable : asHeavy
            let nearest = joinable.reduce(joinable[0]) { one, other in
                let (a, b) = (all[anchors[one]], all[anchors[other]])
                let (da, db) = (squaredDistance(a, all[index]), squaredDistance(b, all[index]))
                return da < db || da == db && isHigher(a, b) ? one : other
            }
            result[nearest].members += all[index].members
            result[nearest].weight += all[index].weight
        }
        return result
    }

    private func highest(_ all: [Candidate]) -> Candidate {
        all.reduce(all[0]) { isHigher($1, $0) ? $1 : $0 }
    }

    private func isHigher(_ a: Candidate, _ b: Candidate) -> Bool {
        if a.priority != b.priority { return a.priority > b.priority }
        return a.weight != b.weight ? a.weight > b.weight : a.mixed > b.mixed
    }

    private func squaredDistance(_ a: Candidate, _ b: Candidate) -> Int128 {
        let straight = abs(a.x - b.x)
        let dx = min(straight, (1 << 32) - straight)
        let dy = a.y - b.y
        return dx * dx + dy * dy
    }

    /// MurmurHash3's finaliser of the interleaved bits.
    private func mix(_ point: WorldPoint) -> UInt64 {
        var bits: UInt64 = 0
        for place in 0..<32 {
            bits |= UInt64(point.x >> UInt32(place) & 1) << UInt64(2 * place)
            bits |= UInt64(point.y >> UInt32(place) & 1) << UInt64(2 * place + 1)
        }
        bits ^= bits >> 33
        bits = bits &* 0xff51_afd7_ed55_8ccd
        bits ^= bits >> 33
        bits = bits &* 0xc4ce_b9fe_1a85_ec53
        return bits ^ bits >> 33
    }
}
