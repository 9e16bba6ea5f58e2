import OutboundHTTP

@testable import AuthServer
@testable import OutboundHTTP

extension FuzzTarget {
    /// Issuer identifiers (RFC 8414 §2) as the server takes them and as guards and clients do, and addresses.
    static let issuer = FuzzTarget(name: "issuer") { input in
        let text = input.text
        if let issuer = try? Issuer(text) { check(issuer, text) }
        if let url = try? EndpointURL(text) { check(url) }
        if let address = ListenAddress(text) {
            demand(ListenAddress("\(address)") == address, "\(address) is another address")
        }
    }

    /// An issuer that the server takes is one that guards take, under the same name and with the same endpoints.
    private static func check(_ issuer: Issuer, _ text: String) {
        demand(issuer.value.isSame(as: text), "the issuer changes")
        guard let url = try? EndpointURL(text, allowsPlainHTTP: true) else {
            fatalError("a guard does not take \(text.debugDescription)")
        }
        demand(url.isEncrypted == issuer.isHTTPS, "https is a matter of opinion")
        demand((url.path == "/" ? "" : url.path).isSame(as: issuer.path), "\(url.path) is not \(issuer.path)")
        guard let location = try? ServerMetadata.location(of: url) else { fatalError("no metadata") }
        demand(
            location.path.isSame(as: "/.well-known/oauth-authorization-server" + issuer.path),
            "the metadata is at \(location.path)")
        demand(EndpointURL.isLoopback(url.host) == issuer.isLoopback, "\(url.host) is loopback, or not")
    }

    /// Plain http goes to this machine alone.
    private static func check(_ url: EndpointURL) {
        guard !url.isEncrypted else { return }
        let names = ["localhost", "[::1]", "::1"]
        let octets = url.host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress =
            octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        demand(names.contains(url.host) || isAddress, "\(url.host.debugDescription) is asked over plain http")
    }
}
