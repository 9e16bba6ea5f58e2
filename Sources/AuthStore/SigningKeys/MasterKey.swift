internal import JOSE
internal import OpenSSLCrypto
package import OperatingSystem

/// The key that signing keys are encrypted with at rest: 32 bytes from a file that is kept elsewhere than the
/// database. Has no description.
public struct MasterKey: Sendable {
    private final class Box: Sendable {
        let bytes: SecretBytes
        init(_ bytes: Span<UInt8>) { self.bytes = SecretBytes(copying: bytes) }
    }

    private let box: Box
    /// The file that it is from; nil for one that is from none.
    let file: String?

    /// Why a file gives no key.
    package enum FileRefusal: Error {
        /// It cannot be read.
        case unreadable(SmallFile.Refusal)
        /// Others than its owner may read it.
        case exposed
        /// It holds something else.
        case noKey

        /// What is wrong, naming the file, never its content.
        package func message(_ path: String) -> String {
            switch self {
            case .unreadable(let refusal): "the master key file \(path) \(refusal)"
            case .exposed: "the master key file \(path) can be read by others than its owner"
            case .noKey: "\(path) is no master key"
            }
        }

        /// What to do about it; nil where that depends on who asks.
        package func remedy(_ path: String) -> String? {
            switch self {
            case .unreadable: nil
            case .exposed: "run chmod 600 \(path)"
            case .noKey:
                "it holds 32 bytes, 64 hexadecimal digits or base64; make one with `openssl rand -hex 32`"
            }
        }
    }

    /// Reads a key file: 32 bytes, or their hexadecimal (64 characters) or base64 form; a line end may follow.
    /// - Throws: `masterKey`, naming the file and the form that it should have, never its content; also for a file
    ///   that others than its owner may read.
    public init(file path: String) throws(StoreError) {
        do throws(FileRefusal) {
            self = try MasterKey(readFrom: path)
        } catch {
            let remedy = error.remedy(path).map { ": " + $0 } ?? ""
            throw StoreError(.masterKey, error.message(path) + remedy)
        }
    }

    /// Reads a key file, as `init(file:)` does.
    package init(readFrom path: String) throws(FileRefusal) {
        let read: SmallFile
        do throws(SmallFile.Refusal) {
            read = try SmallFile(path: path, maximumBytes: 4096)
        } catch {
            throw .unreadable(error)
        }
        guard !read.isReadableByGroup, !read.isReadableByAll else { throw .exposed }
        guard let key = MasterKey(parsing: read.content) else { throw .noKey }
        box = key.box
        file = path
    }

    /// A key from a file's content; nil when it has none of the forms.
    public init?(parsing content: [UInt8]) {
        file = nil
        guard content.count != 32 else {
            box = Box(content.span)
            return
        }
        var text = content
        while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            text.removeLast()
        }
        guard let bytes = hexadecimal(text) ?? base64(text), bytes.count == 32 else { return nil }
        box = Box(bytes.span)
    }

    /// Encrypts a private key; its name is bound to it, so that rows cannot be exchanged.
    func seal(_ plaintext: Span<UInt8>, keyID: String) throws(CryptoError) -> [UInt8] {
        let name = Array(keyID.utf8)
        return try box.bytes.reading { key throws(CryptoError) in
            try AESGCM.seal(plaintext, key: key, additionalData: name.span)
        }
    }

    /// Decrypts what `seal` answered.
    func open(_ sealed: [UInt8], keyID: String) throws(CryptoError) -> SecretBytes {
        let name = Array(keyID.utf8)
        return try box.bytes.reading { key throws(CryptoError) in
            try AESGCM.open(sealed.span, key: key, additionalData: name.span)
        }
    }
}

private func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 64 else { return nil }
    let digits = text.compactMap { $0 < 0x80 ? Character(UnicodeScalar($0)).hexDigitValue : nil }
    guard digits.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private func base64(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == 43 || (text.count == 44 && text.last == UInt8(ascii: "=")) else { return nil }
    let urlSafe = text.prefix(43).map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }
    return Base64URL.decode(urlSafe.span)
}
