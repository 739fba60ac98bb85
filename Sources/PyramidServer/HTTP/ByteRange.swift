/// Which bytes of a file a client asks for.
///
/// Source: [RFC 9110, 14](https://www.rfc-editor.org/rfc/rfc9110#section-14).
enum ByteRange: Equatable {
    /// No part, or more than one, or nothing that can be understood: the answer is the whole file.
    case whole
    case part(Range<Int>)
    /// A part that the file doesn't have.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the value of the header field `Range`; `nil` if there is none.
    ///   - condition: that of `If-Range`.
    ///   - tag: of the file as it is now. A date is never taken for it.
    init(_ field: String?, condition: String?, tag: EntityTag, byteCount: Int) {
        self = .whole
        guard let field, condition == nil || condition == tag.text, field.lowercased().hasPrefix("bytes=") else {
            return
        }
        let bounds = field.dropFirst("bytes=".count).trimmingBlanks
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        let isNumber = { (text: Substring) in
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard bounds.allSatisfy(isNumber), !(bounds[0].isEmpty && bounds[1].isEmpty) else { return }
        // A number too large for any file.
        let (first, last) = (Int(bounds[0]) ?? .max, Int(bounds[1]) ?? .max)
        if bounds[0].isEmpty {
            self = last == 0 || byteCount == 0 ? .unsatisfiable : .part(max(byteCount - last, 0)..<byteCount)
        } else if first <= last {
            self = first >= byteCount ? .unsatisfiable : .part(first..<(last < byteCount ? last + 1 : byteCount))
        }
    }
}
