import PyramidTiles

/// Whether a collection says that it has only some of the features that its server knows. Servers that send features
/// page by page write such members beside the features:
/// `exceededTransferLimit` ([ArcGIS](https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/)),
/// and a link to the next page ([OGC API Features](https://docs.ogc.org/is/17-069r4/17-069r4.html)).
struct StatedCompleteness: Sendable {
    /// The member that says so, as a message shows it; `nil` if the collection is complete as far as it says.
    private(set) var sign: String?

    /// Takes note of a member of the collection that isn't its type or its features.
    mutating func add(_ name: JSONText, _ value: JSONValue, in bytes: Span<UInt8>) {
        func isTrue(_ name: JSONText, _ value: JSONValue) -> Bool {
            bytes.isEqual(name, "exceededTransferLimit") && value.kind == .boolean
                && bytes[value.range.lowerBound] == UInt8(ascii: "t")
        }
        let members = bytes.isEqual(name, "properties") ? (try? value.members(in: bytes)) ?? [] : []
        // Newer versions of ArcGIS write it in the properties.
        if isTrue(name, value) || members.contains(where: { isTrue($0.name, $0.value) }) {
            sign = "\"exceededTransferLimit\": true"
        } else if bytes.isEqual(name, "next"), value.kind == .text, !value.text.range.isEmpty {
            // An address, as Django writes it.
            sign = "\"next\": \(InputError.quoted(bytes.extracting(value.text.range)))"
        } else if bytes.isEqual(name, "links") {
            let hasNext = ((try? value.elements(in: bytes)) ?? []).contains { link in
                ((try? link.members(in: bytes)) ?? []).contains {
                    bytes.isEqual($0.name, "rel") && $0.value.kind == .text && bytes.isEqual($0.value.text, "next")
                }
            }
            if hasNext { sign = "a link to the next page" }
        }
    }

    /// One warning for all inputs that aren't complete; `nil` if there are none.
    /// - Parameter signs: for each input, the sign of its last collection: if a file has all pages, the last one has
    ///   no next.
    static func warning(_ inputs: [(name: String, sign: String?)]) -> OptionMessage? {
        let partial = inputs.filter { $0.sign != nil }
        guard let first = partial.first, let sign = first.sign else { return nil }
        let others = partial.count > 1 ? " and \(NumberText.counted(partial.count - 1, "other file"))" : ""
        return
            "\(first.name)\(others) \(partial.count > 1 ? "say" : "says") that not all features are in it (\(sign)); "
            + "download the rest too, page by page, and name all files"
    }
}
