import PyramidPlatform

/// The host and the port of a `Host` field, in the one form in which they can be compared.
///
/// Source: [RFC 9110, 7.2](https://www.rfc-editor.org/rfc/rfc9110#section-7.2).
struct Authority: Equatable {
    /// In lower case, without a dot at the end. IPv6 addresses have brackets.
    let host: String
    /// `nil` for the scheme's default port.
    let port: UInt16?

    /// - Parameter text: such as "localhost:8080"; `nil` is returned for anything else.
    init?(_ text: some StringProtocol) {
        // Before it is lower case: a Kelvin sign would become a k.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        // The colons of an IPv6 address stand in its brackets.
        let isIPv6 = text.hasPrefix("[")
        let end = isIPv6 ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        var name = text[..<(end ?? text.endIndex)]
        let rest = text[(end ?? text.endIndex)...]
        if name.hasSuffix(".") { name.removeLast() }
        guard Authority.isName(name) || Authority.isAddress(name) else { return nil }
        host = String(name)
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { return nil }
        self.port = port
    }

    /// As in a URL.
    var text: String { port.map { "\(host):\($0)" } ?? host }

    /// Whether this is an IP address instead of a name.
    var isAddress: Bool { Authority.isAddress(host) }

    /// Whether the host is this machine for every browser, whatever a name server says (RFC 6761, 6.3).
    var isLoopback: Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && !text.isEmpty && !text.hasPrefix(".") && text.utf8.count <= 253
    }

    private static func isAddress(_ text: some StringProtocol) -> Bool {
        var address = in6_addr()
        if text.hasPrefix("["), text.hasSuffix("]") {
            return inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &address) == 1
        }
        return inet_pton(AF_INET, String(text), &address) == 1
    }
}

/// Where a page comes from, as browsers send it in the field `Origin`.
///
/// Source: [RFC 6454](https://www.rfc-editor.org/rfc/rfc6454).
struct WebOrigin: Equatable {
    /// "http" or "https".
    let scheme: String
    let authority: Authority

    /// - Parameter text: such as "https://example.org"; `nil` is returned for anything else, such as "null".
    init?(_ text: some StringProtocol) {
        let schemes = [("http", ":80"), ("https", ":443")]
        guard let (scheme, defaultPort) = schemes.first(where: { text.hasPrefix("\($0.0)://") }) else { return nil }
        var rest = text.dropFirst("\(scheme)://".count)
        // Browsers leave out the default port.
        if rest.hasSuffix(defaultPort) { rest.removeLast(defaultPort.count) }
        guard let authority = Authority(rest) else { return nil }
        self.scheme = scheme
        self.authority = authority
    }
}

extension RequestHead {
    /// Where the client sent the request to; `nil` if it doesn't say so, or not in a way that can be understood.
    var authority: Authority? { fields["host"].flatMap { Authority($0) } }
}
