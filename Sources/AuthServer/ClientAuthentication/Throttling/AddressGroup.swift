import Glibc

/// The addresses that are counted as one: an IPv4 address, or the /64 that an IPv6 address is in, since whoever has
/// one address of a /64 has all 2^64 (RFC 4291 §2.5.4).
enum AddressGroup: Hashable, Sendable, CustomStringConvertible {
    case ipv4(UInt32)
    case ipv6Prefix(UInt64)
    /// What is no address; all of them together.
    case unknown

    /// The group of an address in its text form, without port.
    init(_ address: String) {
        if address.utf8.contains(UInt8(ascii: ":")) {
            // A link-local address comes with its zone, `fe80::1%eth0`.
            self = Self.ipv6(String(address.prefix { $0 != "%" })) ?? .unknown
        } else {
            var bytes = in_addr()
            self = inet_pton(AF_INET, address, &bytes) == 1 ? .ipv4(bytes.s_addr.bigEndian) : .unknown
        }
    }

    private static func ipv6(_ address: String) -> AddressGroup? {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        let words = bytes.__in6_u.__u6_addr32
        let prefix = UInt64(words.0.bigEndian) << 32 | UInt64(words.1.bigEndian)
        let middle = words.2.bigEndian
        // An IPv4 address in IPv6 form (RFC 4291 §2.5.5.2), or behind a translator (RFC 6052 §2.1), is itself:
        // as /64s they would all be one.
        let isMapped = prefix == 0 && middle == 0xFFFF
        let isTranslated = prefix == 0x0064_FF9B_0000_0000 && middle == 0
        return isMapped || isTranslated ? .ipv4(words.3.bigEndian) : .ipv6Prefix(prefix)
    }

    /// A text that is the same on every server.
    var description: String {
        switch self {
        case .ipv4(let address): "4:\(String(address, radix: 16))"
        case .ipv6Prefix(let prefix): "6:\(String(prefix, radix: 16))"
        case .unknown: "unknown"
        }
    }
}
