internal import CMicroHTTPD
internal import Glibc

/// An internet address and port as the system wants it.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    /// Resolves a host; blocks while the system's resolver works, so for start-up alone.
    init(host: String, port: Int) throws(HTTPError) {
        guard (0...65535).contains(port) else {
            throw HTTPError(.badAddress, "\(port) is no port: choose one from 0 to 65535")
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0, let found = list?.pointee, let address = found.ai_addr,
            Int(found.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
        else {
            throw HTTPError(
                .badAddress, "\(host) is no address of this machine: use one such as 127.0.0.1 or ::1")
        }
        length = found.ai_addrlen
        memcpy(&storage, address, Int(found.ai_addrlen))
    }

    /// Takes a new connection's address.
    init(_ storage: sockaddr_storage, length: socklen_t) {
        self.storage = storage
        self.length = length
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    var port: Int {
        withUnsafeBytes(of: storage) { bytes in Int(bytes[2]) << 8 | Int(bytes[3]) }
    }

    /// The numeric address without port; an IPv4 address that came through an IPv6 socket as IPv4.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = withPointer {
            getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard status == 0 else { return "unknown" }
        let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
    }

    static func localPort(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? SocketAddress(storage, length: length).port : nil
    }
}
