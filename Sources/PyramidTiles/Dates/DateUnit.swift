/// A span of time by which dates are counted.
public enum DateUnit: String, Codable, CaseIterable, Sendable {
    case year, quarter, month
    /// A week of ISO 8601, from Monday on. It belongs to the year that has its Thursday.
    case week
    case day, hour

    /// Longer units, the next one first.
    package var coarser: [DateUnit] {
        let all: [DateUnit] = [.hour, .day, .week, .month, .quarter, .year]
        return Array(all.drop { $0 != self }.dropFirst())
    }

    /// The unit's span that contains a date: `2024`, `2024-Q1`, `2024-03`, `2024-W09`, `2024-03-05` or `2024-03-05T12`. The
    /// order of the texts' bytes is that of time.
    /// - Returns: `nil` if the date isn't precise enough, or not in the years 0 to 9999.
    package func bucket(of date: StatedDate) -> String? {
        guard date.precision >= precision else { return nil }
        var day = date.day
        if self == .week { day.number += 3 - day.weekday }
        let (year, month, dayOfMonth) = day.parts
        guard CalendarDay.years.contains(year) else { return nil }
        let text = DateUnit.padded(year, 4)
        func twoDigits(_ number: Int) -> String { DateUnit.padded(number, 2) }
        switch self {
        case .year: return text
        case .quarter: return "\(text)-Q\((month + 2) / 3)"
        case .month: return "\(text)-\(twoDigits(month))"
        case .week: return "\(text)-W\(twoDigits((day.number - CalendarDay(year, 1, 1).number) / 7 + 1))"
        case .day: return "\(text)-\(twoDigits(month))-\(twoDigits(dayOfMonth))"
        case .hour: return "\(text)-\(twoDigits(month))-\(twoDigits(dayOfMonth))T\(twoDigits(date.hour))"
        }
    }

    /// When a bucket begins and ends, in milliseconds since 1970-01-01T00:00 UTC; `nil` for a text that is none of this unit.
    package func span(ofBucket bucket: String) -> Range<Int>? {
        guard let start = StatedDate(bucket: bucket), self.bucket(of: start) == bucket else { return nil }
        let (year, month, day) = start.day.parts
        let next =
            switch self {
            case .year: CalendarDay(year + 1, 1, 1)
            case .quarter: CalendarDay(year, month + 3, 1)
            case .month: CalendarDay(year, month + 1, 1)
            case .week: CalendarDay(year, month, day + 7)
            case .day, .hour: CalendarDay(year, month, day + 1)
            }
        let end = self == .hour ? start.milliseconds + 3_600_000 : next.milliseconds
        return start.milliseconds..<end
    }

    /// Fills the gaps between buckets, ascending. If there would be more than 10,000, only the given ones are returned.
    package func buckets(spanning some: [String]) -> [String] {
        let sorted = some.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard var bucket = sorted.first, let last = sorted.last else { return [] }
        var all = [bucket]
        while bucket != last {
            guard all.count < DateUnit.shownBuckets, let span = span(ofBucket: bucket),
                let next = self.bucket(of: StatedDate(milliseconds: span.upperBound))
            else { return sorted }
            all.append(next)
            bucket = next
        }
        return all
    }

    /// The most buckets with gaps filled: more than a year of hours.
    private static let shownBuckets = 10_000

    /// How precise a date must be to lie in one span only.
    fileprivate var precision: StatedDate.Precision {
        switch self {
        case .year: .year
        case .quarter, .month: .month
        case .week, .day: .day
        case .hour: .time
        }
    }

    fileprivate static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

extension StatedDate {
    /// ISO 8601 text with milliseconds, without an offset; empty outside the years 0 to 9999.
    package var text: String {
        guard let hour = DateUnit.hour.bucket(of: self) else { return "" }
        let rest = milliseconds - day.milliseconds
        func two(_ number: Int) -> String { DateUnit.padded(number, 2) }
        return "\(hour):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60)).\(DateUnit.padded(rest % 1000, 3))"
    }

    /// The start of a bucket of any unit, or of a date in the notation of ISO 8601.
    package init?(bucket: String) {
        var text = bucket
        let date: StatedDate? = text.withUTF8 { bytes in
            var cursor = DateCursor(UnsafeRawBufferPointer(bytes))
            guard let year = cursor.number(of: 4...4), cursor.skip("-") else { return nil }
            if cursor.skip("Q"), let quarter = cursor.number(of: 1...1), (1...4).contains(quarter), cursor.isAtEnd {
                return StatedDate(
                    milliseconds: CalendarDay(year, 3 * quarter - 2, 1).milliseconds, precision: .month)
            }
            if cursor.skip("W"), let week = cursor.number(of: 2...2), (1...53).contains(week), cursor.isAtEnd {
                // The fourth of January is in the first week.
                var day = CalendarDay(year, 1, 4)
                day.number += 7 * (week - 1) - day.weekday
                let date = StatedDate(milliseconds: day.milliseconds, precision: .day)
                // Few years have 53 weeks.
                return DateUnit.week.bucket(of: date) == bucket ? date : nil
            }
            return nil
        }
        guard let date = date ?? DateNotation.iso8601.date(ofText: bucket) else { return nil }
        self = date
    }
}
