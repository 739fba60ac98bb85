import PyramidTiles

/// What the summary says about accepted rows that are odd.
extension InputReport {
    mutating func addRemarks(of readers: [any PointReader]) {
        for reader in readers {
            if let note = reader.rows.note {
                notes.append(readers.count == 1 ? "\(note)" : "\(reader.input.name): \(note)")
            }
        }
        for remark in RowRemark.allCases {
            let count = readers.reduce(0) { $0 + $1.rows.remarks[remark].count }
            guard let first = readers.first(where: { $0.rows.remarks[remark].count > 0 }) else { continue }
            let found = first.rows.remarks[remark]
            let place = "\(first.input.name):\(first.input.line(at: found.firstRow))"
            let rows = NumberText.counted(count, "row")
            let note = describe(remark, count, rows, count == 1 ? place : "first in \(place)", found.example)
            notes.append(note)
            if [.quoteAsText, .spareText, .largeID].contains(remark) { warnings.append(note) }
            if remark == .wrappedEast || remark == .wrappedWest, count * 10 < rowsAccepted {
                let side = remark == .wrappedEast ? "over 180" : "under -180"
                warnings.append(
                    "only \(rows) of \(NumberText.grouped(rowsAccepted)) \(count == 1 ? "has" : "have") a longitude "
                        + "\(side): a typing error, as in \(place)?")
            }
        }
    }

    /// - Parameters:
    ///   - first: where the first of the rows is.
    ///   - example: what is shown of it.
    private func describe(
        _ remark: RowRemark, _ count: Int, _ rows: String, _ first: String, _ example: String
    ) -> OptionMessage {
        let have = count == 1 ? "has" : "have"
        let longitudes = NumberText.counted(count, "longitude")
        let were = count == 1 ? "was" : "were"
        return switch remark {
        case .quoteAsText: "quotes that don't enclose a cell were read as text in \(rows), \(first)"
        case .byteOrderMark: "a byte order mark before \(rows) was left out, \(first); were files joined?"
        case .shortRow: "\(rows) \(have) fewer cells than the header, \(first); the missing ones are empty"
        case .spareText:
            "\(rows) \(have) more cells than the header, \(first); the spare cells are left out: does a text with a "
                + "delimiter lack its quotes?"
        case .wrappedEast: "\(longitudes) over 180 \(were) read as 360 less, \(first)"
        case .wrappedWest: "\(longitudes) under -180 \(were) read as 360 more, \(first)"
        case .textCoordinate:
            "coordinates are strings, expected numbers, in \(rows), \(first); they were read as numbers"
        case .packedMinutes: "degrees and minutes are one number, as in NMEA's 4807.038, in \(rows), \(first)"
        case .latitudeFirst: "points are read with the latitude first in \(rows); see \(.pointColumn)"
        case .longitudeFirst: "points are read with the longitude first in \(rows); see \(.pointColumn)"
        case .blanks:
            "blanks around values that options compare were left out in \(rows), \(first): \(example)"
        case .unusableValue:
            "\(rows) \(have) properties that are left out, because they are NaN, Infinity or otherwise no value that every "
                + "reader can use, \(first): \(example)"
        case .largeID:
            "ids over 2^53 in \(rows), \(first): browsers and other readers of JSON numbers round them; write them as strings"
        case .repeatedName: "\(rows) \(have) a name twice, \(first): \(example); the last value counts"
        }
    }
}
