/// How the dates of a column are written.
public enum DateNotation: Hashable, Sendable {
    /// `2024`, `2024-03`, `2024-03-05`, `20240305`, and times after `T` or a blank: `2024-03-05T12:30:15+01:00`.
    case iso8601
    /// Numbers from 1000 to 9999.
    case years
    /// Numbers of eight digits: `20240305`.
    case days
    /// Numbers of seconds or milliseconds since 1970-01-01T00:00 UTC.
    case seconds, milliseconds
    case pattern(DatePattern)

    /// Reads a date; `nil` for a text that is none.
    package func date(ofText text: UnsafeRawBufferPointer) -> StatedDate? {
        var cursor = DateCursor(text)
        cursor.skipBlanks()
        var fields = DateFields()
        switch self {
        case .iso8601: guard cursor.readISO8601(into: &fields) else { return nil }
        case .pattern(let pattern): guard pattern.read(&cursor, into: &fields) else { return nil }
        case .years, .days, .seconds, .milliseconds: return nil
        }
        cursor.skipBlanks()
        return cursor.isAtEnd ? fields.date : nil
    }

    package func date(ofText text: String) -> StatedDate? {
        var text = text
        return text.withUTF8 { date(ofText: UnsafeRawBufferPointer($0)) }
    }

    /// The date that a number stands for; `nil` if it stands for none.
    package func date(ofNumber number: Double) -> StatedDate? {
        guard number.magnitude < 1e15 else { return nil }
        let whole = Int(number.rounded(.down))
        switch self {
        case .iso8601, .pattern: return nil
        case .years:
            guard Double(whole) == number, (1000...9999).contains(whole) else { return nil }
            return DateFields(year: whole).date
        case .days:
            guard Double(whole) == number, (10_000_000...99_999_999).contains(whole) else { return nil }
            return DateFields(year: whole / 10_000, month: whole / 100 % 100, day: whole % 100).date
        case .seconds: return DateNotation.milliseconds.date(ofNumber: (number * 1000).rounded(.down))
        case .milliseconds:
            let date = StatedDate(milliseconds: whole)
            return CalendarDay.years.contains(date.day.parts.year) ? date : nil
        }
    }
}

extension DateNotation: Codable, CustomStringConvertible {
    private static let named: KeyValuePairs<String, DateNotation> = [
        "iso8601": .iso8601, "years": .years, "yyyymmdd": .days, "seconds": .seconds, "milliseconds": .milliseconds,
    ]

    /// A name, or a pattern; `nil` for any other text.
    package init?(_ text: String) {
        if let known = DateNotation.named.first(where: { $0.key == text }) {
            self = known.value
        } else if let pattern = DatePattern(text) {
            self = .pattern(pattern)
        } else {
            return nil
        }
    }

    public var description: String {
        if case .pattern(let pattern) = self { return pattern.text }
        return DateNotation.named.first { $0.value == self }?.key ?? ""
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let notation = DateNotation(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no notation of dates")
        }
        self = notation
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The parts of a date as they are written.
struct DateFields {
    var year = 0
    var month, day, hour: Int?
    var minute = 0, second = 0, millisecond = 0
    /// How far the clock is ahead of UTC.
    var offsetMinutes = 0

    /// `nil` unless all parts are possible.
    var date: StatedDate? {
        guard CalendarDay.years.contains(year), (1...12).contains(month ?? 1),
            day.map({ (1...CalendarDay.count(inMonth: month ?? 1, of: year)).contains($0) }) ?? true,
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let start = CalendarDay(year, month ?? 1, day ?? 1).milliseconds
        guard month != nil else { return StatedDate(milliseconds: start, precision: .year) }
        guard day != nil else { return StatedDate(milliseconds: start, precision: .month) }
        guard let hour else { return StatedDate(milliseconds: start, precision: .day) }
        // The end of the day is written as 24:00.
        guard (0...23).contains(hour) || hour == 24 && minute + second == 0 else { return nil }
        // A leap second belongs to its minute.
        let time = ((hour * 60 + minute - offsetMinutes) * 60 + min(second, 59)) * 1000 + millisecond
        let date = StatedDate(milliseconds: start + time)
        return CalendarDay.years.contains(date.day.parts.year) ? date : nil
    }
}

/// A pattern for dates, such as `MM/DD/YYYY hh:mm:ss a`. Years and days may also be written `yyyy` and `dd`.
public struct DatePattern: Hashable, Sendable {
    let text: String
    private let tokens: [Token]

    private enum Token: Hashable, Sendable {
        case year, shortYear, month, monthName, day, hour, hourOfHalf, minute, second, half, offset
        /// One or more.
        case blanks
        case other(UInt8)
    }

    private static let tokens: [String: Token] = [
        "YYYY": .year, "YY": .shortYear, "MMM": .monthName, "MM": .month, "M": .month, "DD": .day, "D": .day,
        "HH": .hour, "H": .hour, "hh": .hourOfHalf, "h": .hourOfHalf, "mm": .minute, "m": .minute, "ss": .second,
        "s": .second, "a": .half, "Z": .offset,
    ]

    /// `nil` for an unknown or repeated token, and for a pattern that lacks a part before a smaller one.
    public init?(_ text: String) {
        let text = text.replacing("y", with: "Y").replacing("d", with: "D")
        self.text = text
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            if first.isASCII, first.isLetter {
                guard let token = DatePattern.tokens[String(run)], !tokens.contains(token) else { return nil }
                tokens.append(token)
                rest.removeFirst(run.count)
            } else if first == " " {
                tokens.append(.blanks)
                rest.removeFirst(run.count)
            } else {
                tokens += String(first).utf8.map(Token.other)
                rest.removeFirst()
            }
        }
        let has = { (token: Token) in tokens.contains(token) }
        let hasMonth = has(.month) || has(.monthName)
        let hasHour = has(.hour) || has(.hourOfHalf)
        guard has(.year) != has(.shortYear), !(has(.month) && has(.monthName)), !(has(.hour) && has(.hourOfHalf)),
            has(.hourOfHalf) == has(.half), hasMonth || !has(.day), has(.day) || !hasHour, hasHour || !has(.minute),
            has(.minute) || !has(.second)
        else { return nil }
        self.tokens = tokens
    }

    /// A pattern in which a text is a date, or else an example.
    package static func likely(_ text: [UInt8]) -> String {
        let days = [
            "MM/DD/YYYY", "DD/MM/YYYY", "DD.MM.YYYY", "MM-DD-YYYY", "DD-MM-YYYY", "YYYY/MM/DD", "DD-MMM-YYYY",
            "DD MMM YYYY", "MMM DD, YYYY", "MM/DD/YY",
        ]
        let times = ["", " hh:mm:ss a", " HH:mm:ss", " HH:mm", " hh:mm a"]
        let patterns = days.flatMap { day in times.map { day + $0 } }
        return patterns.first { pattern in
            text.withUnsafeBytes { DateNotation(pattern)?.date(ofText: $0) } != nil
        } ?? days[0]
    }

    fileprivate func read(_ cursor: inout DateCursor, into fields: inout DateFields) -> Bool {
        var isAfternoon: Bool?
        for token in tokens {
            switch token {
            case .year:
                guard let year = cursor.number(of: 4...4) else { return false }
                fields.year = year
            case .shortYear:
                guard let year = cursor.number(of: 2...2) else { return false }
                fields.year = year + (year < 69 ? 2000 : 1900)
            case .monthName:
                guard let month = cursor.month() else { return false }
                fields.month = month
            case .month:
                guard let month = cursor.number(of: 1...2) else { return false }
                fields.month = month
            case .day:
                guard let day = cursor.number(of: 1...2) else { return false }
                fields.day = day
            case .hour, .hourOfHalf:
                guard let hour = cursor.number(of: 1...2), (token == .hour ? 0...23 : 1...12).contains(hour) else {
                    return false
                }
                fields.hour = hour
            case .minute:
                guard let minute = cursor.number(of: 1...2) else { return false }
                fields.minute = minute
            case .second:
                guard let second = cursor.number(of: 1...2) else { return false }
                fields.second = second
            case .half:
                let letters = cursor.word(with: ".")
                guard ["am", "pm", "a.m.", "p.m."].contains(letters) else { return false }
                isAfternoon = letters.first == "p"
            case .offset:
                guard let minutes = cursor.offsetMinutes() else { return false }
                fields.offsetMinutes = minutes
            case .blanks: guard cursor.skipBlanks() else { return false }
            case .other(let byte): guard cursor.skip(byte) else { return false }
            }
        }
        if let isAfternoon, let hour = fields.hour { fields.hour = hour % 12 + (isAfternoon ? 12 : 0) }
        return true
    }
}

/// Reads the parts of a date from bytes.
struct DateCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    private var nextIsDigit: Bool { next.map { $0 &- UInt8(ascii: "0") < 10 } ?? false }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool { skip(UInt8(ascii: scalar)) }

    /// - Returns: whether there was one.
    @discardableResult mutating func skipBlanks() -> Bool {
        let start = position
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
        return position > start
    }

    /// Reads as many digits as there are, up to a number of them; `nil`, and reads none, if they are too few.
    mutating func number(of count: ClosedRange<Int>) -> Int? {
        let start = position
        var value = 0
        while position - start < count.upperBound, let byte = next, byte &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int(byte & 15)
            position += 1
        }
        guard position - start >= count.lowerBound else {
            position = start
            return nil
        }
        return value
    }

    /// Reads letters as lower case ones.
    /// - Parameter other: a character that counts as a letter.
    fileprivate mutating func word(with other: Unicode.Scalar? = nil) -> String {
        var letters: [UInt8] = []
        while let byte = next, (byte | 0x20) &- UInt8(ascii: "a") < 26 || other.map({ UInt8(ascii: $0) }) == byte {
            letters.append(byte == UInt8(ascii: ".") ? byte : byte | 0x20)
            position += 1
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// An English name, or its first three letters.
    fileprivate mutating func month() -> Int? {
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        let word = word()
        return names.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
    }

    /// Reads `Z`, `+02:00`, `+0200` or `+02`; `nil`, and reads nothing, if there is none of these.
    fileprivate mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        var rest = self
        let isNegative = rest.skip("-")
        guard isNegative || rest.skip("+"), let hours = rest.number(of: 2...2), hours < 24 else { return nil }
        var minutes = hours * 60
        if rest.skip(":") || rest.nextIsDigit {
            guard let more = rest.number(of: 2...2), more < 60 else { return nil }
            minutes += more
        }
        self = rest
        return isNegative ? -minutes : minutes
    }

    /// - Returns: false if the text doesn't begin with a date.
    fileprivate mutating func readISO8601(into fields: inout DateFields) -> Bool {
        guard let year = number(of: 4...4) else { return false }
        fields.year = year
        if skip("-") {
            guard let month = number(of: 2...2) else { return false }
            fields.month = month
            guard skip("-") else { return true }
            guard let day = number(of: 2...2) else { return false }
            fields.day = day
        } else {
            guard let month = number(of: 2...2) else { return true }
            guard let day = number(of: 2...2) else { return false }
            (fields.month, fields.day) = (month, day)
        }
        let hasTime = skip("T") || skip("t")
        guard hasTime || skip(" ") else { return true }
        // The blank may be one at the end.
        guard hasTime || nextIsDigit else { return true }
        guard let hour = number(of: 2...2) else { return false }
        fields.hour = hour
        if skip(":") {
            guard let minute = number(of: 2...2) else { return false }
            fields.minute = minute
            if skip(":") {
                guard let second = number(of: 2...2) else { return false }
                fields.second = second
                if hour < 24, skip(".") || skip(",") {
                    guard let digit = number(of: 1...1) else { return false }
                    fields.millisecond = digit * 100 + (number(of: 1...1) ?? 0) * 10 + (number(of: 1...1) ?? 0)
                    while number(of: 1...1) != nil {}
                }
            }
        } else if hour == 24 {
            return false
        }
        _ = skip(" ")
        if let offset = offsetMinutes() { fields.offsetMinutes = offset }
        return true
    }
}
