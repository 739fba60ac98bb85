import PyramidTiles
import Testing

@testable import PyramidPublishing
@testable import PyramidStore

struct PublishingPlanTests {
    private static let summary = Manifest.FileSummary(bytes: 1, crc32: "00000001")

    private static func entry(_ path: String) throws -> FileList.Entry {
        FileList.Entry(
            address: try #require(FileAddress(path)), byteCount: 7, crc32: 1, bodyByteCount: 9, bodyCRC32: 2)
    }

    @Test func `a preview page comes before the TileJSON`() {
        let names = ["files.tsv", "index.html", "tilejson.json", "manifest.json"]
        let listing = TilesetListing(
            storage: TileStorage(),
            files: Dictionary(uniqueKeysWithValues: names.map { ($0, PublishingPlanTests.summary) }))
        #expect(PublishingPlan(from: PublishedState(), to: listing).files == names)
    }

    @Test func `a file that an overtaken publish may yet write is uploaded again`() throws {
        let entry = try PublishingPlanTests.entry("tiles/3/4/2")
        let listing = TilesetListing(list: FileList([entry]), storage: TileStorage())
        let item = PublishingJournal.Item(place: PlacedFile(entry.address, TileStorage()), file: entry.file)
        func plan(isSettled: Bool, isDoubtful: Bool = false) -> PublishingPlan {
            var state = PublishedState()
            state.records = [.init(item: item, isSettled: isSettled)]
            if isDoubtful { state.doubtful = [item.place] }
            return PublishingPlan(from: state, to: listing)
        }
        #expect(plan(isSettled: true).entries == [] && plan(isSettled: true).settled == [item])
        #expect(plan(isSettled: false).entries == [entry])
        let doubtful = plan(isSettled: true, isDoubtful: true)
        #expect(doubtful.entries == [entry] && doubtful.settled == [])
    }

    @Test func `only a file of a published list counts as listed`() throws {
        let paths = ["tiles/3/1/2", "tiles/3/4/2", "leaves/7/0"]
        var state = PublishedState()
        func isListed(_ path: String, _ suffix: String) throws -> Bool {
            state.lists(PlacedFile(address: try PublishingPlanTests.entry(path).address, suffix: suffix))
        }
        #expect(try !isListed(paths[0], ".mvt"))
        state.list = .init(
            list: .init(list: PublishingPlanTests.summary, suffix: ".mvt", pageSuffix: ".json"),
            entries: FileList(try paths.map(PublishingPlanTests.entry)).entries)
        for (path, suffix) in zip(paths, [".mvt", ".mvt", ".json"]) { #expect(try isListed(path, suffix)) }
        for path in ["tiles/0/0/0", "tiles/3/2/2", "tiles/9/0/0"] { #expect(try !isListed(path, ".mvt")) }
        #expect(try !isListed(paths[0], ".json") && !isListed(paths[2], ".mvt") && !isListed("leaves/7/1", ".json"))
    }

    @Test(arguments: [(0, 13), (2, 13), (4, 11), (10, 5), (17, 3), (20, 0)])
    func `done items are counted from any index`(first: Int, count: Int) {
        #expect(IndexRanges(RangeSet([2..<10, 15..<20])).count(from: first) == count)
    }
}
