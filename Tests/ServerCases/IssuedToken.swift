package import JOSE

/// A token of the server, taken apart and not verified.
package struct IssuedToken: Sendable {
    /// The header's members.
    package let header: JSONObject
    /// The claims.
    package let claims: JSONObject
    /// How many bytes the signature has.
    package let signatureByteCount: Int

    /// Takes a token apart; nil where it is none.
    package init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        signatureByteCount = signature.count
    }

    /// A claim.
    package subscript(claim: String) -> JSONValue? { claims[claim] }

    /// The `jti`.
    package var id: String { claims["jti"]?.string ?? "" }

    /// An integer claim; 0 where it is none.
    package func seconds(_ claim: String) -> Int64 {
        if case .integer(let seconds) = claims[claim] { seconds } else { 0 }
    }

    /// `aud` as a token has it: a string for one, an array for more.
    package static func audience(_ resources: [String]) -> JSONValue {
        resources.count == 1 ? .string(resources[0]) : .array(resources.map { .string($0) })
    }

    /// What is wrong with its form (RFC 9068 §2).
    var problems: [String] {
        var problems: [String] = []
        if header["typ"] != "at+jwt" { problems.append("typ is not at+jwt") }
        if header["kid"]?.string?.utf8.count != 43 { problems.append("kid is no thumbprint of RFC 7638") }
        if header.members.map(\.name).sorted() != ["alg", "kid", "typ"] {
            problems.append("the header has other members than alg, kid and typ")
        }
        let names = claims.members.map(\.name).sorted()
        if names != ["aud", "client_id", "exp", "iat", "iss", "jti", "scope", "sub"] {
            problems.append("the claims are \(names)")
        }
        if claims["sub"] == nil || claims["sub"] != claims["client_id"] {
            problems.append("sub is not client_id")
        }
        if id.utf8.count != 22 { problems.append("jti has not 128 bits in base64url") }
        if header["alg"] == "ES256", signatureByteCount != 64 {
            problems.append("the ES256 signature has \(signatureByteCount) bytes (RFC 7518 section 3.4)")
        }
        return problems
    }

    private static func object(_ part: String) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON.parse($0).object }
    }
}
