import JOSE
import OpenSSLCrypto
import Testing

@Suite("JWK and JWK Set (RFC 7517)") struct JWKSetTests {
    @Test(
        "a JWK survives its JSON, and is published with kid, alg and use",
        arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let jwk = JWK(try PrivateKey.generate(algorithm).publicKey)
        let text = JWKSet([jwk]).json()
        let set = try JWKSet(parsing: text.span)
        #expect(set.keys == [jwk])
        #expect(set.skipped.isEmpty)
        let object = try #require(jwk.json().object)
        #expect(object["kid"] == .string(jwk.thumbprint()))
        #expect(object["alg"] == .string(algorithm.rawValue))
        #expect(object["use"] == "sig")
        #expect(["d", "p", "q", "k"].allSatisfy { object[$0] == nil })
    }

    @Test("A27, G14: a key that is unknown, weak or broken never spoils the others")
    func oneGoodKey() throws {
        let good = JWK(try PrivateKey.generate(.es256).publicKey)
        let coordinate = Base64URL.encode([UInt8](repeating: 1, count: 32))
        let short = Base64URL.encode([UInt8](repeating: 0xFF, count: 64))
        let entries: [(String, JWKError)] = [
            (#"{"kty":"AKP","alg":"ML-DSA-44","pub":"AA"}"#, .unsupported("kty")),
            (#"{"kty":"oct","k":"AAAA"}"#, .unsupported("kty")),
            (#"{"kty":"OKP","crv":"Ed448","x":"AA"}"#, .unsupported("crv")),
            (#"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#, .unsupported("crv")),
            (#"{"kty":"EC","x":"AA","y":"AA"}"#, .invalidMember("crv")),
            (#"{"kty":"RSA","e":"AQAB"}"#, .invalidMember("n")),
            (#"{"kty":"RSA","e":"AQAB","n":"++++"}"#, .invalidMember("n")),
            (#"{"kty":"RSA","e":65537,"n":"AQAB"}"#, .invalidMember("e")),
            (#"{"kty":"RSA","use":"enc","n":"AQAB","e":"AQAB"}"#, .notForVerification),
            (#"{"kty":"RSA","use":5}"#, .invalidMember("use")),
            (#"{"kty":"RSA","key_ops":["encrypt"],"n":"AQAB","e":"AQAB"}"#, .notForVerification),
            (#"{"kty":"RSA","key_ops":"verify","n":"AQAB","e":"AQAB"}"#, .invalidMember("key_ops")),
            (
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(coordinate)\",\"d\":\"\(coordinate)\"}",
                .holdsPrivatePart
            ),
            (
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(coordinate)\",\"alg\":\"ES256\"}",
                .unsupported("alg")
            ),
            (#"{"kty":"RSA","kid":5}"#, .invalidMember("kid")), ("{}", .invalidMember("kty")),
            (#""a text""#, .notAnObject), ("null", .notAnObject), ("[]", .notAnObject), ("5", .notAnObject),
        ]
        let goodText = String(decoding: JSON.serialize(good.json()), as: UTF8.self)
        let weak = "{\"kty\":\"RSA\",\"n\":\"\(short)\",\"e\":\"AQAB\"}"
        let offCurve = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(coordinate)\",\"y\":\"\(coordinate)\"}"
        let text = "{\"keys\":[\((entries.map(\.0) + [weak, offCurve, goodText]).joined(separator: ","))]}"
        let set = try JWKSet(parsing: Array(text.utf8).span)
        #expect(set.keys == [good])
        #expect(set.skipped.map(\.index) == Array(0..<entries.count + 2))
        #expect(set.skipped.prefix(entries.count).map(\.reason) == entries.map(\.1))
        for skipped in set.skipped.suffix(2) {
            guard case .unacceptable = skipped.reason else { Issue.record("\(skipped)"); continue }
        }
    }

    @Test(
        "A30: what is no JWK Set is an error",
        arguments: [
            "", "<html></html>", "[]", "{}", #"{"keys":null}"#, #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#,
            "{\"keys\":[" + (0..<257).map { _ in "0" }.joined(separator: ",") + "]}",
        ])
    func noSet(text: String) {
        #expect((try? JWKSet(parsing: Array(text.utf8).span)) == nil)
    }

    @Test("an empty set is a set")
    func emptySet() throws {
        #expect(try JWKSet(parsing: Array(#"{"keys":[]}"#.utf8).span).keys.isEmpty)
    }

    @Test(
        "A22, G25: two keys with one kid and different alg verify their own tokens, in either order",
        arguments: [false, true])
    func oneKeyID(isReversed: Bool) throws {
        let keys = [try PrivateKey.generate(.es256), try PrivateKey.generate(.rs256)]
        let jwks = keys.map { JWK(key: $0.publicKey, keyID: "k") }
        let text = JWKSet(isReversed ? jwks.reversed() : jwks).json()
        let set = try JWKSet(parsing: text.span)
        #expect(set.keys.count == 2)
        for key in keys {
            let token = try TokenMaker(key: key).token(
                header: "{\"alg\":\"\(key.algorithm.rawValue)\",\"kid\":\"k\"}")
            let jws = try #require(read(token))
            let found = try #require(set.key(for: jws.header))
            #expect(jws.verify(with: found))
        }
    }

    @Test("two keys with one kid and one alg: the first counts, and the other is reported")
    func mistakable() throws {
        let jwks = try (0..<2).map { _ in JWK(key: try PrivateKey.generate(.es256).publicKey, keyID: "k") }
        let text = JWKSet(jwks).json()
        let set = try JWKSet(parsing: text.span)
        #expect(set.keys == [jwks[0]])
        #expect(set.skipped.map(\.reason) == [.duplicateKeyID])
        #expect(set.skipped.map(\.keyID) == ["k"])
    }

    @Test(
        "A31, G22: no key but the one that is named: by exact kid and alg, never by default",
        arguments: [
            #"{"alg":"ES256"}"#, #"{"alg":"ES256","kid":"other"}"#, #"{"alg":"ES256","kid":""}"#,
            #"{"alg":"ES256","kid":"K"}"#,
            #"{"alg":"RS256","kid":"k"}"#, #"{"alg":"HS256","kid":"k"}"#, #"{"alg":"es256","kid":"k"}"#,
            #"{"alg":"ES256","kid":"k\u0000"}"#, #"{"alg":"ES256","kid":"x' UNION SELECT 'k'--"}"#,
        ])
    func noFallback(header: String) throws {
        let key = try PrivateKey.generate(.es256)
        let set = JWKSet([JWK(key: key.publicKey, keyID: "k")])
        let jws = try #require(read(try TokenMaker(key: key).token(header: header)))
        #expect(set.key(for: jws.header) == nil)
        let named = try #require(read(try TokenMaker(key: key).token(header: #"{"alg":"ES256","kid":"k"}"#)))
        #expect(set.key(for: named.header) == key.publicKey)
    }

    @Test("an RSA key without alg is one for RS256, and a key without kid is kept")
    func defaults() throws {
        let key = try PrivateKey.generate(.rs256).publicKey
        var object = try #require(JWK(key).json().object)
        object["alg"] = nil
        object["kid"] = nil
        object["use"] = nil
        let jwk = try JWK(parsing: .object(object))
        #expect(jwk == JWK(key: key, keyID: nil))
        #expect(jwk.json().object?["kid"] == nil)
    }
}
