internal import EventLoop
internal import Glibc

/// Finds the address of a host on a thread of its own: the system's resolver blocks.
enum HostLookup {
    /// Whether a host is an address already.
    static func isAddress(_ host: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }

    /// Calls `body` with the host's first address, or nil; on another thread.
    static func resolve(_ host: String, _ body: @escaping @Sendable (String?) -> Void) {
        do throws(EventLoopError) {
            let thread = try EventLoop.start(name: "resolve")
            thread.loop.execute {
                body(address(of: host))
                thread.loop.stop()
            }
        } catch { body(nil) }
    }

    private static func address(of host: String) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0, let found = list?.pointee, let address = found.ai_addr else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(address, found.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
