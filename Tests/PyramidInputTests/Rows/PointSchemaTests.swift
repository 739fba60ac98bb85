import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct PointSchemaTests {
    private static func schema(_ values: [String]) throws -> PointSchema {
        let folder = try TemporaryFolder()
        let rows = values.map { GeoJSONText.feature("[5,10]", #","properties":{"n":\#($0)}"#) }
        return try PointSchema(reading: [try folder.file("rows", rows.joined(separator: "\n"))])
    }

    /// Years, days, seconds, milliseconds and other values, so that each pair occurs.
    private static let values = [
        "2024", "1999.0", "20240229", "20240230", "17", "-1e5", "99999999999", "1e11", "-100000000000", "2.5", "null",
        #""2024""#, "true", "[2024]",
    ]

    @Test func `the schema of all rows is that of the schemas of some`() throws {
        let single = try PointSchemaTests.values.map { try PointSchemaTests.schema([$0]) }
        for (one, first) in zip(single, PointSchemaTests.values) {
            for (other, second) in zip(single, PointSchemaTests.values) {
                let both = try PointSchemaTests.schema([first, second])
                #expect(PointSchema(columns: one.columns + other.columns) == both, "\(first), \(second)")
            }
        }
        let all = try PointSchemaTests.schema(PointSchemaTests.values)
        #expect(PointSchema(columns: single.flatMap(\.columns)) == all)
        #expect(all.columns.map(\.dates) == [.milliseconds])
    }

    @Test(arguments: values)
    func `a schema is read as it was written`(value: String) throws {
        let schema = try PointSchemaTests.schema([value])
        #expect(try JSONDecoder().decode(PointSchema.self, from: JSONEncoder().encode(schema)) == schema)
        #expect((schema.columns.first?.dates != nil) == (schema.columns.first?.types == [.number]))
    }

    @Test func `numbers of a schema that doesn't say which dates they are may be any`() throws {
        let json = Data(#"{"columns":[{"name":"n","types":["number"]}],"version":1}"#.utf8)
        let schema = try JSONDecoder().decode(PointSchema.self, from: json)
        #expect(schema.columns == [.init(name: "n", types: [.number])])
        for value in PointSchemaTests.values.prefix(10) {
            let combined = PointSchema(columns: schema.columns + (try PointSchemaTests.schema([value])).columns)
            #expect(combined.columns.map(\.dates) == [.milliseconds])
        }
    }
}
