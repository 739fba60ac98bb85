/// Which coordinate comes first where one cell has both as a pair or an array.
public enum PointOrder: String, Codable, CaseIterable, Sendable {
    case latitudeFirst = "lat-lon"
    case longitudeFirst = "lon-lat"

    /// Splits `name:lon-lat` into the name of the column and its order.
    ///
    /// A column can really have such a name. `fullName(of:)` is that name, which readers prefer if the header has it.
    /// - Returns: the whole text as the name if it doesn't end with an order.
    public static func split(_ text: String) -> (column: String, order: PointOrder?) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let order = PointOrder(rawValue: String(text[text.index(after: colon)...]))
        else { return (text, nil) }
        return (String(text[..<colon]), order)
    }

    /// The text that ``split(_:)`` splits into a column and this order.
    func fullName(of column: String) -> String { "\(column):\(rawValue)" }
}
