internal import OpenSSLCrypto
internal import OperatingSystem

/// A file of certificates that was in order when it was looked at.
package struct CertificateFile: Sendable {
    /// Where it is.
    package let path: String

    /// Whole bundles of a system have a quarter of this.
    private static let maximumBytes = 1 << 20

    /// Looks at a file: it can be read, and has one certificate at least and none that is malformed.
    package init(_ path: String) throws(CertificateFileError) {
        let content: [UInt8]
        do throws(SmallFile.Refusal) {
            content = try SmallFile(path: path, maximumBytes: Self.maximumBytes).content
        } catch {
            throw CertificateFileError("the file \(path) \(error)")
        }
        guard !content.isEmpty else { throw CertificateFileError("the file \(path) is empty") }
        guard let certificates = Certificate.chain(pem: content) else {
            throw CertificateFileError("the file \(path) has a certificate that is malformed")
        }
        guard !certificates.isEmpty else {
            throw CertificateFileError(
                "the file \(path) has no certificate in PEM (-----BEGIN CERTIFICATE-----)")
        }
        self.path = path
    }
}

/// Why a file is none of trusted certificates.
package struct CertificateFileError: Error, Sendable, CustomStringConvertible {
    /// Which file it is and what is wrong with it.
    package let description: String

    init(_ description: String) { self.description = description }
}
