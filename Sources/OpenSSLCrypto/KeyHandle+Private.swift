internal import COpenSSL

extension KeyHandle {
    static func generating(_ algorithm: SignatureAlgorithm) throws(CryptoError) -> KeyHandle {
        let type =
            switch algorithm {
            case .es256: "EC"
            case .eddsa: "ED25519"
            case .rs256, .ps256: "RSA"
            }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
            throw .libraryFailure("generate a key for \(algorithm.rawValue)")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, setSize(context, algorithm),
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw .libraryFailure("generate a key for \(algorithm.rawValue)") }
        return KeyHandle(owning: key)
    }

    private static func setSize(_ context: OpaquePointer, _ algorithm: SignatureAlgorithm) -> Bool {
        switch algorithm {
        case .es256: EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1
        case .eddsa: true
        case .rs256, .ps256: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1
        }
    }

    static func readingPKCS8(_ bytes: Span<UInt8>) throws(CryptoError) -> KeyHandle {
        let key = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            guard let information = d2i_PKCS8_PRIV_KEY_INFO(nil, &position, bytes.count) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(information) }
            guard position == bytes.baseAddress.map({ $0 + bytes.count }) else { return nil }
            return EVP_PKCS82PKEY(information)
        }
        guard let key else {
            ERR_clear_error()
            throw .unacceptablePrivateKey("the bytes are no private key in unencrypted PKCS #8 DER")
        }
        return KeyHandle(owning: key)
    }

    func pkcs8() throws(CryptoError) -> SecretBytes {
        guard let information = EVP_PKEY2PKCS8(pointer) else { throw .libraryFailure("write a private key") }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        let count = i2d_PKCS8_PRIV_KEY_INFO(information, nil)
        guard count > 0 else { throw .libraryFailure("write a private key") }
        return try SecretBytes(count: Int(count)) { output throws(CryptoError) in
            var position = output.baseAddress
            guard i2d_PKCS8_PRIV_KEY_INFO(information, &position) == count else {
                throw .libraryFailure("write a private key")
            }
        }
    }

    func isOfType(_ algorithm: SignatureAlgorithm) -> Bool {
        switch algorithm {
        case .es256: isA("EC") && isOnP256
        case .eddsa: isA("ED25519")
        case .rs256, .ps256: isA("RSA")
        }
    }

    private var isOnP256: Bool {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1, count < name.count else {
            return false
        }
        return name[..<count].elementsEqual("prime256v1".utf8CString.dropLast())
    }
}
