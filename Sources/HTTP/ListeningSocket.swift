internal import CMicroHTTPD
internal import Glibc

/// A socket that listens; closed when released.
public final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// The port in use: what was asked for, or what the system chose for 0.
    public let port: Int

    private init(descriptor: Int32, port: Int) {
        self.descriptor = descriptor
        self.port = port
    }

    deinit { close(descriptor) }

    /// Sockets that share one address, one for each thread, between which the system spreads connections.
    /// - Parameters:
    ///   - host: a host name or address, such as `127.0.0.1`, `::1` or `localhost`.
    ///   - port: the port, or 0 for a free one.
    /// - Throws: `HTTPError`, with `addressInUse` where another process listens there.
    public static func open(host: String, port: Int, count: Int) throws(HTTPError) -> [ListeningSocket] {
        let address = try SocketAddress(host: host, port: port)
        // Alone first: with SO_REUSEPORT a second server of this user would take half of the connections unseen.
        let probe = try bind(address, shared: false, host: host)
        close(probe)
        let first = try listen(address, host: host)
        var sockets = [first]
        while sockets.count < count {
            sockets.append(try listen(try SocketAddress(host: host, port: first.port), host: host))
        }
        return sockets
    }

    private static func listen(_ address: SocketAddress, host: String) throws(HTTPError) -> ListeningSocket {
        let descriptor = try bind(address, shared: true, host: host)
        guard Glibc.listen(descriptor, 4096) == 0, let port = SocketAddress.localPort(of: descriptor) else {
            close(descriptor)
            throw HTTPError(.system, "cannot listen on \(host): \(String(cString: strerror(errno)))")
        }
        return ListeningSocket(descriptor: descriptor, port: port)
    }

    private static func bind(_ address: SocketAddress, shared: Bool, host: String) throws(HTTPError) -> Int32
    {
        let descriptor = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw HTTPError(.system, "no socket: \(String(cString: strerror(errno)))")
        }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        if shared { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, 4) }
        guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let problem = errno
            close(descriptor)
            if problem == EADDRINUSE {
                throw HTTPError(
                    .addressInUse,
                    "port \(address.port) of \(host) is in use by another process: end it or choose another port"
                )
            }
            throw HTTPError(
                .system, "cannot use port \(address.port) of \(host): \(String(cString: strerror(problem)))")
        }
        return descriptor
    }
}
