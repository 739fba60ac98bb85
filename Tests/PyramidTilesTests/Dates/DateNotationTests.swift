import Foundation
import TestSupport
import Testing

@testable import PyramidTiles

struct DateNotationTests {
    private static func digits(_ number: Int, _ width: Int = 2) -> String {
        String(repeating: "0", count: max(width - String(number).count, 0)) + String(number)
    }

    // MARK: - ISO 8601

    /// Some of a date's parts, and what the date is.
    private static func iso8601(_ random: inout SeededRandom) -> (text: String, date: StatedDate) {
        func one(_ texts: [String]) -> String { texts[random.next(below: texts.count)] }
        let (year, month) = (1 + random.next(below: 9998), 1 + random.next(below: 12))
        let days = CalendarOracle.milliseconds(year, month + 1) - CalendarOracle.milliseconds(year, month)
        let day = 1 + random.next(below: days / 86_400_000)
        let (yearText, monthText, dayText) = (digits(year, 4), digits(month), digits(day))
        let dates: [(String, StatedDate)] = [
            (yearText, StatedDate(milliseconds: CalendarOracle.milliseconds(year), precision: .year)),
            (
                "\(yearText)-\(monthText)",
                StatedDate(milliseconds: CalendarOracle.milliseconds(year, month), precision: .month)
            ),
            (
                one(["\(yearText)-\(monthText)-\(dayText)", yearText + monthText + dayText]),
                StatedDate(milliseconds: CalendarOracle.milliseconds(year, month, day), precision: .day)
            ),
        ]
        let choice = random.next(below: 8)
        let blanks = (one(["", "", " ", "\t "]), one(["", "", "  "]))
        if choice < 3 { return (blanks.0 + dates[choice].0 + blanks.1, dates[choice].1) }
        let (hour, minute, second) = (random.next(below: 24), random.next(below: 60), random.next(below: 60))
        let partCount = 1 + random.next(below: 4)
        let millisecond = partCount == 4 ? random.next(below: 1000) : 0
        var time = [hour, minute, second].prefix(partCount).map { digits($0) }.joined(separator: ":")
        // Further digits don't count.
        if partCount == 4 { time += one([".", ","]) + digits(millisecond, 3) + one(["", "9", "99999"]) }
        let (sign, hours, minutes) = (one(["+", "-"]), random.next(below: 24), random.next(below: 60))
        let offsets: [(String, Int)] = [
            ("", 0), (one(["Z", "z"]), 0), ("\(sign)\(digits(hours))", hours * 60),
            ("\(sign)\(digits(hours))\(one(["", ":"]))\(digits(minutes))", hours * 60 + minutes),
        ]
        let offset = offsets[random.next(below: offsets.count)]
        let local =
            CalendarOracle.milliseconds(
                year, month, day, hour, partCount > 1 ? minute : 0, partCount > 2 ? second : 0)
            + millisecond
        let text = dates[2].0 + one(["T", "t", " "]) + time + (offset.0.isEmpty ? "" : one(["", " "])) + offset.0
        return (
            blanks.0 + text + blanks.1,
            StatedDate(milliseconds: local - (sign == "-" ? -1 : 1) * offset.1 * 60_000)
        )
    }

    @Test func `texts in ISO 8601 are dates as precise as they are written`() {
        var random = SeededRandom(seed: 8601)
        for _ in 0..<1500 {
            let (text, date) = DateNotationTests.iso8601(&random)
            #expect(DateNotation.iso8601.date(ofText: text) == date, "\"\(text)\"")
        }
    }

    @Test func `whatever Foundation writes as ISO 8601 is the date that it writes`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            // From 1600 on.
            let time = -11_600_000_000_000 + random.next(below: 200_000_000_000_000)
            let zone = TimeZone(secondsFromGMT: (random.next(below: 1680) - 840) * 60) ?? .gmt
            let whole = Date(timeIntervalSince1970: Double(time / 1000))
            let text = whole.formatted(
                Date.ISO8601FormatStyle(
                    dateTimeSeparator: random.next(below: 2) == 0 ? .space : .standard,
                    timeZoneSeparator: random.next(below: 2) == 0 ? .colon : .omitted, timeZone: zone))
            #expect(DateNotation.iso8601.date(ofText: text) == StatedDate(milliseconds: time / 1000 * 1000), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("2024-03-05T24:00", (2024, 3, 6, 0, 0, 0)), ("2023-12-31 24:00:00Z", (2024, 1, 1, 0, 0, 0)),
            ("2016-12-31T23:59:60Z", (2016, 12, 31, 23, 59, 59)), ("2024-02-29T00:30+01:00", (2024, 2, 28, 23, 30, 0)),
            ("0000-01-01T00:00-00:01", (0, 1, 1, 0, 1, 0)), ("9999-12-31T23:59:59+00:00", (9999, 12, 31, 23, 59, 59)),
        ] as [(String, (Int, Int, Int, Int, Int, Int))])
    func `times at an end are dates`(text: String, parts: (Int, Int, Int, Int, Int, Int)) {
        let time = CalendarOracle.milliseconds(parts.0, parts.1, parts.2, parts.3, parts.4, parts.5)
        #expect(DateNotation.iso8601.date(ofText: text) == StatedDate(milliseconds: time))
    }

    private static let noDates = [
        // Parts that are too long, too short or missing.
        "", " ", "-", "1", "202", "20243", "202403", "2024030", "202403051", "20240", "2024-", "2024-3", "2024-03-",
        "2024-03-5", "2024-03-055", "2024-003-05", "12024-03-05", "+2024-03-05", "-2024-03-05", "2024-0305",
        "202403-05", "2024-03-05T", "2024-03-05t ", "2024-03-05 1", "2024-03-05T1", "2024-03-05T12:",
        "2024-03-05T12:3", "2024-03-05T12:30:", "2024-03-05T12:30:1", "2024-03-05T12:30:15.", "2024-03-05T1230",
        "2024T12", "2024-03T12", "2024-03-05T12.5", "2024-03-05T12:30.5",
        // Impossible parts.
        "2024-00", "2024-13", "2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-03-00", "2024-03-32",
        "2024-03-05T24:01", "2024-03-05T24:00:01", "2024-03-05T24", "2024-03-05T24:00:00.0", "2024-03-05T25:00",
        "2024-03-05T12:60", "2024-03-05T12:30:61", "2024-13-05T12:00",
        // Offsets.
        "2024-03-05T12:30+", "2024-03-05T12:30-", "2024-03-05T12:30 +", "2024-03-05T12:30+2", "2024-03-05T12:30+02:",
        "2024-03-05T12:30+02:3", "2024-03-05T12:30+023", "2024-03-05T12:30+24:00", "2024-03-05T12:30+02:60",
        "2024-03-05T12:30+02:00:00", "2024-03-05T12:30ZZ", "2024-03-05T12:30  Z", "2024-03-05Z", "2024-03-05+02:00",
        "0000-01-01T00:00+00:01", "9999-12-31T23:59-00:01",
        // Other characters.
        "2024-03-05x", "2024-03-05T12:30x", "2024-03-05 x", "x2024-03-05", "2024 -03-05", "2024- 03-05", "20 24",
        "2024-03-05  12:30", "2024-03-05T 12:30", "2024-03-05T12 :30", "2024/03/05", "2024–03–05", "05.03.2024",
        "2024-Q1", "2024-W09", "٢٠٢٤", "2024\n", "2024-03-05\u{0}", "today", "null",
    ]

    @Test(arguments: noDates)
    func `other texts are no dates`(text: String) { #expect(DateNotation.iso8601.date(ofText: text) == nil) }

    // MARK: - Numbers

    @Test func `numbers of seconds and milliseconds are rounded down`() {
        var random = SeededRandom(seed: 1970)
        let limits = (CalendarOracle.milliseconds(0), CalendarOracle.milliseconds(10_000))
        for _ in 0..<300 {
            let time = limits.0 + random.next(below: limits.1 - limits.0)
            let seconds = time.quotientAndRemainder(dividingBy: 1000).quotient * 1000
            for (notation, number, expected) in [
                (.milliseconds, Double(time), time), (.milliseconds, Double(time) + 0.75, time),
                (.seconds, Double(seconds / 1000), seconds), (.seconds, Double(seconds / 1000) + 0.5, seconds + 500),
            ] as [(DateNotation, Double, Int)] {
                #expect(notation.date(ofNumber: number) == StatedDate(milliseconds: expected), "\(number)")
            }
        }
        #expect(DateNotation.milliseconds.date(ofNumber: -0.5) == StatedDate(milliseconds: -1))
        #expect(DateNotation.seconds.date(ofNumber: -0.25) == StatedDate(milliseconds: -250))
        for (notation, factor) in [(DateNotation.milliseconds, 1.0), (.seconds, 1000)] {
            for number in [Double(limits.0) - 1, Double(limits.1)] {
                #expect(notation.date(ofNumber: number / factor) == nil)
            }
            for number in [.nan, .infinity, -1e300] { #expect(notation.date(ofNumber: number) == nil) }
        }
    }

    @Test(
        arguments: [
            (.years, 2024, StatedDate(milliseconds: CalendarOracle.milliseconds(2024), precision: .year)),
            (.years, 1000, StatedDate(milliseconds: CalendarOracle.milliseconds(1000), precision: .year)),
            (.years, 999, nil), (.years, 10_000, nil), (.years, 2024.5, nil), (.years, -2024, nil), (.years, .nan, nil),
            (.days, 20_240_229, StatedDate(milliseconds: CalendarOracle.milliseconds(2024, 2, 29), precision: .day)),
            (.days, 20_230_229, nil), (.days, 20_241_301, nil), (.days, 20_240_200, nil), (.days, 2024, nil),
            (.days, 120_240_229, nil), (.days, 20_240_229.5, nil), (.days, -20_240_229, nil), (.iso8601, 2024, nil),
        ] as [(DateNotation, Double, StatedDate?)])
    func `numbers are years and days if they have as many digits`(
        notation: DateNotation, number: Double, date: StatedDate?
    ) {
        #expect(notation.date(ofNumber: number) == date)
        #expect(notation == .iso8601 || notation.date(ofText: "\(Int(number.isNaN ? 0 : number))") == nil)
    }

    // MARK: - Patterns

    /// With the pattern of Foundation's `DateFormatter`, and the length of what is written.
    private static let patterns = [
        ("MM/DD/YYYY hh:mm:ss a", "MM/dd/yyyy hh:mm:ss a", 1), ("D.M.YY H:mm", "d.M.yy H:mm", 60),
        ("D.M.YYYY, h:m:s a", "d.M.yyyy, h:m:s a", 1), ("MMM D, YYYY", "MMM d, yyyy", 86_400),
        ("DD MMM YYYY", "dd MMMM yyyy", 86_400), ("MMM DD HH:mm:ss Z YYYY", "MMM dd HH:mm:ss xx yyyy", 1),
        ("YYYY-MM-DD HH:mm:ssZ", "yyyy-MM-dd HH:mm:ssxxx", 1), ("YYYYMMDDHHmmss", "yyyyMMddHHmmss", 1),
        ("DD/MM/YYYY", "dd/MM/yyyy", 86_400), ("D/M/YYYY h a", "d/M/yyyy h a", 3600),
        // A number with or without a leading zero, whichever way the pattern has it.
        ("M/D/YY H:m", "MM/dd/yy HH:mm", 60), ("MM/DD/YYYY HH:mm", "M/d/yyyy H:mm", 60),
    ]

    @Test(arguments: patterns)
    func `what Foundation writes in a pattern is read back`(pattern: String, foundation: String, length: Int) throws {
        let notation = try #require(DateNotation(pattern))
        let formatter = DateFormatter()
        formatter.calendar = CalendarOracle.calendar
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = foundation
        var random = SeededRandom(seed: UInt64(pattern.utf8.count))
        // 1969 to 2068, as in years of two digits.
        let seconds = (CalendarOracle.milliseconds(1969) / 1000)..<(CalendarOracle.milliseconds(2069) / 1000)
        let edges = [seconds.lowerBound, seconds.upperBound - 1, 946_684_799, 946_684_800, 951_827_400, 951_783_000]
        for time in edges + (0..<100).map({ _ in seconds.lowerBound + random.next(below: seconds.count) }) {
            let hasOffset = pattern.contains("Z")
            formatter.timeZone =
                TimeZone(secondsFromGMT: hasOffset ? (random.next(below: 1440) - 720) * 60 : 0) ?? .gmt
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(time)))
            let start = time - (time % length + length) % length
            let expected = StatedDate(milliseconds: start * 1000, precision: length == 86_400 ? .day : .time)
            #expect(notation.date(ofText: text) == expected, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("h:mm a, D/M/YYYY", "12:00 AM, 1/2/2024", (2024, 2, 1, 0, 0)),
            ("h:mm a, D/M/YYYY", "12:59 am, 01/02/2024", (2024, 2, 1, 0, 59)),
            ("h:mm a, D/M/YYYY", "12:00 PM, 1/2/2024", (2024, 2, 1, 12, 0)),
            ("h:mm a, D/M/YYYY", "1:05 p.m., 1/2/2024", (2024, 2, 1, 13, 5)),
            ("h:mm a, D/M/YYYY", "11:59 A.M.,  1/2/2024", (2024, 2, 1, 11, 59)),
            ("h:mm a, D/M/YYYY", "0:30 AM, 1/2/2024", nil), ("h:mm a, D/M/YYYY", "13:30 PM, 1/2/2024", nil),
            ("h:mm a, D/M/YYYY", "1:30 XM, 1/2/2024", nil), ("h:mm a, D/M/YYYY", "1:30, 1/2/2024", nil),
            ("MMM D YYYY HH:mm", "SEPTEMBER 9   2023 00:00", (2023, 9, 9, 0, 0)),
            ("MMM D YYYY HH:mm", " sep 09 2023 0:00 ", (2023, 9, 9, 0, 0)),
            ("MMM D YYYY HH:mm", "sept 9 2023 00:00", nil), ("MMM D YYYY HH:mm", "9 9 2023 00:00", nil),
            ("MMM D YYYY HH:mm", "Sep 9 2023 24:00", nil), ("MMM D YYYY HH:mm", "Sep 31 2023 00:00", nil),
            ("MMM D YYYY HH:mm", "Sep 9 2023 00:00 x", nil), ("MMM D YYYY HH:mm", "Sep9 2023 00:00", nil),
            ("MMM D YYYY HH:mm", "Sep 9 203 00:00", nil), ("MMM D YYYY HH:mm", "Sep 9 2023 00:000", nil),
            ("DD.MM.YY HH:mmZ", "01.01.00 00:15+00:30", (1999, 12, 31, 23, 45)),
            ("DD.MM.YY HH:mmZ", "01.01.00 00:15", nil), ("DD.MM.YY HH:mmZ", "01.01.2000 00:15Z", nil),
            ("YYYY年M月D日 H:mm", "2024年3月5日 7:30", (2024, 3, 5, 7, 30)), ("YYYY年M月D日 H:mm", "2024年3月5 7:30", nil),
        ] as [(String, String, (Int, Int, Int, Int, Int)?)])
    func `a text is a date if it has all that its pattern has`(
        pattern: String, text: String, parts: (Int, Int, Int, Int, Int)?
    ) throws {
        let notation = try #require(DateNotation(pattern))
        let expected = parts.map {
            StatedDate(milliseconds: CalendarOracle.milliseconds($0.0, $0.1, $0.2, $0.3, $0.4))
        }
        #expect(notation.date(ofText: text) == expected)
        #expect(notation.date(ofNumber: 2024) == nil)
    }

    @Test(arguments: [("MM/YYYY", StatedDate.Precision.month), ("YYYY", .year), ("YY", .year), ("MMM-YY", .month)])
    func `patterns of months and years are as precise`(pattern: String, precision: StatedDate.Precision) {
        let texts = ["MM/YYYY": "07/2031", "YYYY": "2031", "YY": "31", "MMM-YY": "jul-31"]
        let start = CalendarOracle.milliseconds(2031, precision == .year ? 1 : 7)
        let date = DateNotation(pattern)?.date(ofText: texts[pattern] ?? "")
        #expect(date == StatedDate(milliseconds: start, precision: precision))
    }

    @Test(
        arguments: [
            "", " ", "-", "MM/DD", "YYY", "YYYYY", "YYYY-YY", "YYYY-MM-MM", "YYYY-MM-MMM", "YYYY-DD", "YYYY HH",
            "YYYY-MM HH", "YYYY-MM-DD hh", "YYYY-MM-DD a", "YYYY-MM-DD HH a", "YYYY-MM-DD HH hh a", "YYYY-MM-DD mm",
            "YYYY-MM-DD HH:ss", "YYYY-MM-DDTHH:mm", "YYYY-mm-dd", "ISO8601", "month", "YYYY-MMMM",
            "YYYY-MM-DD HHH", "YYYY-MM-DD HH:mm aa", "YYYY-MM-DD HH:mm ZZ",
        ])
    func `other patterns are refused`(pattern: String) { #expect(DateNotation(pattern) == nil) }

    @Test func `years and days may be in small letters`() {
        #expect(DateNotation("dd.MM.yyyy HH:mm")?.description == "DD.MM.YYYY HH:mm")
    }

    @Test(arguments: ["iso8601", "years", "yyyymmdd", "seconds", "milliseconds", "MM/DD/YYYY hh:mm a"])
    func `a notation is written as it is read`(text: String) throws {
        let notation = try #require(DateNotation(text))
        let json = try JSONEncoder().encode(FacetDates(unit: .week, notation: notation))
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: String])
        #expect(object == ["unit": "week", "notation": text] && notation.description == text)
        #expect(try JSONDecoder().decode(FacetDates.self, from: json).notation == notation)
        let wrong = Data(#"{"unit":"week","notation":"x\#(text)"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FacetDates.self, from: wrong) }
    }
}
