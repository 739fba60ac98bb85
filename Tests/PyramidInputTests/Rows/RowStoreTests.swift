import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Readers hand their rows over while they read, so that memory follows the limit and not the input.
struct RowStoreTests {
    private final class TakenRows: RowStore {
        let rowLimit = 100
        private(set) var counts: [Int] = []

        func take(_ rows: consuming AcceptedRows) throws(InputError) { counts.append(rows.count) }
    }

    private static let chunkBytes = 256
    private static let rowCount = 5000

    private func check(_ reader: some PointReader, jobs: Int) throws {
        var reader = reader
        let taken = TakenRows()
        try reader.read(InputCutting(jobs: jobs, chunkBytes: RowStoreTests.chunkBytes), store: taken) { _ in }
        let counts = taken.counts + [reader.rows.accepted.count]
        #expect(counts.reduce(0, +) == RowStoreTests.rowCount)
        #expect(counts.count > RowStoreTests.rowCount / 200)
        // No row has fewer than eight bytes.
        #expect(counts.allSatisfy { $0 <= taken.rowLimit + 2 * RowStoreTests.chunkBytes / 8 }, "\(counts.max() ?? 0)")
    }

    @Test(arguments: [1, 4])
    func `CSV`(jobs: Int) throws {
        let rows = (0..<RowStoreTests.rowCount).map { "\($0 % 80).5,\($0 % 170).5\n" }
        let input = InputBytes(Array(("lat,lon\n" + rows.joined()).utf8), name: "t")
        try check(try CSVPointReader(input, options: InputOptions(), isOnlyInput: true), jobs: jobs)
    }

    @Test(arguments: [1, 4])
    func `features, one by one and in a collection`(jobs: Int) throws {
        let features = (0..<RowStoreTests.rowCount).map { GeoJSONText.feature("[\($0 % 170).5,\($0 % 80).5]") }
        for text in [
            features.joined(separator: "\n"),
            #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n") + "]}",
        ] {
            let input = InputBytes(Array(text.utf8), name: "t")
            try check(GeoJSONPointReader(input, options: InputOptions()), jobs: jobs)
        }
    }
}
