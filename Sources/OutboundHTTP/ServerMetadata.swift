internal import FoundationEssentials

/// What an authorization server says of itself (RFC 8414 §2), as far as a client or a resource server needs it.
package struct ServerMetadata: Sendable {
    /// `jwks_uri`.
    package let keys: EndpointURL?
    /// `token_endpoint`.
    package let tokenEndpoint: EndpointURL?

    private struct Document: Decodable {
        let issuer: String
        let jwks_uri: String?
        let token_endpoint: String?
    }

    /// Why a metadata document is of no use.
    package struct Invalid: Error, Sendable, CustomStringConvertible {
        /// What is wrong with it.
        package let description: String
    }

    /// Where an issuer's metadata is (RFC 8414 §3.1).
    package static func location(of issuer: EndpointURL) throws(EndpointURLError) -> EndpointURL {
        try issuer.wellKnown("oauth-authorization-server")
    }

    /// Reads the document that an issuer's location answered.
    ///
    /// Its `issuer` must equal the issuer asked for, byte by byte (RFC 8414 §3.3). The endpoints must be https;
    /// an issuer on plain http may name plain http on its own host.
    package init(_ response: OutboundResponse, issuer: EndpointURL) throws(Invalid) {
        guard response.status == 200 else {
            throw Invalid(
                description: "the issuer's metadata answered status \(response.status)"
                    + Self.advice(for: response.status, of: issuer))
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(response.body)) else {
            throw Invalid(description: "the issuer's metadata is not a JSON object with an issuer")
        }
        guard document.issuer.utf8.elementsEqual(issuer.text.utf8) else {
            throw Invalid(
                description:
                    "the issuer's metadata is for another issuer: \(LogText.quoted(document.issuer)) instead of "
                    + LogText.quoted(issuer.text) + Self.advice(stated: document.issuer, of: issuer))
        }
        keys = try Self.endpoint(document.jwks_uri, "jwks_uri", issuer)
        tokenEndpoint = try Self.endpoint(document.token_endpoint, "token_endpoint", issuer)
    }

    private static func advice(stated: String, of issuer: EndpointURL) -> String {
        NearIssuer.advice(stated: stated, expected: issuer.text, recipient: "this service")
            .map { ": " + $0 } ?? ""
    }

    /// Some servers answer plain http at a port of https with 400, others lead from one to the other.
    private static func advice(for status: Int, of issuer: EndpointURL) -> String {
        switch status {
        case 300..<400: "; redirects are not followed: give this service the issuer that the server has"
        case 400 where !issuer.isEncrypted:
            "; perhaps it speaks https there: check the issuer's scheme and port"
        case 404: "; check the issuer: it is the `issuer` of the server, and not its token endpoint"
        default: ""
        }
    }

    private static func endpoint(
        _ text: String?, _ member: String, _ issuer: EndpointURL
    ) throws(Invalid) -> EndpointURL? {
        guard let text else { return nil }
        guard let url = try? EndpointURL(text, allowsPlainHTTP: true) else {
            throw Invalid(description: "the issuer's metadata has a \(member) that is not a URL")
        }
        guard url.isEncrypted || (!issuer.isEncrypted && url.host == issuer.host) else {
            throw Invalid(
                description:
                    "the issuer's metadata has a \(member) that is not https: \(LogText.quoted(text))")
        }
        return url
    }
}
