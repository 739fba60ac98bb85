/// Which content codings a client accepts.
///
/// Source: [RFC 9110, 12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3).
struct AcceptEncoding {
    /// Whether to send gzip: its weight, given by name or by `*`, is above 0, and that of `identity` is not higher.
    ///
    /// A client that sends no such field gets plain bytes: programs that can inflate say so.
    let acceptsGzip: Bool

    /// - Parameter field: the value of the header field; `nil` if there is none.
    init(_ field: String?) {
        var weights: [String: Double] = [:]
        for element in (field ?? "").split(separator: ",") {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingBlanks)
            let coding = parts[0].lowercased()
            weights[coding == "x-gzip" ? "gzip" : coding] = AcceptEncoding.weight(parts.dropFirst())
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        acceptsGzip = gzip > 0 && gzip >= weights["identity"] ?? 0
    }

    /// The weight among the parameters, in 0 ... 1; 1 if there is none, and 0 if it isn't a number in that range.
    private static func weight(_ parameters: some Sequence<Substring>) -> Double {
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(\.trimmingBlanks)
            guard parts.first?.lowercased() == "q" else { continue }
            guard parts.count == 2, let weight = Double(parts[1]), (0...1).contains(weight) else { return 0 }
            return weight
        }
        return 1
    }
}
