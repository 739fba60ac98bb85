import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidInput

@Suite struct MemberListTests {
    /// Three places far from each other: of three points, of one, and of five points at one coordinate.
    private static let csv = """
        id,lat,lon,name
        10,-18.1,178.4,a
        9,-18.2,178.5,b
        -3,-18.3,178.6,c
        77,64.1,-21.9,d
        5,40.5,-3.5,e
        4,40.5,-3.5,f
        3,40.5,-3.5,g
        2,40.5,-3.5,h
        1,40.5,-3.5,i

        """

    private func clusters(_ content: ClusterContentOptions) throws -> [Cluster] {
        let pyramid = try BuiltPyramid(
            csv: MemberListTests.csv, clustering: ClusteringOptions(maxZoom: 3), clusters: content,
            input: InputOptions(idColumn: "id"))
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        return try pyramid.clusters(atZoom: 2)
    }

    private func members(of clusters: [Cluster], pointCount: Int) -> PropertyValue? {
        clusters.first { $0.pointCount == pointCount }?.properties["members"]
    }

    @Test func `small clusters list their ids in order, coincident ones the first`() throws {
        let clusters = try clusters(ClusterContentOptions(memberLimit: 3))
        #expect(clusters.count == 2)
        #expect(members(of: clusters, pointCount: 3) == .array([-3, 9, 10]))
        #expect(members(of: clusters, pointCount: 5) == .array([1, 2, 3]))
    }

    @Test func `larger clusters list nothing`() throws {
        let clusters = try clusters(ClusterContentOptions(memberLimit: 2))
        #expect(members(of: clusters, pointCount: 3) == nil)
        #expect(members(of: clusters, pointCount: 5) == .array([1, 2]))
    }

    @Test func `members can be small objects`() throws {
        let clusters = try clusters(ClusterContentOptions(memberLimit: 5, memberProperties: ["name", "id"]))
        guard case .array(let objects)? = members(of: clusters, pointCount: 3) else {
            Issue.record("no members")
            return
        }
        #expect(
            Set(objects) == [
                .object(["name": "a", "id": 10]), .object(["name": "b", "id": 9]), .object(["name": "c", "id": -3]),
            ])
    }

    @Test func `members without ids and columns are a contradiction`() {
        var options = BuildOptions(
            inputPaths: ["a.csv"], outputPath: "out", clusters: ClusterContentOptions(memberLimit: 3))
        #expect(options.problem?.description.contains("id column") == true)
        options.clusters.memberProperties = ["name"]
        #expect(options.problem == nil)
        options.clusters.memberLimit = nil
        #expect(options.problem?.description.contains("members") == true)
    }
}

/// What clusters carry, and a manifest that says something else.
@Suite struct ClusterContentLieTests {
    private static let content = ClusterContentOptions(
        accumulate: [Accumulation(name: "size", operation: .sum)], countBy: [CategoryCount(name: "kind")],
        countLabel: .exact, memberLimit: 4)

    private static let csv = """
        id,lat,lon,size,kind
        1,-18.1,178.4,2.5,cafe
        2,-18.2,178.5,4,cafe
        3,-18.3,178.6,x,bar
        4,-18.3,178.65,0.25,bar
        5,64.1,-21.9,8,cafe
        6,40.5,-3.5,1,cafe
        7,40.6,-3.4,1,bar
        8,40.6,-3.4,1,bar
        9,40.6,-3.4,1,bar
        10,40.6,-3.4,1,bar

        """

    /// What is found in a tileset without findings whose manifest is changed.
    private func kinds(
        _ content: ClusterContentOptions, weightColumn: String? = nil, _ lie: (inout Manifest) -> Void
    ) throws -> Set<Finding.Kind> {
        var clustering = ClusteringOptions(maxZoom: 3)
        clustering.weightColumn = weightColumn
        let pyramid = try BuiltPyramid(
            csv: ClusterContentLieTests.csv, clustering: clustering, clusters: content,
            input: InputOptions(idColumn: "id"))
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        var manifest = try pyramid.directory.manifest()
        lie(&manifest)
        try Data(manifest.encoded()).write(
            to: URL(fileURLWithPath: pyramid.directory.path(ofFile: Manifest.fileName)))
        return Set(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings.map(\.kind))
    }

    @Test(
        arguments: [
            { $0.totals.accumulated = [] }, { $0.totals.accumulated.removeLast() },
            { $0.totals.accumulated.append(nil) }, { $0.totals.accumulated[1] = "3" },
            { $0.totals.accumulated[2] = nil }, { $0.totals.accumulated[3] = "0" },
            { $0.totals.accumulated[0] = "18.750" }, { $0.totals.accumulated[0] = "all" },
            { $0.totals.categories = [] }, { $0.totals.categories.append([:]) }, { $0.totals.weight = nil },
        ] as [@Sendable (inout Manifest) -> Void])
    func `other totals than one for each option are found`(lie: @Sendable (inout Manifest) -> Void) throws {
        let content = ClusterContentOptions(
            accumulate: ["size:sum", "size:mean:mean", "kind:count:kinds", "kind:comma:list"].compactMap {
                Accumulation($0)
            }, countBy: [CategoryCount(name: "kind")])
        #expect(try kinds(content, weightColumn: "size", lie).contains(.damagedManifest))
    }

    @Test func `a sum whose total is missing is found`() throws {
        #expect(try kinds(ClusterContentLieTests.content) { $0.totals.accumulated = [nil] } == [.wrongContent])
    }

    @Test(
        arguments: [
            { $0.totals.accumulated[0] = "12.5" },
            { $0.totals.categories[0]["cafe"] = 1 },
            { $0.totals.categories[0]["bar", default: 0] += 1 },
            { $0.content.clusters.memberLimit = 3 },
            { $0.content.clusters.memberLimit = 5 },
            { $0.content.clusters.countBy[0].name = "id" },
        ] as [@Sendable (inout Manifest) -> Void])
    func `a lie about what clusters carry is found`(lie: @Sendable (inout Manifest) -> Void) throws {
        // TileJSON tells of counted columns too.
        #expect(try kinds(ClusterContentLieTests.content, lie).subtracting([.wrongTileJSON]) == [.wrongContent])
    }
}
