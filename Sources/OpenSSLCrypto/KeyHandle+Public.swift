internal import COpenSSL

extension KeyHandle {
    /// A public key from its numbers; `nil` when OpenSSL refuses them, as it does for a point off the curve.
    static func loading(_ parameters: PublicKey.Parameters) -> KeyHandle? {
        let handle =
            switch parameters {
            case .p256(let x, let y): loadingP256(point: [0x04] + x + y)
            case .ed25519(let x): loadingEd25519(x)
            case .rsa(let modulus, let exponent): loadingRSA(modulus: modulus, exponent: exponent)
            }
        if handle == nil { ERR_clear_error() }
        return handle
    }

    private static func loadingP256(point: [UInt8]) -> KeyHandle? {
        // The builder refers to the bytes until it is done.
        point.withUnsafeBufferPointer { point in
            fromData("EC") { builder in
                let group = ParameterName.pointer("prime256v1")
                return OSSL_PARAM_BLD_push_utf8_string(builder, ParameterName.group, group, 0) == 1
                    && OSSL_PARAM_BLD_push_octet_string(
                        builder, ParameterName.publicKey, point.baseAddress, point.count) == 1
            }
        }
    }

    private static func loadingEd25519(_ x: [UInt8]) -> KeyHandle? {
        EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, x, x.count).map(KeyHandle.init(owning:))
    }

    private static func loadingRSA(modulus: [UInt8], exponent: [UInt8]) -> KeyHandle? {
        guard let n = BN_bin2bn(modulus, Int32(modulus.count), nil) else { return nil }
        defer { BN_free(n) }
        guard let e = BN_bin2bn(exponent, Int32(exponent.count), nil) else { return nil }
        defer { BN_free(e) }
        return fromData("RSA") { builder in
            OSSL_PARAM_BLD_push_BN(builder, ParameterName.modulus, n) == 1
                && OSSL_PARAM_BLD_push_BN(builder, ParameterName.exponent, e) == 1
        }
    }

    private static func fromData(_ type: String, _ push: (OpaquePointer) -> Bool) -> KeyHandle? {
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer { OSSL_PARAM_BLD_free(builder) }
        guard push(builder), let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, auth_pkey_public_key, parameters) == 1, let key
        else { return nil }
        let handle = KeyHandle(owning: key)
        return handle.passesPublicCheck ? handle : nil
    }

    /// OpenSSL's own check of the public numbers (SP 800-56A §5.6.2.3.3 for a point).
    private var passesPublicCheck: Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_public_check(context) == 1
    }

    /// The numbers of the public part.
    func publicParameters(_ algorithm: SignatureAlgorithm) -> PublicKey.Parameters? {
        switch algorithm {
        case .es256:
            guard let x = number(ParameterName.pointX, width: 32),
                let y = number(ParameterName.pointY, width: 32)
            else { return nil }
            return .p256(x: x, y: y)
        case .eddsa:
            var (x, count) = ([UInt8](repeating: 0, count: 32), 32)
            return EVP_PKEY_get_raw_public_key(pointer, &x, &count) == 1 && count == 32 ? .ed25519(x: x) : nil
        case .rs256, .ps256:
            guard let modulus = number(ParameterName.modulus), let exponent = number(ParameterName.exponent)
            else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        }
    }
}
