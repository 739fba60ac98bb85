/// A date and its precision. `2024` is stored as the first moment of 2024.
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

    /// The milliseconds since 1970 of all dates in the years 0 to 9999.
    package static let times = CalendarDay(0, 1, 1).milliseconds...CalendarDay(10_000, 1, 1).milliseconds - 1

    var day: CalendarDay { CalendarDay(number: milliseconds.quotient(by: CalendarDay.length)) }
    var hour: Int { (milliseconds - day.milliseconds) / 3_600_000 }
}

/// A day of the Gregorian calendar, also before 1582.
struct CalendarDay {
    /// Since 1970-01-01.
    var number: Int

    /// In milliseconds.
    static let length = 86_400_000
    static let years = 0...9999

    init(number: Int) { self.number = number }

    /// - Parameters:
    ///   - month: at least 1; 13 is January of the next year.
    ///   - day: at least 1; a day after the end of the month is in the next month.
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

    /// The month and the day begin at 1.
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
