import AuthStore
import FoundationEssentials
import HTTP

/// The files that a configuration names for the server to read, read once: what was checked is what is used.
struct GivenFiles: Sendable {
    /// What signing keys are encrypted with at rest; nil for plain.
    let masterKey: MasterKey?
    /// The certificate and the key that TLS ends with here; nil for plain HTTP.
    let tls: TLSIdentity?

    /// Reads the files, and tries what they are good for.
    init(_ configuration: ServerConfiguration) throws(CommandError) {
        if let file = configuration.stores.masterKeyFile {
            masterKey = try MasterKeyFile.read(file)
        } else {
            masterKey = nil
        }
        tls = try configuration.tls.map(Self.identity)
    }

    private static func identity(_ files: ServerConfiguration.TLSFiles) throws(CommandError) -> TLSIdentity {
        let identity = TLSIdentity(certificatePEM: try read(files.certificate), keyPEM: try read(files.key))
        do throws(HTTPError) {
            try identity.check()
        } catch {
            throw CommandError(
                .configuration,
                "TLS cannot be served with the certificate \(files.certificate) and the key \(files.key)",
                hint: error.description)
        }
        return identity
    }

    private static func read(_ path: String) throws(CommandError) -> String {
        guard let bytes = FileManager.default.contents(atPath: path),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw CommandError(
                .configuration, "the file \(Printable.text(path)) cannot be read",
                hint: "check that it is there, in PEM, and readable by this user")
        }
        return text
    }
}
