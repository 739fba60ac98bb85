import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClusters
@testable import PyramidInput

struct PointTableTests {
    @Test func `a feature has the row's values, empty cells left out`() throws {
        let table = try CSVReading.table(
            "name,lat,lon,code,size,empty\n\"a \"\"b\"\", c\",51.25,-3.5,007,12,\n\"x\ny\",7,8,12,,\n,1,2,,-3.5,\n")
        #expect(
            CSVReading.features(table) == [
                #""geometry":{"type":"Point","coordinates":[-3.5,51.25]},"properties":"#
                    + #"{"name":"a \"b\", c","code":"007","size":12}"#,
                #""geometry":{"type":"Point","coordinates":[8,7]},"properties":{"name":"x\ny","code":"12"}"#,
                #""geometry":{"type":"Point","coordinates":[2,1]},"properties":{"size":-3.5}"#,
            ])
        #expect(table.fields == ["name": "String", "code": "String", "size": "Number", "empty": "String"])
    }

    @Test func `ids are numbers where all of them are`() throws {
        let options = InputOptions(idColumn: "id")
        let numbers = try CSVReading.table("id,lat,lon\n12,1,2\n\"-7\",3,4", options)
        #expect(CSVReading.features(numbers).map { $0.prefix(9) } == [#""id":12,""#, #""id":-7,""#])
        let texts = try CSVReading.table("id,lat,lon\n12,1,2\n07,3,4\n\"a\"\"b\",5,6", options)
        #expect(
            CSVReading.features(texts).map { $0.split(separator: ",").first } == [
                #""id":"12""#, #""id":"07""#, #""id":"a\"b""#,
            ])
    }

    @Test func `numbers rank from 1 on by their size, and what is none has rank 0`() throws {
        let table = try CSVReading.table("lat,lon,n\n1,2,10\n1,2,9.0\n1,2,\n1,2,-3e-1\n1,2,x\n1,2,9\n")
        let column = NumberColumn(try table.column(named: "n", option: .priority), of: table)
        #expect(column.ranks == [3, 2, 0, 1, 0, 2])
        #expect(column.otherCount == 1)
    }

    @Test func `only accepted rows decide whether a column is numbers`() throws {
        let table = try CSVReading.table("lat,lon,v\n1,2,5\n91,2,x\n3,4,6.5")
        #expect(CSVReading.properties(table) == [#"{"v":5}"#, #"{"v":6.5}"#])
    }

    @Test func `reordering moves places and records together`() throws {
        var table = try CSVReading.table("lat,lon,n\n1,-2,a\n3,-4,b\n5,-6,c")
        table.reorder(by: [2, 0, 1])
        #expect(table.coordinate(0).longitudeMicrodegrees == -6_000_000)
        #expect(table.latitudes == [5_000_000, 1_000_000, 3_000_000])
        #expect(CSVReading.properties(table) == [#"{"n":"c"}"#, #"{"n":"a"}"#, #"{"n":"b"}"#])
    }

    @Test func `a table is sorted in the same way by any number of jobs`() throws {
        var random = SeededRandom(seed: 8)
        let rows = (0..<40_000).map { row in
            "\(random.next(below: 17_000))e-2,-\(random.next(below: 3))e1,\(row % 7 == 0 ? row : 5)\n"
        }
        let table = try CSVReading.table("lon,lat,n\n" + rows.joined())
        var sorted = table
        let quadtree = sorted.sort(in: PointGroups(), jobs: 1).quadtree
        let codes = (0..<table.count).map { MortonCode(WebMercator.project(sorted.coordinate($0))).rawValue }
        #expect(quadtree.codes == codes)
        let misplaced = (1..<table.count).filter { index in
            (codes[index], sorted.rowPrecedes(index, index - 1) ? 0 : 1) < (codes[index - 1], 1)
        }
        #expect(misplaced == [])
        #expect(sorted.rowStarts.sorted() == table.rowStarts)
        for jobs in [2, 3] {
            var other = table
            #expect(other.sort(in: PointGroups(), jobs: jobs).quadtree.codes == quadtree.codes)
            #expect(other.longitudes == sorted.longitudes && other.latitudes == sorted.latitudes)
            #expect(other.rowStarts == sorted.rowStarts)
        }
    }

    @Test func `records are ordered by their bytes, the shorter first`() throws {
        let rows = [
            "1,2,b", "1,2,", "1,2,bb", "1,2,\"b\"", "1,2,\"b\nc\"", "1,2,\"b\n\"", "1,2,a", "1,2,é", "1,2,\"a\"\"\"",
            "1,2,b\"c", "1,2,b\"", "1,2,b",
        ]
        for lineEnd in ["\n", "\r\n"] {
            let table = try CSVReading.table("lat,lon,n\n" + rows.joined(separator: lineEnd))
            #expect(table.count == rows.count)
            for first in rows.indices {
                for second in rows.indices {
                    let expected = rows[first].utf8.lexicographicallyPrecedes(rows[second].utf8)
                    #expect(table.rowPrecedes(first, second) == expected, "\(rows[first]) \(rows[second])")
                }
            }
        }
    }
}
