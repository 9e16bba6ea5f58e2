internal import AccessToken
internal import AuthStore
internal import JOSE
internal import OAuth
internal import OpenSSLCrypto

/// The cases of introspection and revocation.
package enum TokenStateCases {
    /// All of them.
    package static let all: [ServerCase] = [
        introspection, inactive, callers, caching, malformedForms, methods, requests, revocation, hints,
        ignored,
    ].flatMap { $0 }
    /// The endpoints that take a token.
    static let paths = ["/oauth/introspect", "/oauth/revoke"]

    /// Texts that are no active token of this server, by name, and how they are made.
    package static let garbage: [(String, @Sendable (Dialogue) async throws -> String)] = [
        ("garbage", { _ in "garbage" }),
        ("three parts of garbage", { _ in "a.b.c" }),
        ("10 kB of dots", { _ in String(repeating: ".", count: 10_000) }),
        ("a token with a bit of its signature changed", { tampered(try await $0.issue()) }),
        ("an unsigned token", { unsigned(try await $0.issue()) }),
        ("a token with claims of its own", { try forged(Forgery(key: nil, issuer: $0.server.issuer)) }),
        (
            "a token of another issuer with our key",
            { try forged(Forgery(key: try ownKey($0), issuer: "https://other.example.com")) }
        ),
        (
            "a token that the store does not know",
            { try forged(Forgery(key: try ownKey($0), issuer: $0.server.issuer)) }
        ),
        ("C5 our signature on typ JWT", { try await signed($0, type: "JWT") }),
        ("C5 our signature on a DPoP proof", { try await signed($0, type: "dpop+jwt") }),
        ("C5 our signature on a logout token", { try await signed($0, type: "logout+jwt") }),
    ]

    /// Texts that guards take, who know more issuers than this server.
    static let notOurs: [(String, @Sendable (Dialogue) async throws -> String)] = [
        (
            "our signature on a subject that is not the client",
            { try await signed($0, type: "at+jwt", subject: "someone") }
        )
    ]

    // MARK: Making them

    private struct Forgery {
        let key: KeyRing.Key?
        let issuer: String
    }

    private static func ownKey(_ dialogue: Dialogue) throws -> KeyRing.Key? {
        try dialogue.server.scenario.registry().keyRing().signing(at: WallClock.now())
    }

    private static func forged(_ forgery: Forgery) throws -> String {
        let key = try forgery.key?.privateKey ?? PrivateKey.generate(.es256)
        let now = WallClock.now() / 1000
        let claims = AccessTokenClaims(
            issuer: forgery.issuer, audience: [try ResourceID("RESOURCE_ID_BOOK")],
            clientID: try ClientID("gateway"), issuedAt: now, expiresAt: now + 3600,
            tokenID: try TokenID("0123456789012345678901"), scopes: try Scopes(parsing: "read"))
        let encoder = try AccessTokenEncoder(key: key, keyID: forgery.key?.keyID)
        return String(decoding: try encoder.encode(claims), as: UTF8.self)
    }

    /// The claims of a token that is active, under our signature, as a JWT of another type (RFC 9068 §4).
    private static func signed(
        _ dialogue: Dialogue, type: String, subject: String? = nil
    ) async throws -> String {
        let token = try await dialogue.issue()
        guard let key = try ownKey(dialogue), var claims = IssuedToken(token)?.claims else {
            throw CaseFailure("there is no signing key")
        }
        if let subject { claims["sub"] = .string(subject) }
        let signer = try CompactJWSSigner(key: key.privateKey, keyID: key.keyID, type: type)
        return String(decoding: try signer.sign(JSON.serialize(.object(claims)).span), as: UTF8.self)
    }

    private static func tampered(_ token: String) -> String {
        // The fifth last character: all of its bits count.
        let end = token.index(token.endIndex, offsetBy: -5)
        return token[..<end] + (token[end] == "A" ? "B" : "A") + token[token.index(after: end)...]
    }

    private static func unsigned(_ token: String) -> String {
        let parts = token.split(separator: ".")
        return "\(Base64URL.encode(Array(#"{"alg":"none","typ":"at+jwt"}"#.utf8))).\(parts[1])."
    }
}
