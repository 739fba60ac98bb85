import TestSupport
import Testing

@testable import PyramidTiles

struct DateUnitTests {
    /// Anywhere, around new years, and around 1970.
    private static let times: [Int] = {
        var random = SeededRandom(seed: 1582)
        let all = CalendarOracle.milliseconds(0, 1, 10)..<CalendarOracle.milliseconds(9999, 12, 31)
        let anywhere = (0..<400).map { _ in all.lowerBound + random.next(below: all.count) }
        let newYears = (1...150).map { number in
            CalendarOracle.milliseconds(number * 66) - 5 * 86_400_000 + random.next(below: 10 * 86_400_000)
        }
        return anywhere + newYears + [-1, 0, 1, -86_400_001]
    }()

    @Test(arguments: DateUnit.allCases)
    func `a bucket is that of the calendar, from its first millisecond to its last`(unit: DateUnit) throws {
        for time in DateUnitTests.times {
            let bucket = try #require(unit.bucket(of: StatedDate(milliseconds: time)))
            #expect(bucket == CalendarOracle.bucket(ofMilliseconds: time, by: unit), "\(time)")
            let span = try #require(unit.span(ofBucket: bucket), "\(bucket)")
            #expect(span.contains(time))
            let edges = [span.lowerBound - 1, span.lowerBound, span.upperBound - 1, span.upperBound]
            let found = edges.map { CalendarOracle.bucket(ofMilliseconds: $0, by: unit) }
            #expect(found[0] < found[1] && found[1] == bucket && found[2] == bucket && found[2] < found[3], "\(bucket)")
            #expect(StatedDate(bucket: bucket)?.milliseconds == span.lowerBound)
        }
    }

    @Test func `the first and the last years have no gaps either`() throws {
        let ends = CalendarOracle.milliseconds(0)..<CalendarOracle.milliseconds(10_000)
        for unit in DateUnit.allCases where unit != .week {
            let first = try #require(unit.bucket(of: StatedDate(milliseconds: ends.lowerBound)))
            let last = try #require(unit.bucket(of: StatedDate(milliseconds: ends.upperBound - 1)))
            #expect(unit.span(ofBucket: first)?.lowerBound == ends.lowerBound)
            #expect(unit.span(ofBucket: last)?.upperBound == ends.upperBound)
        }
        // The first day, a Saturday, is in a week of the year before.
        #expect(DateUnit.week.bucket(of: StatedDate(milliseconds: ends.lowerBound)) == nil)
        #expect(DateUnit.week.span(ofBucket: "0000-W01")?.lowerBound == CalendarOracle.milliseconds(0, 1, 3))
        #expect(DateUnit.week.span(ofBucket: "9999-W52")?.upperBound == CalendarOracle.milliseconds(9999, 12, 34))
        #expect(DateUnit.year.bucket(of: StatedDate(milliseconds: ends.upperBound)) == nil)
    }

    @Test(
        arguments: [
            (.year, [.year]), (.month, [.year, .quarter, .month]), (.day, [.year, .quarter, .month, .week, .day]),
            (.time, DateUnit.allCases),
        ] as [(StatedDate.Precision, [DateUnit])])
    func `a date has buckets of units that it is precise enough for`(
        precision: StatedDate.Precision, units: [DateUnit]
    ) {
        let date = StatedDate(milliseconds: 0, precision: precision)
        #expect(DateUnit.allCases.filter { $0.bucket(of: date) != nil } == units)
    }

    @Test(
        arguments: [
            "", "2024-Q0", "2024-Q5", "2024-Q", "2024-Q12", "2024-W00", "2024-W53", "2023-W53", "2020-W54", "2024-W9",
            "2024W09", "2024-W09-1", "24-Q1", "2024-13", "March",
        ])
    func `other texts are no buckets`(text: String) {
        #expect(StatedDate(bucket: text) == nil)
        for unit in DateUnit.allCases { #expect(unit.span(ofBucket: text) == nil) }
    }

    @Test func `a bucket is none of another unit`() {
        for unit in DateUnit.allCases {
            let bucket = unit.bucket(of: StatedDate(milliseconds: 0)) ?? ""
            #expect(DateUnit.allCases.filter { $0.span(ofBucket: bucket) != nil } == [unit])
        }
    }

    @Test func `longer units follow one another`() {
        #expect(DateUnit.hour.coarser == [.day, .week, .month, .quarter, .year])
        #expect(DateUnit.quarter.coarser == [.year] && DateUnit.year.coarser == [])
    }
}
