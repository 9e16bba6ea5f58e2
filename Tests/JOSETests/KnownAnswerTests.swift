import JOSE
import OpenSSLCrypto
import Testing

@Suite("Known answers of the RFCs") struct KnownAnswerTests {
    @Test(
        "RFC 7515 appendices A.2 (RS256) and A.3 (ES256): the examples verify",
        arguments: [rfc7515A2, rfc7515A3])
    func jws(example: Example) throws {
        let jwk = try JWK(parsing: JSON.parse(Array(example.jwk.utf8)))
        let jws = try CompactJWS(parsing: Array(example.jws.utf8))
        #expect(jws.verify(with: jwk.key))
        #expect(String(decoding: jws.payload, as: UTF8.self).hasPrefix("{\"iss\":\"joe\",\r\n"))
    }

    @Test("RFC 8037 appendix A.3 to A.5: the Ed25519 example verifies, and is signed again to the letter")
    func ed25519() throws {
        let jwk = try JWK(parsing: JSON.parse(Array(rfc8037.jwk.utf8)))
        #expect(jwk.thumbprint() == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let jws = try CompactJWS(parsing: Array(rfc8037.jws.utf8))
        #expect(jws.verify(with: jwk.key))

        let seed = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let prefix: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
        let pkcs8 = prefix + seed
        let key = try PrivateKey(pkcs8: SecretBytes(copying: pkcs8.span), algorithm: .eddsa)
        #expect(key.publicKey == jwk.key)
        let signingInput = Array(rfc8037.jws.split(separator: ".").prefix(2).joined(separator: ".").utf8)
        let signature = try Signer(key).sign(signingInput.span)
        #expect(rfc8037.jws.hasSuffix("." + Base64URL.encode(signature)))
    }

    @Test("RFC 7638 section 3.1: the thumbprint of the example")
    func thumbprint() throws {
        let jwk = try JWK(parsing: JSON.parse(Array(rfc7638JWK.utf8)))
        #expect(jwk.keyID == "2011-04-29")
        #expect(jwk.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}

struct Example: Sendable {
    let jwk: String
    let jws: String
}

private let rfc7515Payload = """
    eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
    """

private let rfc7515A2 = Example(
    jwk: """
        {"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL\
        -yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTB\
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9\
        gb54h4FRWyuXpoQ","e":"AQAB"}
        """,
    jws: "eyJhbGciOiJSUzI1NiJ9." + rfc7515Payload + """
        .cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1d\
        nZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwus\
        C-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
        """)

private let rfc7515A3 = Example(
    jwk: """
        {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
        """,
    jws: "eyJhbGciOiJFUzI1NiJ9." + rfc7515Payload
        + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")

private let rfc8037 = Example(
    jwk: #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
    jws: """
        eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4\
        iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
        """)

private let rfc7638JWK = """
    {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXj\
    BZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA\
    ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awap\
    JzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
    """
