/// The names by which a server may be called, and the pages of other origins that may read from it.
///
/// A web page can point its own name to this machine (DNS rebinding) and would then read everything that is served here
/// as its own. Its requests have that name as their `Host`, so only known names are answered. IP addresses can't be
/// redirected like this, so all of them are accepted.
public struct ServerAccess: Sendable {
    private var hosts: Set<String> = []
    private var origins: [WebOrigin] = []
    private var allowsAllOrigins = false
    /// Receives a host that was refused, and gives the end of a sentence.
    private var cure: @Sendable (_ host: String) -> String = { "add \($0) to the hosts of its access" }

    /// A host or an origin that can't be read.
    public enum InvalidEntry: Error, Equatable {
        case host(String)
        case origin(String)
    }

    /// Accepts only the names and pages of this machine, and IP addresses.
    public init() {}

    /// - Parameters:
    ///   - hosts: more accepted host names, without scheme and port. `localhost` and `*.localhost` are always accepted.
    ///   - origins: more accepted origins, such as "https://example.org", or "*" for all. Those of this machine are
    ///     always accepted.
    ///   - cure: how the user can allow a refused host, as the end of a sentence; `nil` for a text about this library.
    public init(
        hosts: [String] = [], origins: [String] = [], cure: (@Sendable (_ host: String) -> String)? = nil
    ) throws(InvalidEntry) {
        if let cure { self.cure = cure }
        for text in hosts {
            guard let authority = Authority(text), authority.port == nil else { throw .host(text) }
            self.hosts.insert(authority.host)
        }
        for text in origins where text != "*" {
            guard let origin = WebOrigin(text) else { throw .origin(text) }
            self.origins.append(origin)
        }
        allowsAllOrigins = origins.contains("*")
    }

    /// Allows the name that the server listens on, too.
    mutating func allow(_ host: String) {
        if let authority = Authority(host) { hosts.insert(authority.host) }
    }

    /// The answer to a request for a host that isn't accepted; `nil` if it is. Clients without a `Host` are no browsers.
    func refusal(of request: RequestHead) -> Response? {
        guard request.fields["host"] != nil else { return nil }
        guard let authority = request.authority else {
            return Response(.badRequest, text: "the Host is not a name or an address, with or without a port")
        }
        let host = authority.host
        guard !authority.isAddress, !authority.isLoopback, !hosts.contains(host) else { return nil }
        return Response(.forbidden, text: "\(host) is not a known name of this server; to allow it, \(cure(host))")
    }

    /// The header fields that let a page of another origin read the response, if it may.
    func fields(for request: RequestHead) -> [(name: String, value: String)] {
        var fields = [("Access-Control-Expose-Headers", "*, ETag, Content-Range")]
        if allowsAllOrigins { return fields + [("Access-Control-Allow-Origin", "*")] }
        fields.append(("Vary", "Origin"))
        // A development server is on another port of the same host.
        if let text = request.fields["origin"], let origin = WebOrigin(text),
            origin.authority.isLoopback || origin.authority.host == request.authority?.host || origins.contains(origin)
        {
            fields.append(("Access-Control-Allow-Origin", text))
        }
        return fields
    }
}
