import Foundation
import PyramidTiles

/// Dates as Foundation's calendar has them.
package enum CalendarOracle {
    package static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The calendar repeats itself after so long. Foundation has another one before 1583.
    private static let cycle = (years: 2000, milliseconds: 5 * 146_097 * 86_400_000)

    /// The milliseconds since 1970 at which a time of a year from 0 on begins.
    package static func milliseconds(
        _ year: Int, _ month: Int = 1, _ day: Int = 1, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
    ) -> Int {
        let parts = DateComponents(
            year: year + cycle.years, month: month, day: day, hour: hour, minute: minute, second: second)
        guard let date = calendar.date(from: parts) else { return .min }
        return Int(date.timeIntervalSince1970) * 1000 - cycle.milliseconds
    }

    /// The span of time that a date is in, as combinations of facets name it.
    package static func bucket(ofMilliseconds milliseconds: Int, by unit: DateUnit) -> String {
        let seconds = ((milliseconds + cycle.milliseconds) / 1000)
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .weekOfYear, .yearForWeekOfYear],
            from: Date(timeIntervalSince1970: Double(seconds)))
        func digits(_ number: Int?, _ width: Int = 2) -> String {
            let text = String(number ?? -1)
            return String(repeating: "0", count: width - text.count) + text
        }
        let (year, month) = (digits((parts.year ?? 0) - cycle.years, 4), parts.month ?? 0)
        switch unit {
        case .year: return year
        case .quarter: return "\(year)-Q\((month - 1) / 3 + 1)"
        case .month: return "\(year)-\(digits(month))"
        case .week:
            return "\(digits((parts.yearForWeekOfYear ?? 0) - cycle.years, 4))-W\(digits(parts.weekOfYear))"
        case .day: return "\(year)-\(digits(month))-\(digits(parts.day))"
        case .hour: return "\(year)-\(digits(month))-\(digits(parts.day))T\(digits(parts.hour))"
        }
    }
}
