import PyramidTiles

/// Whether a collection says that it has only some of the features that its server knows. Servers that send features
/// page by page write such members beside the features:
/// `exceededTransferLimit` ([ArcGIS](https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/)),
/// `numberMatched` and a link to the next page ([OGC API Features](https://docs.ogc.org/is/17-069r4/17-069r4.html)).
struct StatedCompleteness: Sendable {
    /// The member that says so, as a message shows it; `nil` if the collection is complete as far as it says.
    var sign: String? {
        if let matched, let returned, matched > returned {
            return "\"numberMatched\": \(matched), \"numberReturned\": \(returned)"
        }
        return stated
    }

    private var stated: String?
    private var matched, returned: Int?

    /// Takes note of a member of the collection that isn't its type or its features.
    mutating func add(_ name: JSONText, _ value: JSONValue, in bytes: Span<UInt8>) {
        if bytes.isEqual(name, "properties") {
            // Where newer versions of ArcGIS write it.
            for (name, value) in (try? value.members(in: bytes)) ?? []
            where bytes.isEqual(name, "exceededTransferLimit") {
                addLimit(value, in: bytes)
            }
        } else if bytes.isEqual(name, "exceededTransferLimit") {
            addLimit(value, in: bytes)
        } else if bytes.isEqual(name, "numberMatched") {
            matched = value.integer(in: bytes)
        } else if bytes.isEqual(name, "numberReturned") {
            returned = value.integer(in: bytes)
        } else if bytes.isEqual(name, "next"), value.kind == .text,
            value.text.range.contains(where: { bytes[$0] == UInt8(ascii: "/") })
        {
            // An address, as Django writes it.
            stated = "\"next\": \(InputError.quoted(bytes.extracting(value.text.range)))"
        } else if bytes.isEqual(name, "links"), StatedCompleteness.hasNextLink(value, in: bytes) {
            stated = "a link to the next page"
        }
    }

    private mutating func addLimit(_ value: JSONValue, in bytes: Span<UInt8>) {
        if value.kind == .boolean, bytes[value.range.lowerBound] == UInt8(ascii: "t") {
            stated = "\"exceededTransferLimit\": true"
        }
    }

    /// An array of links with their relations, or as in JSON:API an object with the addresses.
    private static func hasNextLink(_ links: JSONValue, in bytes: Span<UInt8>) -> Bool {
        func has(_ object: JSONValue, _ isWanted: (JSONText, JSONValue) -> Bool) -> Bool {
            (try? object.members(in: bytes))?.contains { isWanted($0.name, $0.value) } ?? false
        }
        return has(links) { bytes.isEqual($0, "next") && ($1.kind == .text || $1.kind == .object) }
            || ((try? links.elements(in: bytes)) ?? []).contains { link in
                has(link) { bytes.isEqual($0, "rel") && $1.kind == .text && bytes.isEqual($1.text, "next") }
            }
    }

    /// One warning for all inputs that aren't complete; `nil` if there are none.
    /// - Parameter signs: for each input, the sign of its last collection: if a file has all pages, the last one has
    ///   no next.
    static func warning(_ inputs: [(name: String, sign: String?)]) -> OptionMessage? {
        let partial = inputs.filter { $0.sign != nil }
        guard let first = partial.first, let sign = first.sign else { return nil }
        let cure = "download the rest too, page by page, and name all files"
        guard inputs.count > 1 else { return "the file says that it is not complete (\(sign)); \(cure)" }
        guard partial.count > 1 else { return "\(first.name) says that it is not complete (\(sign)); \(cure)" }
        return "\(partial.count) of \(inputs.count) files say that they are not complete, the first is \(first.name) "
            + "(\(sign)); unless the others are the rest, \(cure)"
    }
}

extension JSONValue {
    fileprivate func integer(in bytes: Span<UInt8>) -> Int? {
        kind == .number ? Int(String(decoding: range.map { bytes[$0] }, as: UTF8.self)) : nil
    }
}
