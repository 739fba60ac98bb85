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

    @Test func `only a file that is noted as done, and has its size, is not uploaded again`() throws {
        let entry = try PublishingPlanTests.entry("tiles/3/4/2")
        let listing = TilesetListing(list: FileList([entry]), storage: TileStorage())
        let place = PlacedFile("", entry.address, TileStorage())
        func plan(isSettled: Bool, size: Int?) -> PublishingPlan {
            var state = PublishedState()
            if isSettled { state.settled = [place: entry.file] } else { state.unsettled = [place] }
            return PublishingPlan(from: state, to: listing, sizes: size.map { [place.path: $0] } ?? [:])
        }
        #expect(plan(isSettled: true, size: 7).entries == [])
        #expect(plan(isSettled: true, size: 7).settled == [.init(place: place, file: entry.file)])
        for (isSettled, size) in [(false, 7), (true, 6), (true, nil)] {
            let plan = plan(isSettled: isSettled, size: size)
            #expect(plan.entries == [entry] && plan.settled == [])
        }
    }

    @Test func `only a file of a published list counts as listed`() throws {
        let paths = ["tiles/3/1/2", "tiles/3/4/2", "bundles/3/4/2"]
        var state = PublishedState()
        func isListed(_ path: String, _ suffix: String) throws -> Bool {
            state.lists(PlacedFile(address: try PublishingPlanTests.entry(path).address, suffix: suffix))
        }
        #expect(try !isListed(paths[0], ".mvt"))
        state.tree.known = .init(list: PublishingPlanTests.summary, suffix: ".mvt")
        state.tree.list = FileList(try paths.map(PublishingPlanTests.entry))
        for path in paths { #expect(try isListed(path, ".mvt") && !isListed(path, ".json")) }
        for path in ["tiles/0/0/0", "tiles/3/2/2", "tiles/9/0/0", "bundles/3/1/2"] {
            #expect(try !isListed(path, ".mvt"))
        }
    }
}
