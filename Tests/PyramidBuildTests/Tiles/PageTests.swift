import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidBuild
@testable import PyramidStore
@testable import PyramidVerification

@Suite struct PageTests {
    /// Points in lumps far from each other, by the lump's name: 250 at one coordinate, 101 around another, 7, and 1.
    private static func points() -> [(lump: String, row: String)] {
        var random = SeededRandom(seed: 5)
        var points: [(String, String)] = []
        for (lump, longitude, latitude, count) in [
            ("same", 24.9, 60.1, 250), ("wide", -70.6, -33.4, 101), ("few", 179.99, -17.5, 7), ("lone", 11.5, 48.1, 1),
        ] {
            for number in 0..<count {
                let (east, north) = lump == "same" ? (0, 0) : (random.next(below: 900), random.next(below: 500))
                let x = longitude + Double(east) / 1e4
                let place = "\(x > 180 ? x - 360 : x),\(latitude + Double(north) / 1e4)"
                points.append((lump, "\(lump)\(number),\(place),\(lump)\n"))
            }
        }
        return points.shuffled(using: &random)
    }

    private static func csv(_ points: [(lump: String, row: String)]) -> String {
        "id,lon,lat,lump\n" + points.map(\.row).joined()
    }

    private static func content(limit: Int?) -> ClusterContentOptions {
        var content = ClusterContentOptions(memberLimit: limit)
        content.hasLeaves = true
        return content
    }

    private func pyramid(limit: Int?, method: ClusteringOptions.Method = .anchors) throws -> BuiltPyramid {
        try BuiltPyramid(
            csv: PageTests.csv(PageTests.points()), clustering: ClusteringOptions(method: method, maxZoom: 3),
            clusters: PageTests.content(limit: limit), input: InputOptions(idColumn: "id"))
    }

    @Test(arguments: [(Int?.none, ["few", "same", "wide"]), (7, ["same", "wide"]), (6, ["few", "same", "wide"])])
    func `large clusters of the last clustered zoom have their points on pages`(
        limit: Int?, expected: [String]
    ) throws {
        let pyramid = try pyramid(limit: limit)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
        let lumps = Dictionary(grouping: PageTests.points(), by: \.lump)
        var found: [String] = []
        for cluster in try pyramid.clusters(atZoom: 2) {
            guard case .number(let count)? = cluster.properties["leaf_pages"] else { continue }
            let pages = try (0..<Int(count)).map {
                try #require(try pyramid.directory.points(of: PointPage(clusterID: Int(cluster.id), page: $0)))
            }
            #expect(pages.dropLast().allSatisfy { $0.count == 100 })
            let points = pages.joined()
            let lump = try #require(lumps.keys.first { points.first?.properties["lump"] == .string($0) })
            let ids = try #require(lumps[lump]).map { PropertyValue.string(String($0.row.prefix { $0 != "," })) }
            #expect(points.count == cluster.pointCount && points.count == ids.count)
            #expect(Set(points.map(\.id)) == Set(ids))
            found.append(lump)
        }
        #expect(found.sorted() == expected)
    }

    @Test func `pages have points in the order of their places`() throws {
        var random = SeededRandom(seed: 12)
        // Far enough from each other for clusters that several places have joined one by one.
        let rows = (0..<300).map { "\($0),\(random.next(below: 300_000))e-4,\(random.next(below: 200_000))e-4\n" }
        let pyramid = try BuiltPyramid(
            csv: "id,lon,lat\n" + rows.joined(), clustering: ClusteringOptions(maxZoom: 3),
            clusters: PageTests.content(limit: nil), input: InputOptions(idColumn: "id"))
        let pages = try pyramid.directory.pageEntries().map {
            ($0.address.clusterID, try #require(try pyramid.directory.points(of: $0.address)))
        }
        let clusters = Dictionary(grouping: pages) { $0.0 }.mapValues { $0.flatMap(\.1) }
        #expect(clusters.values.contains { $0.count > 100 })
        for points in clusters.values {
            let codes = points.map { MortonCode(WebMercator.project($0.coordinate)) }
            #expect(codes == codes.sorted())
        }
    }

    @Test func `only the last clustered zoom has pages`() throws {
        let pyramid = try pyramid(limit: nil)
        for zoom in [0, 1] {
            let clusters = try pyramid.clusters(atZoom: zoom)
            #expect(!clusters.isEmpty && clusters.allSatisfy { $0.properties["leaf_pages"] == nil })
        }
        let pages = try pyramid.directory.pageEntries()
        #expect(pages.map(\.address.page).sorted() == [0, 0, 0, 1, 1, 2])
    }

    @Test func `pages that are no more are removed, and nothing else is`() throws {
        let pyramid = try pyramid(limit: nil)
        let few = PageTests.points().filter { $0.lump != "wide" && !$0.row.contains("same2") }
        let stranger = pyramid.path + "/leaves/notes.txt"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: stranger))
        let file = try pyramid.folder.file("few.csv", PageTests.csv(few))
        var options = BuildOptions(
            inputPaths: [file], outputPath: pyramid.path, input: InputOptions(idColumn: "id"),
            clustering: ClusteringOptions(maxZoom: 3), clusters: PageTests.content(limit: nil))
        let report = try PyramidBuilder(options: options).build()
        let changes = try #require(report.pageChanges)
        #expect(changes.written == 1 && changes.unchanged == 2 && changes.removed == 3)
        let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
        #expect(findings.map(\.file) == ["leaves/notes.txt"])

        options.clusters = ClusterContentOptions()
        let bare = try PyramidBuilder(options: options).build()
        #expect(bare.pageChanges?.removed == 3)
        #expect(try pyramid.directory.pageEntries().isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: pyramid.path + "/leaves") == ["notes.txt"])
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
    }

    /// What is found in a pyramid whose pages are changed together with all that is said of them.
    private func findings(_ edit: (inout [PointPage: String]) throws -> Void) throws -> Set<Finding.Kind> {
        try lie(edit).found
    }

    /// A pyramid whose pages are changed together with all that is said of them: what is found without and with the input.
    private func lie(
        _ edit: (inout [PointPage: String]) throws -> Void
    ) throws -> (found: Set<Finding.Kind>, ofInput: Set<InputVerificationReport.Difference.Kind>) {
        let temporary = try TemporaryFolder()
        let folder = temporary.path("out")
        let file = try temporary.file("points.csv", PageTests.csv(PageTests.points()))
        var options = BuildOptions(
            inputPaths: [file], outputPath: folder, input: InputOptions(idColumn: "id"),
            clustering: ClusteringOptions(maxZoom: 3), clusters: PageTests.content(limit: 7))
        options.storage.compression = .none
        _ = try PyramidBuilder(options: options).build()

        let directory = DirectoryTileset(path: folder)
        let before = try directory.pageEntries().map(\.address)
        func path(_ page: PointPage) -> String {
            directory.path(ofFile: directory.storage.relativePath(of: .page(page)))
        }
        var pages: [PointPage: String] = [:]
        for page in before { pages[page] = try String(contentsOfFile: path(page), encoding: .utf8) }
        try edit(&pages)
        for page in before { try FileManager.default.removeItem(atPath: path(page)) }
        let entries = try pages.map { page, text in
            try FileManager.default.createDirectory(
                atPath: folder + "/leaves/\(page.clusterID)", withIntermediateDirectories: true)
            let bytes = Array(text.utf8)
            try Data(bytes).write(to: URL(fileURLWithPath: path(page)))
            let crc = bytes.withUnsafeBytes { Gzip.crc32($0) }
            return FileList.Entry(
                address: .page(page),
                file: StoredFile(byteCount: bytes.count, crc32: crc, bodyByteCount: bytes.count, bodyCRC32: crc))
        }
        let tiles = try directory.fileList()[.tile]
        let list = FileList(tiles + entries).encoded()
        try Data(list).write(to: URL(fileURLWithPath: directory.path(ofFile: FileList.fileName)))
        var manifest = try directory.manifest()
        manifest.files[FileList.fileName] = Manifest.FileSummary(of: list)
        try Data(try manifest.encoded()).write(to: URL(fileURLWithPath: directory.path(ofFile: Manifest.fileName)))
        let found = try PyramidVerifier(tileset: directory).checkedReport().findings.map(\.kind)
        let ofInput = try InputVerifier(tileset: directory, inputPaths: [file]).verify().differences.map(\.kind)
        return (Set(found), Set(ofInput))
    }

    private func page(_ number: Int, of pages: [PointPage: String], with text: String) throws -> PointPage {
        let pages = pages.filter { $0.key.page == number && $0.value.contains(text) }.keys
        return try #require(pages.first)
    }

    @Test func `pages as they were are sound`() throws {
        let (found, ofInput) = try lie { _ in }
        #expect(found == [] && ofInput == [])
    }

    @Test func `a page that is missing and one that is too many are found`() throws {
        #expect(try findings { $0[try page(1, of: $0, with: "\"wide")] = nil } == [.damagedFileList])
        #expect(
            try findings { pages in
                let first = try page(0, of: pages, with: "\"wide")
                pages[PointPage(clusterID: first.clusterID, page: 2)] = pages[first]
            } == [.damagedFileList])
        let foreign = try lie { pages in
            pages[PointPage(clusterID: 77, page: 0)] = pages[try page(0, of: pages, with: "\"wide")]
        }
        #expect(foreign.found == [] && foreign.ofInput == [.extraTile])
    }

    @Test func `a point that is on another page or none is found against the input`() throws {
        // 100 and 1 points: the second page's goes to the first.
        let moved = try lie { pages in
            let (first, last) = (try page(0, of: pages, with: "\"wide"), try page(1, of: pages, with: "\"wide"))
            pages[first] = pages[last]
        }
        #expect(moved.found == [] && moved.ofInput == [.wrongTile])
        // Another point of the same place.
        let renamed = try lie { pages in
            let last = try page(2, of: pages, with: "\"same")
            let text = try #require(pages[last])

            pages[last] = text.replacingOccurrences(of: "\"id\":\"same", with: "\"id\":\"none")
        }
        #expect(renamed.found == [] && renamed.ofInput == [.wrongTile])
    }

    @Test func `pages of points without ids are sound, even if points are the same`() throws {
        let pyramid = try BuiltPyramid(
            csv: PageTests.csv(PageTests.points()), clustering: ClusteringOptions(maxZoom: 3),
            clusters: PageTests.content(limit: nil))
        #expect(try pyramid.directory.pageEntries().count > 3)
        #expect(try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings == [])
    }

    @Test func `a damaged page is the only finding, even if other pages have its points`() throws {
        var clustering = ClusteringOptions(maxZoom: 3, clusterMaxZoom: 2)
        clustering.coincidentLimit = 20
        // All are a cluster, and most stay together at the last zoom.
        let rows = (0..<55).map { "p\($0),\($0 < 50 ? "24.9" : "25.\($0)"),60.1\n" }
        let pyramid = try BuiltPyramid(
            csv: "id,lon,lat\n" + rows.joined(), clustering: clustering, clusters: PageTests.content(limit: nil),
            input: InputOptions(idColumn: "id"), choosesClusterMaxZoom: false)
        let paths = try pyramid.directory.pageEntries().map {
            pyramid.directory.storage.relativePath(of: .page($0.address))
        }
        #expect(paths.count == 2)
        for path in paths {
            let url = URL(fileURLWithPath: pyramid.directory.path(ofFile: path))
            let bytes = try Data(contentsOf: url)
            try bytes.dropLast().write(to: url)
            let findings = try PyramidVerifier(tileset: pyramid.directory).checkedReport().findings
            #expect(findings.map(\.file) == [path])
            try bytes.write(to: url)
        }
    }

    private static let variants: [ClusteringOptions] = [
        ClusteringOptions(clusterDistance: 90, maxZoom: 5), ClusteringOptions(method: .grid, maxZoom: 4),
        ClusteringOptions(position: .centroid, minPoints: 3, maxZoom: 6, clusterMaxZoom: 3),
        {
            var options = ClusteringOptions(maxZoom: 7, clusterMaxZoom: 4)
            options.coincidentLimit = 2
            return options
        }(),
    ]

    @Test(arguments: PointScatter.Shape.allCases, variants)
    func `pages have the points that clusters list otherwise`(
        shape: PointScatter.Shape, options: ClusteringOptions
    ) throws {
        var random = SeededRandom(seed: 77)
        let csv = PointRows(PointScatter.points(shape, count: 240, random: &random)).csv
        let listing = try BuiltPyramid(
            csv: csv, clustering: options,
            clusters: ClusterContentOptions(memberLimit: 10_000, memberProperties: ["name"]))
        let paged = try BuiltPyramid(csv: csv, clustering: options, clusters: PageTests.content(limit: nil))
        var expected: [Int: Set<PropertyValue>] = [:]
        for zoom in max(options.minZoom, options.clusterMaxZoom)...options.maxZoom {
            for cluster in try listing.clusters(atZoom: zoom) {
                guard case .array(let members)? = cluster.properties["members"] else { continue }
                expected[Int(cluster.id)] = Set(members)
            }
        }
        var found: [Int: [PropertyValue]] = [:]
        for entry in try paged.directory.pageEntries() {
            let points = try #require(try paged.directory.points(of: entry.address))
            found[entry.address.clusterID, default: []] += points.map { point in
                .object(["name": point.properties["name"] ?? .null])
            }
        }
        #expect(found.mapValues { Set($0) } == expected)
        #expect(found.allSatisfy { $1.count == expected[$0]?.count })
    }

    @Test func `a page that lost its points is found`() throws {
        #expect(
            try findings { pages in
                let last = try page(1, of: pages, with: "\"wide")
                pages[last] = #"{"type":"FeatureCollection","features":[]}"#
            } == [.wrongContent])
    }
}
