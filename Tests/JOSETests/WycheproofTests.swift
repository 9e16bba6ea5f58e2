import JOSE
import OpenSSLCrypto
import Testing

@Suite("Wycheproof JWS and JWK vectors", .enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.hint)))
struct WycheproofTests {
    /// Vectors that are marked valid and refused here, and why.
    private static let refused: [Int64: String] = {
        var refused: [Int64: String] = [:]
        for id in [1, 348, 352, 357, 358, 359, 376, 377] as [Int64] {
            refused[id] = "HS256: no symmetric algorithm"
        }
        for id in [372, 373] as [Int64] { refused[id] = "HS256, and a question mark inside the base64url" }
        for id in [264, 265, 266, 267] as [Int64] { refused[id] = "RS384 is not supported" }
        for id in [268, 269, 270, 271] as [Int64] { refused[id] = "RS512 is not supported" }
        for id in [320, 321, 322, 323] as [Int64] { refused[id] = "PS384 is not supported" }
        for id in [325, 326, 327, 328] as [Int64] { refused[id] = "PS512 is not supported" }
        for id in [346, 350] as [Int64] { refused[id] = "the header says PS384 and the key PS256" }
        for id in [347, 351] as [Int64] { refused[id] = "ES521 does not exist" }
        return refused
    }()

    @Test("json_web_signature_test.json: every vector, with the ones that are refused on purpose")
    func signatures() throws {
        var count = 0
        var refused: Set<Int64> = []
        for group in try Vectors.load("json_web_signature_test.json") {
            let jwk = try? JWK(parsing: group.key)
            for vector in group.tests {
                count += 1
                let jws = try? CompactJWS(parsing: vector.jws)
                let isAccepted = jwk.map { jws?.verify(with: $0.key) == true } ?? false
                if vector.isValid, !isAccepted { refused.insert(vector.id) }
                #expect(vector.isValid || !isAccepted, "\(vector.id): \(vector.comment)")
            }
        }
        #expect(count == 401)
        #expect(refused.sorted() == Self.refused.keys.sorted())
    }

    @Test(
        "A23, G5: the form is decided before the key: strict base64url, also for algorithms that are refused")
    func forms() throws {
        // 367 and 370 lost the padding that they are about: they are the text of 357, which is valid. 372 and 373
        // are marked valid with a question mark inside.
        let mismarked: Set<Int64> = [367, 370, 372, 373]
        for group in try Vectors.load("json_web_signature_test.json") where group.comment == "base64" {
            for vector in group.tests {
                let isRead = (try? CompactJWS(parsing: vector.jws)) != nil
                #expect(
                    isRead == (vector.isValid != mismarked.contains(vector.id)),
                    "\(vector.id): \(vector.comment)")
            }
        }
    }

    @Test("A32, G14: json_web_key_test.json: weak and foreign keys verify nothing")
    func keys() throws {
        // Symmetric keys, which are marked valid.
        let refusedOnPurpose: Set<Int64> = [2, 13, 14, 15]
        var count = 0
        for group in try Vectors.load("json_web_key_test.json") {
            let isSet = group.key.object?["keys"] != nil
            let text = JSON.serialize(isSet ? group.key : ["keys": [group.key]])
            let set = try JWKSet(parsing: text.span)
            for vector in group.tests {
                count += 1
                let jws = try? CompactJWS(parsing: vector.jws)
                let key = jws.flatMap { set.key(for: $0.header) }
                let isAccepted = key.map { jws?.verify(with: $0) == true } ?? false
                #expect(
                    isAccepted == (vector.isValid && !refusedOnPurpose.contains(vector.id)),
                    "\(vector.id): \(vector.comment)")
            }
        }
        #expect(count == 26)
    }

    @Test(
        "A32: each weak key is refused for its own weakness",
        arguments: [
            ("jws_rsa_roca_key", "ROCA"), ("keysize_too_small", "2048"), ("exponentOne", "exponent"),
            ("invalid_use", "not for verifying"), ("invalid_point", "curve"), ("wrong_curve", "\"crv\""),
            ("wrong_kty", "\"n\""),
            ("wrong_algorithm", "\"alg\""), ("invalid_aes_gcm_key", "\"kty\""),
        ])
    func reasons(comment: String, reason: String) throws {
        let groups = try Vectors.load("json_web_key_test.json").filter { $0.comment == comment }
        #expect(!groups.isEmpty)
        for group in groups {
            #expect {
                try JWK(parsing: group.key.object?["keys"]?.array?.first ?? group.key)
            } throws: {
                String(describing: $0).contains(reason)
            }
        }
    }
}
