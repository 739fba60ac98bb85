import PyramidTiles
import Testing

@testable import PyramidBuild

struct ClusteringOptionsTests {
    private static func byZoom(_ text: String) -> PixelsByZoom { PixelsByZoom(text) ?? -1 }

    @Test func `the defaults have no problem`() {
        #expect(ClusteringOptions().problem == nil)
        #expect(ClusteringOptions().clusterMaxZoom == 13)
    }

    @Test(
        arguments: [
            (ClusteringOptions(clusterDistance: 1, clusterMaxZoom: 5), nil),
            (ClusteringOptions(clusterDistance: 256), nil),
            (ClusteringOptions(clusterDistance: 0), "cluster distance is 0,"),
            (ClusteringOptions(clusterDistance: 257), "cluster distance is 257,"),
            (ClusteringOptions(clusterDistance: -40), "cluster distance is -40,"),
            (ClusteringOptions(minPoints: 1), "min points is 1,"),
            (ClusteringOptions(minPoints: 1 << 32), "min points is 4294967296, expected at most"),
            (ClusteringOptions(minPoints: 1_000), nil),
            (ClusteringOptions(maxZoom: 23), nil), (ClusteringOptions(maxZoom: 24), "max zoom is 24,"),
            (ClusteringOptions(maxZoom: -1), "max zoom is -1,"), (ClusteringOptions(maxZoom: 0), nil),
            (ClusteringOptions(minZoom: 14), nil), (ClusteringOptions(minZoom: 15), "min zoom is 15,"),
            (ClusteringOptions(minZoom: -1), "min zoom is -1,"),
            (ClusteringOptions(clusterMaxZoom: -1), nil),
            (ClusteringOptions(clusterMaxZoom: -2), "cluster max zoom is -2,"),
            (ClusteringOptions(clusterMaxZoom: 14), "cluster max zoom is 14, expected -1 to 13"),
            (ClusteringOptions(clusterDistance: 22, maxZoom: 23), "cluster distance is 22 at zoom 22,"),
            (ClusteringOptions(clusterDistance: 23, maxZoom: 23), nil),
            (ClusteringOptions(clusterDistance: byZoom("0-3:60,4-:300")), "cluster distance is 300,"),
            (ClusteringOptions(clusterDistance: byZoom("0-3:4,4-:256")), nil),
        ] as [(ClusteringOptions, String?)])
    func `what is wrong is said, and nothing else is wrong`(options: ClusteringOptions, problem: String?) {
        if let problem {
            #expect(
                options.problem?.description.hasPrefix(problem) == true,
                "\(options.problem?.description ?? "no problem")")
        } else {
            #expect(options.problem == nil)
        }
    }

    @Test(arguments: ClusteringOptions.distances)
    func `a cell is the smallest that is as wide as the cluster distance`(distance: Int) {
        let options = ClusteringOptions(clusterDistance: PixelsByZoom(distance))
        // floor(log2(256 / D)), by trying: 256 halved as often as it stays at D or above.
        var depth = 0
        while 256 >= distance << (depth + 1) { depth += 1 }
        #expect(options.cellDepth(atZoom: 5) == 5 + depth)
    }

    @Test(arguments: ClusteringOptions.distances)
    func `a micro-cell is the largest that is a quarter of the cluster distance wide at most`(distance: Int) {
        let options = ClusteringOptions(clusterDistance: PixelsByZoom(distance))
        // ceil(log2(1024 / D)), by trying: the first depth with 256 / 2^depth <= D / 4.
        var depth = 0
        while distance << depth < 1_024 { depth += 1 }
        #expect(options.candidateDepth == options.clusterMaxZoom + depth)
        #expect(options.candidateDepth >= options.cellDepth(atZoom: options.clusterMaxZoom) + 2)
    }

    /// The last zoom level that may have clusters, as the user would find it.
    private static func highestZoom(_ options: ClusteringOptions) -> Int? {
        (-1...22).last { zoom in
            var deeper = options
            deeper.maxZoom = 23
            deeper.clusterMaxZoom = zoom
            return deeper.problem == nil
        }
    }

    @Test(arguments: ClusteringOptions.distances)
    func `two anchors never share an id at the deepest zoom with clusters, and could one below`(distance: Int) throws {
        let options = ClusteringOptions(clusterDistance: PixelsByZoom(distance))
        let deepest = try #require(ClusteringOptionsTests.highestZoom(options))
        // Places with one id lie in one square of 2⁶ units, so 63 units apart along either axis at most.
        let furthest: UInt64 = 2 * 63 * 63
        let units = options.distanceUnits(atZoom: deepest)
        #expect(units * units > furthest)
        if deepest < 22 {
            let closer = options.distanceUnits(atZoom: deepest + 1)
            #expect(closer * closer <= furthest)
        }
        // The micro-cells are no deeper than a Morton code.
        var deeper = options
        deeper.clusterMaxZoom = deepest
        #expect(deeper.candidateDepth <= 32)
    }

    @Test func `the cluster distance halves from zoom to zoom`() {
        for distance in ClusteringOptions.distances {
            let options = ClusteringOptions(clusterDistance: PixelsByZoom(distance))
            for zoom in 0...24 {
                // A 256-pixel tile is 2^(32 - z) units wide.
                #expect(options.distanceUnits(atZoom: zoom) == UInt64(distance) * (1 << UInt64(32 - zoom)) / 256)
            }
        }
    }

    @Test(arguments: [
        (0, 14, 13, Array((0...13).reversed())), (5, 14, 8, [8, 7, 6, 5]), (8, 14, 8, [8]), (9, 14, 8, []),
        (0, 14, -1, []), (0, 0, -1, []), (14, 14, 13, []),
    ])
    func `points are clustered from the last zoom to the first`(
        minZoom: Int, maxZoom: Int, clusterMaxZoom: Int, zooms: [Int]
    ) {
        let options = ClusteringOptions(minZoom: minZoom, maxZoom: maxZoom, clusterMaxZoom: clusterMaxZoom)
        #expect(Array(options.clusteredZooms) == zooms)
    }

    @Test func `a distance is promised where points are clustered`() {
        let anchors = ClusteringOptions(clusterDistance: 40, clusterMaxZoom: 9)
        #expect(anchors.promisedDistanceUnits(atZoom: 9) == 40 << 15)
        #expect(anchors.promisedDistanceUnits(atZoom: 10) == nil)
    }

    @Test func `the promise covers points unless small clusters are left as points`() {
        #expect(ClusteringOptions(minPoints: 2).promiseCoversPoints)
        #expect(!ClusteringOptions(minPoints: 3).promiseCoversPoints)
    }
}
