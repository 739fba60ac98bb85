import PyramidTiles

/// What the summary says about accepted rows that are odd.
extension InputReport {
    /// One remark about the rows of all inputs.
    private struct Sum {
        let count: Int
        /// Of the first such row, with its input.
        let place: String
        let example: String

        var rows: String { NumberText.counted(count, "row") }

        /// `nil` if there is no such row.
        init?(_ remark: RowRemark, _ readers: [any PointReader]) {
            count = readers.reduce(0) { $0 + $1.rows.remarks[remark].count }
            guard let first = readers.first(where: { $0.rows.remarks[remark].count > 0 }) else { return nil }
            let entry = first.rows.remarks[remark]
            let elements = first.input.elements
            var lines = LineCounter()
            place = "\(first.input.name):\(lines.line(at: entry.firstRow, in: elements.span))"
            example = entry.example
        }
    }

    mutating func addRemarks(of readers: [any PointReader], countAtWest: Int) {
        for reader in readers {
            if let note = reader.note { notes.append(readers.count == 1 ? "\(note)" : "\(reader.input.name): \(note)") }
        }
        for remark in RowRemark.allCases {
            guard let sum = Sum(remark, readers), let (note, isWarning) = describe(remark, sum) else { continue }
            notes.append(note)
            if isWarning { warnings.append(note) }
            if remark == .wrappedLongitude,
                let warning = warning(
                    ofWrapped: sum, countAtWest: countAtWest + (Sum(.wrappedToZero, readers)?.count ?? 0))
            {
                warnings.append(warning)
            }
        }
    }

    private func describe(_ remark: RowRemark, _ sum: Sum) -> (note: OptionMessage, isWarning: Bool)? {
        let first = sum.count == 1 ? sum.place : "first in \(sum.place)"
        let have = sum.count == 1 ? "has" : "have"
        switch remark {
        case .quoteAsText:
            return (
                "quotes that don't enclose a cell were read as text in \(sum.rows), \(first); see \(.quotes)", true
            )
        case .byteOrderMark:
            return ("a byte order mark before \(sum.rows) was left out, \(first); were files joined?", false)
        case .shortRow:
            return ("\(sum.rows) \(have) fewer cells than the header, \(first); the missing ones are empty", false)
        case .spareText:
            return (
                "\(sum.rows) \(have) more cells than the header, \(first); the spare cells are left out: does a text with "
                    + "a delimiter lack its quotes?", true
            )
        case .wrappedLongitude:
            let longitudes = NumberText.counted(sum.count, "longitude")
            return ("\(longitudes) over 180 \(sum.count == 1 ? "was" : "were") read as 360 less, \(first)", false)
        case .wrappedWest:
            let longitudes = NumberText.counted(sum.count, "longitude")
            return ("\(longitudes) under -180 \(sum.count == 1 ? "was" : "were") read as 360 more, \(first)", false)
        case .packedMinutes:
            return ("degrees and minutes are one number, as in NMEA's 4807.038, in \(sum.rows), \(first)", false)
        case .wrappedToZero: return nil
        case .latitudeFirst:
            return ("points are read with the latitude first in \(sum.rows); see \(.pointColumn)", false)
        case .longitudeFirst:
            return ("points are read with the longitude first in \(sum.rows); see \(.pointColumn)", false)
        case .unusableValue:
            return (
                "\(sum.rows) \(have) properties that are left out, because they are NaN, Infinity or otherwise no value that "
                    + "every reader can use, \(first): \(sum.example)", false
            )
        case .largeID:
            return (
                "ids over 2^53 in \(sum.rows), \(first): browsers and other readers of JSON numbers round them; write them as "
                    + "strings", true
            )
        case .repeatedName:
            return (
                "\(sum.rows) \(have) a name twice, \(first): \(sum.example); the last value counts", false
            )
        }
    }

    /// - Parameter countAtWest: the number of accepted rows whose longitudes are negative, or were over 180.
    private func warning(ofWrapped sum: Sum, countAtWest: Int) -> OptionMessage? {
        if countAtWest > sum.count {
            return "some longitudes are negative and others are over 180: are they typing errors, as in \(sum.place)?"
        }
        guard sum.count * 10 < rowsAccepted else { return nil }
        return
            "only \(sum.rows) of \(NumberText.grouped(rowsAccepted)) \(sum.count == 1 ? "has" : "have") a longitude over "
            + "180: a typing error, as in \(sum.place)?"
    }
}
