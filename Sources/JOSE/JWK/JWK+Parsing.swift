internal import OpenSSLCrypto

extension JWK {
    /// Reads a public key for signatures.
    ///
    /// An RSA key without `alg` is one for RS256; the other types have one algorithm each.
    /// - Throws: `JWKError` for a type, curve or algorithm that is not known here, a key for encryption, a private
    ///   or symmetric key, and numbers that `PublicKey` refuses.
    public init(parsing value: JSONValue) throws(JWKError) {
        guard case .object(let object) = value else { throw .notAnObject }
        try Self.checkUse(object)
        let keyID = try Self.optionalText("kid", of: object)
        let (parameters, algorithms) = try Self.parameters(of: object)
        // After the type, so that a key of an unknown type counts as unknown whatever else it holds.
        guard !Self.privateMembers.contains(where: { object[$0] != nil }) else { throw .holdsPrivatePart }
        let algorithm = try Self.algorithm(of: object, among: algorithms)
        do {
            self.init(key: try PublicKey(parameters, algorithm: algorithm), keyID: keyID)
        } catch {
            throw .unacceptable(error)
        }
    }

    /// RFC 7518 §6.2.2, §6.3.2, §6.4.1.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func checkUse(_ object: JSONObject) throws(JWKError) {
        if let use = try optionalText("use", of: object), use != "sig" { throw .notForVerification }
        guard let operations = object["key_ops"] else { return }
        guard let operations = operations.array else { throw .invalidMember("key_ops") }
        guard operations.contains(.string("verify")) else { throw .notForVerification }
    }

    private static func parameters(
        of object: JSONObject
    ) throws(JWKError) -> (PublicKey.Parameters, [SignatureAlgorithm]) {
        switch (try text("kty", of: object), try optionalText("crv", of: object)) {
        case ("EC", "P-256"): (.p256(x: try bytes("x", of: object), y: try bytes("y", of: object)), [.es256])
        case ("OKP", "Ed25519"): (.ed25519(x: try bytes("x", of: object)), [.eddsa])
        case ("RSA", _):
            (
                .rsa(modulus: try bytes("n", of: object), exponent: try bytes("e", of: object)),
                [.rs256, .ps256]
            )
        case ("EC", _?), ("OKP", _?): throw .unsupported("crv")
        case ("EC", nil), ("OKP", nil): throw .invalidMember("crv")
        default: throw .unsupported("kty")
        }
    }

    private static func algorithm(
        of object: JSONObject, among algorithms: [SignatureAlgorithm]
    ) throws(JWKError) -> SignatureAlgorithm {
        guard let name = try optionalText("alg", of: object) else { return algorithms[0] }
        guard let algorithm = algorithms.first(where: { $0.rawValue.isExactly(name) }) else {
            throw .unsupported("alg")
        }
        return algorithm
    }

    private static func bytes(_ name: String, of object: JSONObject) throws(JWKError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name, of: object)) else { throw .invalidMember(name) }
        return bytes
    }

    private static func text(_ name: String, of object: JSONObject) throws(JWKError) -> String {
        guard let text = object[name]?.string else { throw .invalidMember(name) }
        return text
    }

    private static func optionalText(_ name: String, of object: JSONObject) throws(JWKError) -> String? {
        object[name] == nil ? nil : try text(name, of: object)
    }
}
