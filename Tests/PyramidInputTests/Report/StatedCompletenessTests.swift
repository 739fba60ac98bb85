import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Collections of which the server says that there is more.
struct StatedCompletenessTests {
    private func warnings(_ texts: [String]) throws -> [String] {
        let inputs = texts.enumerated().map { InputBytes(Array($0.element.utf8), name: "\($0.offset).json") }
        return try PointTable(reading: inputs, options: InputOptions()).report.warnings.map(\.description)
    }

    private static let features = GeoJSONCases.collection(GeoJSONText.feature())
    private static func collection(_ members: String, isFirst: Bool = false) -> String {
        isFirst ? "{\(members),\(features.dropFirst())" : "\(features.dropLast()),\(members)}"
    }

    private static let cure = "; download the rest too, page by page, and name all files"

    @Test(arguments: [
        (#""exceededTransferLimit":true"#, #""exceededTransferLimit": true"#),
        (#""properties":{"a":1,"exceededTransferLimit":true}"#, #""exceededTransferLimit": true"#),
        (#""next":"https://example.org/?page=2""#, #""next": "https://example.org/?page=2""#),
        (#""links":[{"rel":"self","href":"a"},{"href":"b","rel":"next"}]"#, "a link to the next page"),
    ])
    func `a collection that is not complete gives one warning`(members: String, sign: String) throws {
        for isFirst in [true, false] {
            let text = StatedCompletenessTests.collection(members, isFirst: isFirst)
            #expect(
                try warnings([text]) == [
                    "0.json says that not all features are in it (\(sign))\(StatedCompletenessTests.cure)"
                ])
        }
    }

    @Test(arguments: [
        #""exceededTransferLimit":false"#, #""exceededTransferLimit":"true""#, #""properties":{"next":"a/b"}"#,
        #""properties":null"#,
        #""next":null"#, #""next":"""#, #""links":[{"rel":"prev"},7]"#, #""links":{"next":null}"#,
        #""links":"next""#,
    ])
    func `a collection that is complete, or doesn't say, gives none`(members: String) throws {
        #expect(try warnings([StatedCompletenessTests.collection(members)]) == [])
    }

    @Test func `the same members of a feature mean nothing`() throws {
        let properties = #","properties":{"exceededTransferLimit":true,"next":"a/b"},"exceededTransferLimit":true"#
        #expect(try warnings([GeoJSONText.feature("[1,2]", properties)]) == [])
    }

    @Test func `of several inputs, one warning says how many are not complete`() throws {
        let (whole, partial) = (
            StatedCompletenessTests.features, StatedCompletenessTests.collection(#""links":[{"rel":"next"}]"#)
        )
        #expect(
            try warnings([whole, partial]) == [
                "1.json says that not all features are in it (a link to the next page)\(StatedCompletenessTests.cure)"
            ])
        #expect(
            try warnings([partial, whole, partial]) == [
                "0.json and 1 other file say that not all features are in it (a link to the next page)"
                    + StatedCompletenessTests.cure
            ])
        // All pages in one file: the last one has no next.
        #expect(try warnings([partial + "\n" + whole]) == [])
    }
}
