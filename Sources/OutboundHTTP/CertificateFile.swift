internal import OpenSSLCrypto
internal import OperatingSystem
internal import Synchronization

/// A file of certificates that was in order when it was looked at first.
package final class CertificateFile: Sendable {
    /// Where it is.
    package let path: String
    /// What it held when it was last in order.
    private let known: Mutex<[UInt8]>

    /// Whole bundles of a system have a quarter of this.
    private static let maximumBytes = 1 << 20

    /// Looks at a file: it can be read, and has one certificate at least and none that is malformed.
    package init(_ path: String) throws(CertificateFileError) {
        let content = try Self.read(path)
        try Self.check(content, path)
        self.path = path
        known = Mutex(content)
    }

    /// What it holds now, in order as above. Waits for nobody, so that any task may ask.
    package func content() throws(CertificateFileError) -> [UInt8] {
        let content = try Self.read(path)
        // To look at each certificate takes a hundred times as long as to read them.
        let known = known.withLock { $0 }
        if content == known { return known }
        try Self.check(content, path)
        self.known.withLock { $0 = content }
        return content
    }

    private static func read(_ path: String) throws(CertificateFileError) -> [UInt8] {
        do throws(SmallFile.Refusal) {
            return try SmallFile(regularFile: path, maximumBytes: maximumBytes).content
        } catch {
            throw CertificateFileError("the file \(path) \(error)")
        }
    }

    private static func check(_ content: [UInt8], _ path: String) throws(CertificateFileError) {
        guard !content.isEmpty else { throw CertificateFileError("the file \(path) is empty") }
        guard let certificates = Certificate.chain(pem: content) else {
            throw CertificateFileError("the file \(path) has a certificate that is malformed")
        }
        guard !certificates.isEmpty else {
            throw CertificateFileError(
                "the file \(path) has no certificate in PEM (-----BEGIN CERTIFICATE-----)")
        }
    }
}

/// Why a file is none of trusted certificates.
package struct CertificateFileError: Error, Sendable, CustomStringConvertible {
    /// Which file it is and what is wrong with it.
    package let description: String

    init(_ description: String) { self.description = description }
}
