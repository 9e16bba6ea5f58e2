import COpenSSL
import JOSE
import OpenSSLCrypto

/// The limit of a verification: OpenSSL's verify of one signature with a context that is made once, as
/// `openssl speed` measures it. Its input is ready: the digest, and for ES256 the signature in DER.
///
/// Ed25519 has no digest that could be made before: its input is the message.
final class BareVerification {
    private let key: OpenSSLKey
    private let input: [UInt8]
    private let signature: [UInt8]
    private let keyContext: OpaquePointer?
    private let messageContext: OpaquePointer?

    /// The verification of a token's signature.
    init(_ token: String, with key: OpenSSLKey) throws {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let raw = Base64URL.decode(String(parts[2])) else {
            throw OpenSSLKey.Failure()
        }
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        self.key = key
        if key.algorithm == .eddsa {
            (keyContext, messageContext) = (nil, EVP_MD_CTX_new())
            (input, signature) = (message, raw)
            guard EVP_DigestVerifyInit(messageContext, nil, nil, nil, key.pointer) == 1 else {
                throw OpenSSLKey.Failure()
            }
            return
        }
        (keyContext, messageContext) = (EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), nil)
        input = SHA256.digest(message)
        signature = key.algorithm == .es256 ? Self.der(raw) : raw
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

    /// Verifies so many times.
    func verify(count: Int) throws {
        for _ in 0..<count {
            let status =
                keyContext != nil
                ? EVP_PKEY_verify(keyContext, signature, signature.count, input, input.count)
                : EVP_DigestVerify(messageContext, signature, signature.count, input, input.count)
            guard status == 1 else { throw OpenSSLKey.Failure() }
        }
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
