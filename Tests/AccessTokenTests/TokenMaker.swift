import AccessToken
import JOSE
import OAuth
import OpenSSLCrypto

/// Makes tokens that are signed for real, whatever they say.
struct TokenMaker {
    static let shared = Result { TokenMaker(key: try PrivateKey.generate(.es256)) }

    let key: PrivateKey

    /// The time of all tests.
    static let now: Double = 1_700_000_000

    /// Claims that pass every check at `now`.
    static let goodClaims: JSONObject = {
        let value: JSONValue = [
            "iss": "https://as.example", "sub": "app", "client_id": "app", "aud": "RESOURCE_ID_BOOK",
            "iat": 1_699_999_990, "exp": 1_700_003_590, "jti": "AAAAAAAAAAAAAAAAAAAA-_",
            "scope": "read write",
        ]
        return value.object ?? JSONObject()
    }()

    func token(payload: [UInt8], header: String = #"{"alg":"ES256","typ":"at+jwt","kid":"k"}"#) throws
        -> [UInt8]
    {
        var token: [UInt8] = []
        Base64URL.encode(Array(header.utf8).span, appendingTo: &token)
        token.append(UInt8(ascii: "."))
        Base64URL.encode(payload.span, appendingTo: &token)
        let signature = try Signer(key).sign(token.span)
        token.append(UInt8(ascii: "."))
        Base64URL.encode(signature.span, appendingTo: &token)
        return token
    }

    /// Good claims with one that says something else, as JSON text; without it where there is no text.
    static func payload(_ name: String, _ text: String?) -> [UInt8] {
        var claims = goodClaims
        claims[name] = nil
        var json = JSON.serialize(.object(claims))
        guard let text else { return json }
        json.removeLast()
        json += ",\"\(name)\":\(text)}".utf8
        return json
    }
}

/// What becomes of a token at the resource RESOURCE_ID_BOOK: `nil` when it is accepted.
func refusal(
    payload: [UInt8], header: String = #"{"alg":"ES256","typ":"at+jwt","kid":"k"}"#,
    now: Double = TokenMaker.now, leeway: Double = 0
) throws -> AccessTokenError? {
    let maker = try TokenMaker.shared.get()
    let token = try maker.token(payload: payload, header: header)
    let validation = AccessTokenValidation(
        issuer: "https://as.example", audience: try ResourceID("RESOURCE_ID_BOOK"), leeway: leeway)
    do throws(AccessTokenError) {
        _ = try validation.verify(
            try AccessTokenDecoder.decode(token), with: maker.key.publicKey, now: now)
        return nil
    } catch {
        return error
    }
}
