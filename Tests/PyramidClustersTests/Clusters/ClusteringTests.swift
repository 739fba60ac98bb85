import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters
@testable import PyramidInput

@Suite(.tags(.slow)) struct ClusteringTests {
    @Test(arguments: PointScatter.Shape.allCases)
    func `anchors are those of the specification`(shape: PointScatter.Shape) throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<60 {
            let maxZoom = Int.random(in: 1...23, using: &random)
            let distances: [PixelsByZoom?] = [
                40, PixelsByZoom(Int.random(in: 23...256, using: &random)), PixelsByZoom("0-4:60,5-:40"),
                PixelsByZoom("0-2:24,3-9:200,10-10:30,11-:60"),
            ]
            let distance = try #require(distances[Int.random(in: 0..<4, using: &random)])
            let options = ClusteringOptions(
                clusterDistance: distance, minZoom: Int.random(in: 0...min(2, maxZoom - 1), using: &random),
                maxZoom: maxZoom)
            try #require(options.problem == nil)
            expectSpecifiedClusters(shape, count: Int.random(in: 1...70, using: &random), options, &random)
        }
    }

    @Test(arguments: PointScatter.Shape.allCases)
    func `clusters are the same however the work is shared`(shape: PointScatter.Shape) throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<3 {
            let distances = try #require(PixelsByZoom(["40", "0-3:150,4-9:24,10-:90"][random.next(below: 2)]))
            let options = ClusteringOptions(
                clusterDistance: distances, maxZoom: Int.random(in: 3...20, using: &random))
            try #require(options.problem == nil)
            let scattered = PointScatter.points(shape, count: 3000, random: &random)
            let (quadtree, _) = LinearQuadtree.sorting(
                count: scattered.count, worldPoint: { scattered[$0] }, precedes: { $0 < $1 })
            let precedence = PointPrecedence(
                priorities: (0..<quadtree.count).map { _ in UInt32(random.next(below: 3)) },
                weights: (0..<quadtree.count).map { _ in UInt32(random.next(below: 4)) })
            let whole = SharedWork(jobs: 1, chunkSize: quadtree.count)
            let expected = try #require(
                ClusteringRules(options).hierarchy(of: quadtree, precedence: precedence, work: whole))
            for chunkSize in [7, 101, 1024] {
                let found = try #require(
                    ClusteringRules(options).hierarchy(
                        of: quadtree, precedence: precedence, work: SharedWork(jobs: 4, chunkSize: chunkSize)))
                #expect(found.firstPoint == expected.firstPoint)
                #expect(found.anchorPoint == expected.anchorPoint)
                #expect(found.joinZoom == expected.joinZoom)
                #expect(found.parent == expected.parent)
            }
        }
    }

    private func expectSpecifiedClusters(
        _ shape: PointScatter.Shape, count: Int, _ options: ClusteringOptions, _ random: inout SeededRandom
    ) {
        let scattered = PointScatter.points(shape, count: count, random: &random)
        let (quadtree, _) = LinearQuadtree.sorting(
            count: scattered.count, worldPoint: { scattered[$0] }, precedes: { $0 < $1 })
        let points = (0..<quadtree.count).map { quadtree.point(at: $0) }
        // Few different values, so that many are equal; every second time none.
        var (priorities, weights): ([Int], [Int]) = ([], [])
        if Bool.random(using: &random) { priorities = points.map { _ in random.next(below: 3) } }
        if Bool.random(using: &random) { weights = points.map { _ in random.next(below: 4) } }
        let precedence = PointPrecedence(priorities: priorities.map { UInt32($0) }, weights: weights.map { UInt32($0) })
        let expected = BruteForceClustering(
            points: points, options: options, priorities: priorities, weights: weights
        ).groupsByZoom()
        // Of many parts, whose borders are anywhere.
        let work = SharedWork(jobs: 3, chunkSize: Int.random(in: 1...100, using: &random))
        let found = groupsByZoom(quadtree, options, precedence, work)
        for zoom in options.clusteredZooms {
            #expect(found[zoom] == expected[zoom], "zoom \(zoom) of \(options) with \(points)")
        }
    }

    /// What the library says: its hierarchy's markers and their members.
    private func groupsByZoom(
        _ quadtree: LinearQuadtree, _ options: ClusteringOptions, _ precedence: PointPrecedence, _ work: SharedWork
    ) -> [Int: Set<BruteForceClustering.Group>] {
        guard let hierarchy = ClusteringRules(options).hierarchy(of: quadtree, precedence: precedence, work: work)
        else {
            return [:]
        }
        let clusters = ClusterPyramid(
            of: hierarchy, in: quadtree, rules: ClusteringRules(options), hasMembers: true,
            coordinates: PointCoordinates(of: quadtree))
        var descent = ClusterDescent(
            of: clusters, hierarchy, in: quadtree, rules: ClusteringRules(options), hasRoots: true)
        var byZoom: [Int: Set<BruteForceClustering.Group>] = [:]
        for zoom in options.clusteredZooms {
            descent.descend()
            var members: [Int: Set<Int>] = [:]
            for candidate in 0..<hierarchy.candidateCount {
                members[descent.root(of: candidate), default: []].formUnion(hierarchy.points(of: candidate))
            }
            #expect(Set(members.keys) == Set(descent.anchors.map { Int($0) }))
            for (root, members) in members {
                let entry = descent.cluster(of: root).map { clusters.table.entries[$0] }
                #expect(descent.pointCount(of: root) == members.count && (entry != nil) == (members.count > 1))
                var listed: [Int] = []
                if let entry { clusters.members?.forEachPoint(of: entry) { listed.append($0) } }
                #expect(entry == nil || listed.sorted() == members.sorted())
                byZoom[zoom, default: []].insert(
                    .init(
                        anchor: Int(hierarchy.anchorPoint[root]), members: members,
                        expansionZoom: entry.map { Int($0.expansionZoom) } ?? options.clusterMaxZoom + 1))
            }
        }
        return byZoom
    }
}
