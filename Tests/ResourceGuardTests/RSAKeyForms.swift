import Foundation
import OpenSSLCrypto
import Testing

/// An RSA public key in the forms in which programs keep it.
struct RSAKeyForms {
    let modulus: [UInt8]
    /// RSAPublicKey (RFC 8017 appendix A.1.1).
    let pkcs1: [UInt8]
    /// SubjectPublicKeyInfo (RFC 5280 §4.1).
    let spki: [UInt8]

    init(_ key: PublicKey) throws {
        guard case .rsa(let modulus, let exponent) = key.parameters else {
            throw CocoaError(.featureUnsupported)
        }
        self.modulus = modulus
        pkcs1 = Self.element(0x30, Self.element(0x02, [0] + modulus) + Self.element(0x02, exponent))
        let rsaEncryption: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 0x05, 0]
        spki = Self.element(0x30, Self.element(0x30, rsaEncryption) + Self.element(0x03, [0] + pkcs1))
    }

    /// A form in PEM.
    func pem(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n".utf8)
    }

    /// An element of DER: its tag, its length and its content.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        switch count {
        case ..<0x80: return [tag, UInt8(count)] + content
        case ..<0x100: return [tag, 0x81, UInt8(count)] + content
        default: return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        }
    }
}
