internal import CMicroHTTPD
internal import Glibc
internal import OperatingSystem

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
        // The first is alone: with SO_REUSEPORT a second server of this user would take half of the connections unseen,
        // and of two that start at once the system lets one listen. Only then may the others join it.
        let first = try listen(try SocketAddress(host: host, port: port), shared: false, host: host)
        guard count > 1 else { return [first] }
        share(first.descriptor)
        var sockets = [first]
        while sockets.count < count {
            let address = try SocketAddress(host: host, port: first.port)
            sockets.append(try listen(address, shared: true, host: host))
        }
        return sockets
    }

    private static func listen(
        _ address: SocketAddress, shared: Bool, host: String
    ) throws(HTTPError) -> ListeningSocket {
        let descriptor = try bind(address, shared: shared, host: host)
        guard Glibc.listen(descriptor, 4096) == 0, let port = SocketAddress.localPort(of: descriptor) else {
            let problem = errno
            close(descriptor)
            throw refusal(problem, address, host)
        }
        return ListeningSocket(descriptor: descriptor, port: port)
    }

    private static func share(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, 4)
    }

    private static func bind(_ address: SocketAddress, shared: Bool, host: String) throws(HTTPError) -> Int32
    {
        let descriptor = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw HTTPError(.system, "no socket: \(SystemError.last)")
        }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        if shared { share(descriptor) }
        guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let problem = errno
            close(descriptor)
            throw refusal(problem, address, host)
        }
        return descriptor
    }

    private static func refusal(_ problem: Int32, _ address: SocketAddress, _ host: String) -> HTTPError {
        guard problem == EADDRINUSE else {
            return HTTPError(
                .system, "cannot use port \(address.port) of \(host): \(SystemError(code: problem))")
        }
        return HTTPError(
            .addressInUse,
            "port \(address.port) of \(host) is in use by another process: end it or choose another port")
    }
}
