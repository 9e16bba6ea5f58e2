import COpenSSL
import JOSE
import OpenSSLCrypto

/// The limit of a verification: OpenSSL's verify with a context that is made once, as `openssl speed` measures it. Its
/// input is ready: the digest, and for ES256 the signature in DER.
///
/// It verifies the signatures of all the tokens that the guard gets. One signature again and again would be quicker by
/// some percent with Ed25519: the processor foresees branches that it has seen a thousand times.
///
/// Ed25519 has no digest that could be made before: its input is the message.
final class BareVerification {
    private let key: OpenSSLKey
    private let signatures: [(signature: [UInt8], input: [UInt8])]
    private let keyContext: OpaquePointer?
    private let messageContext: OpaquePointer?

    /// The verification of the tokens' signatures.
    init(_ tokens: [String], with key: OpenSSLKey) throws {
        self.key = key
        signatures = try tokens.map { try Self.signature(of: $0, key.algorithm) }
        if key.algorithm == .eddsa {
            (keyContext, messageContext) = (nil, EVP_MD_CTX_new())
            guard EVP_DigestVerifyInit(messageContext, nil, nil, nil, key.pointer) == 1 else {
                throw OpenSSLKey.Failure()
            }
            return
        }
        (keyContext, messageContext) = (EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), nil)
        guard EVP_PKEY_verify_init(keyContext) == 1,
            key.algorithm == .es256
                || EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(keyContext, EVP_sha256()) == 1
        else { throw OpenSSLKey.Failure() }
    }

    deinit {
        EVP_PKEY_CTX_free(keyContext)
        EVP_MD_CTX_free(messageContext)
    }

    /// Verifies each once.
    func verify() throws {
        for (signature, input) in signatures {
            let status =
                keyContext != nil
                ? EVP_PKEY_verify(keyContext, signature, signature.count, input, input.count)
                : EVP_DigestVerify(messageContext, signature, signature.count, input, input.count)
            guard status == 1 else { throw OpenSSLKey.Failure() }
        }
    }

    private static func signature(
        of token: String, _ algorithm: SignatureAlgorithm
    ) throws -> (signature: [UInt8], input: [UInt8]) {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let raw = Base64URL.decode(String(parts[2])) else {
            throw OpenSSLKey.Failure()
        }
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        return (
            algorithm == .es256 ? der(raw) : raw, algorithm == .eddsa ? message : SHA256.digest(message)
        )
    }

    /// r‖s as DER has it.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw[..<32], raw[32...]].flatMap { number -> [UInt8] in
            var digits = Array(number.drop { $0 == 0 })
            if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}
