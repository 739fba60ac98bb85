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

    /// How precise a date must be to lie in one span only.
    fileprivate var precision: StatedDate.Precision {
        switch self {
        case .year: .year
        case .quarter, .month: .month
        case .week, .day: .day
        case .hour: .time
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

/// A date as precise as it is stated. The rest is at its start.
package struct StatedDate: Equatable, Sendable {
    package enum Precision: Int, Comparable, Sendable {
        case year, month, day, time

        package static func < (one: Precision, other: Precision) -> Bool { one.rawValue < other.rawValue }
    }

    /// Since 1970-01-01T00:00 UTC.
    package let milliseconds: Int
    package let precision: Precision

    package init(milliseconds: Int, precision: Precision = .time) {
        self.milliseconds = milliseconds
        self.precision = precision
    }

    var day: CalendarDay { CalendarDay(number: milliseconds.quotient(by: CalendarDay.length)) }
    var hour: Int { (milliseconds - day.milliseconds) / 3_600_000 }

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
                return StatedDate(milliseconds: day.milliseconds, precision: .day)
            }
            return nil
        }
        guard let date = date ?? DateNotation.iso8601.date(ofText: bucket) else { return nil }
        self = date
    }
}

/// A day of the Gregorian calendar, which is extended to the past.
struct CalendarDay {
    /// Since 1970-01-01.
    var number: Int

    /// In milliseconds.
    static let length = 86_400_000
    static let years = 0...9999

    init(number: Int) { self.number = number }

    /// - Parameters:
    ///   - month: from 1 on; months after December are those of the next year.
    ///   - day: from 1 on; days after the month's last one are those of the next month.
    ///
    /// Source: Howard Hinnant, [days_from_civil](https://howardhinnant.github.io/date_algorithms.html).
    init(_ year: Int, _ month: Int, _ day: Int) {
        // Years begin in March here, so that a leap day is their last one.
        let months = 12 * year + month - 3
        let year = months.quotient(by: 12)
        let dayOfYear = (153 * (months - 12 * year) + 2) / 5 + day - 1
        number =
            365 * year + year.quotient(by: 4) - year.quotient(by: 100) + year.quotient(by: 400) + dayOfYear - 719_468
    }

    /// Month and day from 1 on.
    ///
    /// Source: Howard Hinnant, [civil_from_days](https://howardhinnant.github.io/date_algorithms.html).
    var parts: (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let era = days.quotient(by: 146_097)
        let dayOfEra = days - 146_097 * era
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            yearOfEra + 400 * era + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// 0 for Monday.
    var weekday: Int { number + 3 - 7 * (number + 3).quotient(by: 7) }

    /// When it begins, since 1970-01-01T00:00.
    var milliseconds: Int { number * CalendarDay.length }

    /// The number of days in a month.
    static func count(inMonth month: Int, of year: Int) -> Int {
        CalendarDay(year, month + 1, 1).number - CalendarDay(year, month, 1).number
    }
}

extension Int {
    /// Rounded down.
    fileprivate func quotient(by divisor: Int) -> Int { (self >= 0 ? self : self - divisor + 1) / divisor }
}
