import JOSE
import OAuth
import OpenSSLCrypto

@testable import AccessToken

extension FuzzTarget {
    private static let ownKey: PrivateKey = {
        guard let key = try? PrivateKey.generate(.eddsa) else { fatalError("no key") }
        return key
    }()

    private static let start =
        Base64URL.encode(Array(#"{"alg":"EdDSA","typ":"at+jwt","kid":"k"}"#.utf8)) + "."

    /// Access tokens (RFC 9068): a whole token, or the claims of one.
    static let accessToken = FuzzTarget(name: "access-token", isCostly: true) { input in
        check(input)
        checkShortCut(input)
        check(Array((start + Base64URL.encode(input) + ".AAAA").utf8))
    }

    /// What is read in one pass is what the strict way reads.
    private static func checkShortCut(_ payload: [UInt8]) {
        guard let claims = AccessTokenDecoder.plainClaims(payload.span, nil) else { return }
        demand(
            (try? AccessTokenDecoder.strictClaims(payload.span)) == claims, "two ways to read claims differ")
    }

    private static func check(_ token: [UInt8]) {
        guard let read = try? AccessTokenDecoder.decode(token) else { return }
        demand(read.expiresAt.isFinite, "exp is not finite")
        let validation = AccessTokenValidation(issuer: read.claims.issuer, leeway: .infinity)
        demand(
            (try? validation.check(read, now: read.expiresAt + 60)) == nil, "a token outlives exp and leeway")
        demand(
            (try? validation.verify(read, with: ownKey.publicKey, now: read.expiresAt - 1)) == nil,
            "a signature that was never made is right")
        guard !read.claims.audience.isEmpty else { return }
        checkRoundTrip(read.claims)
    }

    /// Claims that were read are written, signed and read without a change.
    private static func checkRoundTrip(_ claims: AccessTokenClaims) {
        guard let token = try? AccessTokenEncoder(key: ownKey).encode(claims) else { fatalError("no token") }
        // Escaping may make a token longer than is read.
        guard token.count <= CompactJWS.defaultMaximumBytes else { return }
        guard let again = try? AccessTokenDecoder.decode(token) else {
            fatalError("what was encoded does not decode")
        }
        demand(again.claims == claims, "claims change on their way: \(claims) \(again.claims)")
        let validation = AccessTokenValidation(issuer: claims.issuer, audience: claims.audience[0])
        demand(
            (try? validation.verify(again, with: ownKey.publicKey, now: Double(claims.expiresAt) - 1)) != nil,
            "what was encoded does not verify")
    }
}
