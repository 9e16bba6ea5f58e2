internal import Foundation

/// A certificate authority of a test's own, made with `openssl`, and certificates that it signs for two days.
public struct TestAuthority: Sendable {
    /// A server's certificate and its key.
    public struct Identity: Sendable {
        /// The file of the certificate, in PEM.
        public let certificateFile: String
        /// The certificate.
        public let certificate: String
        /// Its key, in PEM.
        public let key: String

        /// A certificate made elsewhere.
        public init(certificateFile: String, certificate: String, key: String) {
            self.certificateFile = certificateFile
            self.certificate = certificate
            self.key = key
        }
    }

    private let folder: TemporaryDirectory
    /// The file of the authority's certificate, in PEM.
    public var certificateFile: String { folder.file("authority.pem") }

    /// A new authority.
    public init() throws {
        folder = try TemporaryDirectory()
        _ = try make("authority", ["-subj", "/CN=Test Authority"])
    }

    /// A certificate for a host's name, signed by the authority, or by itself.
    public func identity(for host: String, signedByItself: Bool = false) throws -> Identity {
        let signer = ["-CA", certificateFile, "-CAkey", folder.file("authority.key")]
        return try make(
            signedByItself ? "self" : "server",
            ["-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)"]
                + (signedByItself ? [] : signer))
    }

    private func make(_ name: String, _ arguments: [String]) throws -> Identity {
        let (certificate, key) = (folder.file(name + ".pem"), folder.file(name + ".key"))
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            + ["-days", "2", "-keyout", key, "-out", certificate] + arguments
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        return Identity(
            certificateFile: certificate,
            certificate: try String(contentsOfFile: certificate, encoding: .utf8),
            key: try String(contentsOfFile: key, encoding: .utf8))
    }
}
