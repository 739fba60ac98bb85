import FlyingSocks
import PyramidPlatform

/// Why the server can't start.
public struct ListeningError: Error, CustomStringConvertible {
    /// One line.
    public let description: String
    /// Whether another program listens there.
    public var isInUse = false
}

/// The address that a server listens on.
struct ListeningAddress {
    let host: String
    let port: UInt16

    /// The socket, bound and listening.
    func listen() throws -> Socket {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let address = found?.pointee else {
            throw ListeningError(description: "\(host): \(String(cString: gai_strerror(code)))")
        }
        do {
            return try listen(at: address)
        } catch SocketError.failed(_, let code, _) {
            throw ListeningError(
                description: "\(host):\(port): can't listen: \(String(cString: strerror(code)))",
                isInUse: code == EADDRINUSE)
        }
    }

    private func listen(at address: addrinfo) throws -> Socket {
        let socket = try Socket(domain: address.ai_family)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
                try socket.setValue(true, for: .noSIGPIPE)
            #endif
            guard bind(socket.file.rawValue, address.ai_addr, address.ai_addrlen) == 0 else {
                throw SocketError.makeFailed("Bind")
            }
            try socket.listen()
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// The URL of the server that listens on a socket.
    func url(of socket: Socket) throws -> String {
        switch try socket.sockname() {
        case .ip4(let address, let port): "http://\(address):\(port)/"
        case .ip6(let address, let port): "http://[\(address)]:\(port)/"
        case .unix(let path): path
        }
    }
}
