internal import Dispatch
internal import Glibc

/// Turns a host into numeric addresses without ever blocking the loop: names are looked up on a helper thread.
enum AddressResolver {
    /// Whether a host is an address already.
    static func isNumeric(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    }

    /// Looks a name up and hands over its addresses, in the system's order of preference, on some thread.
    static func resolve(
        _ host: String, _ completion: @escaping @Sendable (Result<[String], RedisError>) -> Void
    ) {
        DispatchQueue.global().async { completion(lookUp(host)) }
    }

    private static func lookUp(_ host: String) -> Result<[String], RedisError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            let reason = String(cString: gai_strerror(status))
            return .failure(.unavailable("the Redis host \(host) is not found: \(reason)"))
        }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            if let address = numeric(entry.pointee), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    private static func numeric(_ entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            guard
                getnameinfo(
                    entry.ai_addr, entry.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0,
                    NI_NUMERICHOST) == 0, let text = buffer.baseAddress
            else { return nil }
            return String(cString: text)
        }
    }
}
