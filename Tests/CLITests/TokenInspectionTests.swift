import AccessToken
import AuthStore
import OAuth
import OpenSSLCrypto
import Testing

@testable import AuthServer

private let now: Milliseconds = 1_800_000_000_000

/// A signed token with what is needed to judge it.
private struct Case {
    let ring: KeyRing
    let claims: AccessTokenClaims
    let token: [UInt8]
    let issuer: Issuer

    init(issuer: String = "http://127.0.0.1:8083", lifetime: Int64 = 3600, activatesAt: Milliseconds = 0)
        throws
    {
        let key = try PrivateKey.generate(.es256)
        let encoder = try AccessTokenEncoder(key: key)
        let detail = SigningKeyDetail(
            keyID: encoder.keyID, algorithm: .es256, createdAt: 0, activatesAt: activatesAt)
        let schedule = KeySchedule(keys: [detail], longestTokenLifetime: 3600)
        ring = KeyRing(schedule: schedule, privateKeys: [encoder.keyID: key])
        claims = AccessTokenClaims(
            issuer: issuer, audience: [try ResourceID("RESOURCE_ID_BOOK")], clientID: try ClientID("gateway"),
            issuedAt: now / 1000, expiresAt: now / 1000 + lifetime,
            tokenID: try TokenID("AAAAAAAAAAAAAAAAAAAAAA"), scopes: try Scopes(parsing: "read"))
        token = try encoder.encode(claims)
        self.issuer = try Issuer("http://127.0.0.1:8083")
    }

    func verify(ring: KeyRing? = nil, at moment: Milliseconds = now) throws -> VerifiedAccessToken {
        let token = try TokenInspection.read(token)
        return try TokenInspection.verify(token, issuer: issuer, ring: ring ?? self.ring, now: moment)
    }
}

@Suite("What is said of a token")
struct TokenInspectionTests {
    @Test("A token of this server is verified until the second of its exp (A12)")
    func expiry() throws {
        let token = try Case(lifetime: 60)
        #expect(try token.verify(at: now + 59_999).claims == token.claims)
        #expect(throws: TokenInspection.Reason(text: AccessTokenError.expired.description)) {
            try token.verify(at: now + 60_000)
        }
    }

    @Test("A token that has expired was signed by this server all the same, and another key's was not")
    func signatureOfExpired() throws {
        let expired = try Case(lifetime: -60)
        let token = try TokenInspection.read(expired.token)
        #expect(TokenInspection.isSigned(token, ring: expired.ring, now: now))
        #expect(try !TokenInspection.isSigned(token, ring: Case().ring, now: now))
    }

    @Test("A token of another issuer is named as such (G8)")
    func issuer() throws {
        let error = #expect(throws: TokenInspection.Reason.self) {
            try Case(issuer: "http://127.0.0.1:8083/").verify()
        }
        let text = error?.text ?? ""
        #expect(text.hasPrefix(AccessTokenError.wrongIssuer.description + ": "))
        #expect(text.contains("the issuer here is http://127.0.0.1:8083 (--issuer)"))
    }

    @Test("A token of another key is not this server's (G22)")
    func foreignKey() throws {
        let error = #expect(throws: TokenInspection.Reason.self) { try Case().verify(ring: Case().ring) }
        #expect(error?.text.contains("not signed with a key of this server") == true)
    }

    @Test("What is no token says why", arguments: ["", "abc", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func malformed(text: String) {
        #expect(throws: TokenInspection.Reason.self) { try TokenInspection.read(Array(text.utf8)) }
    }

    @Test("A token of a client that is gone is inactive (C9)")
    func removedClient() throws {
        #expect(throws: TokenInspection.Reason(text: "the client gateway is not registered any more")) {
            try TokenInspection.check(Case().claims, client: nil, revokedAt: nil)
        }
    }

    @Test("The store decides last")
    func store() {
        #expect(TokenInspection.reason(.active) == nil)
        #expect(TokenInspection.reason(.inactive) != nil)
    }
}
