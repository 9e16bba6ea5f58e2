internal import COpenSSL
internal import Glibc

/// A certificate (RFC 5280) that a server shows, as far as the server has to look at its own.
public struct Certificate: Sendable {
    /// The first second at which it is valid, since 1970.
    public let firstSecond: Int64
    /// The last second at which it is valid, since 1970.
    public let lastSecond: Int64
    private let handle: CertificateHandle

    /// The certificates of a text in PEM (RFC 7468), in its order; other blocks are passed over.
    /// - Returns: none where there is none, and nil where one of them is malformed.
    public static func chain(pem: [UInt8]) -> [Certificate]? {
        defer { ERR_clear_error() }
        return pem.withMemoryBIO { bio in
            var chain: [Certificate] = []
            ERR_clear_error()
            while let pointer = PEM_read_bio_X509(bio, nil, neverAsk, nil) {
                guard let certificate = Certificate(CertificateHandle(owning: pointer)) else { return nil }
                chain.append(certificate)
            }
            return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? chain : nil
        }
    }

    /// Whether a client that connects to this host takes the certificate for the host's own (RFC 6125): to a name, or
    /// to an address without brackets.
    public func covers(_ host: String) -> Bool {
        defer { ERR_clear_error() }
        let asAddress = X509_check_ip_asc(handle.pointer, host, 0)
        // -2: it is no address.
        guard asAddress == -2 else { return asAddress == 1 }
        // Clients look at the names in subjectAltName alone (RFC 9525 §2).
        let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
        return X509_check_host(handle.pointer, host, 0, flags, nil) == 1
    }

    /// Whether it certifies the public part of this key.
    public func belongs(to key: CertificateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(handle.pointer, key.handle.pointer) == 1
    }

    private init?(_ handle: CertificateHandle) {
        guard let first = Self.seconds(X509_get0_notBefore(handle.pointer)),
            let last = Self.seconds(X509_get0_notAfter(handle.pointer))
        else { return nil }
        self.handle = handle
        firstSecond = first
        lastSecond = last
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        // Without a time it would answer the present one.
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Int64(timegm(&parts))
    }
}

/// The private key of a certificate, of any algorithm. Has no description that prints it.
public struct CertificateKey: Sendable {
    let handle: KeyHandle

    /// The first private key of a text in PEM; nil where there is none, or an encrypted one.
    public init?(pem: [UInt8]) {
        defer { ERR_clear_error() }
        let pointer = pem.withMemoryBIO { PEM_read_bio_PrivateKey($0, nil, neverAsk, nil) }
        guard let pointer else { return nil }
        handle = KeyHandle(owning: pointer)
    }
}

/// Owns an `X509`.
///
/// `@unchecked Sendable` is sound: nothing changes the certificate after this object holds it, and OpenSSL locks the
/// caches inside.
private final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a certificate that the caller has just read.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }
}

/// Answers no passphrase where OpenSSL would ask for one on the terminal.
private let neverAsk:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
        _, _, _, _ in -1
    }

extension [UInt8] {
    /// Calls `body` with what OpenSSL reads these bytes from; nil where there is no memory for it.
    fileprivate func withMemoryBIO<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        withUnsafeBufferPointer { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            defer { BIO_free(bio) }
            return body(bio)
        }
    }
}
