import JOSE
import OpenSSLCrypto
import Testing

@Suite("Compact JWS") struct CompactJWSTests {
    @Test("what is signed is read and verified", arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let token = try CompactJWSSigner(key: key, keyID: "k\"1", type: "at+jwt").sign(Array("{}".utf8).span)
        let jws = try CompactJWS(parsing: token.span)
        #expect(jws.header.algorithm == algorithm.rawValue)
        #expect(jws.header.keyID == "k\"1")
        #expect(jws.header.type == "at+jwt")
        #expect(jws.payload == Array("{}".utf8))
        #expect(jws.verify(with: key.publicKey))
    }

    @Test("a JWK survives its JSON", arguments: SignatureAlgorithm.allCases)
    func jwk(algorithm: SignatureAlgorithm) throws {
        let jwk = JWK(try PrivateKey.generate(algorithm).publicKey)
        let set = try JWKSet(parsing: JWKSet([jwk]).json().span)
        #expect(set.keys == [jwk])
        #expect(set.skipped.isEmpty)
    }
}
