import AuthStore
import HTTP

/// The files that a configuration names for the server to read, read once: what was checked is what is used.
struct GivenFiles: Sendable {
    /// What signing keys are encrypted with at rest; nil for plain.
    let masterKey: MasterKey?
    /// The certificate and the key that TLS ends with here; nil for plain HTTP.
    let tls: TLSIdentity?
    /// The same certificate, to look at what clients would not accept in it.
    let certificate: ServedCertificate?

    /// Reads the files, and tries what they are good for.
    init(_ configuration: ServerConfiguration) throws(CommandError) {
        if let file = configuration.stores.masterKeyFile {
            masterKey = try MasterKeyFile.read(file)
        } else {
            masterKey = nil
        }
        guard let files = configuration.tls else {
            tls = nil
            certificate = nil
            return
        }
        let certificate = try TLSFile(.certificate, readFrom: files.certificate)
        let key = try TLSFile(.key, readFrom: files.key)
        tls = try Self.identity(certificate, key)
        self.certificate = ServedCertificate(certificate: certificate, key: key)
    }

    private static func identity(_ certificate: TLSFile, _ key: TLSFile) throws(CommandError) -> TLSIdentity {
        // PEM is ASCII; remarks around it may be in any encoding.
        let identity = TLSIdentity(
            certificatePEM: String(decoding: certificate.content, as: UTF8.self),
            keyPEM: String(decoding: key.content, as: UTF8.self))
        do throws(HTTPError) {
            try identity.check()
        } catch {
            throw TLSRefusal(certificate: certificate, key: key).reason()
                ?? CommandError(
                    .configuration,
                    "TLS cannot be served with \(certificate.name) and \(key.name)",
                    hint: error.description)
        }
        return identity
    }
}
