import AccessToken
import JOSE
import OAuth
import OpenSSLCrypto
import Testing

@Suite("Access tokens, written and read") struct RoundTripTests {
    static let claims: [AccessTokenClaims] = {
        let texts: [([String], String, String)] = [
            (["RESOURCE_ID_BOOK"], "gateway", "read"),
            (["RESOURCE_ID_BOOK", "https://api.example/review"], "app \"é\\/", "read write"),
            (["a", "b", "c"], "x", ""),
        ]
        return texts.compactMap { audience, client, scopes in
            guard let clientID = try? ClientID(client), let scopes = try? Scopes(value: scopes),
                let tokenID = try? TokenID("AAAAAAAAAAAAAAAAAAAA-_")
            else { return nil }
            return AccessTokenClaims(
                issuer: "https://as.example", audience: audience.compactMap { try? ResourceID($0) },
                clientID: clientID, issuedAt: 1_700_000_000, expiresAt: 1_700_003_600, tokenID: tokenID,
                scopes: scopes)
        }
    }()

    @Test("B19: an encoded token is read as the same claims and passes its checks", arguments: claims)
    func roundTrip(claims: AccessTokenClaims) throws {
        let key = try PrivateKey.generate(.es256)
        let encoder = try AccessTokenEncoder(key: key)
        let text = try encoder.encode(claims)
        let token = try AccessTokenDecoder.decode(text)
        #expect(token.claims == claims)
        #expect(token.subject == claims.clientID.value)
        #expect(token.jws.header.type == "at+jwt")
        #expect(token.jws.header.keyID == JWK(key.publicKey).thumbprint())
        let validation = AccessTokenValidation(issuer: "https://as.example", audience: claims.audience[0])
        let verified = try validation.verify(token, with: key.publicKey, now: 1_700_000_000)
        #expect(verified.claims == claims)
        #expect(verified.members["iat"] == 1_700_000_000)
        #expect(verified.members["nbf"] == nil)
    }
}
