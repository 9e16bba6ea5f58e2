/// The certificates that vouch for the servers called over https: to a server for which none of them does, nothing is
/// sent. Nothing turns that off.
public enum TrustedCertificates: Sendable, Equatable {
    /// The system's. Debian's are in the package `ca-certificates`; `update-ca-certificates` adds to them.
    case system
    /// Those of the file at this path alone, in PEM (RFC 7468): of a private authority, or a server's own. It is a regular
    /// file of at most 1 MiB, looked at when the configuration is used and again at each request: a request that finds
    /// it out of order fails, and says so.
    case file(String)
}

extension TrustedCertificates {
    /// The file, where there is one and it is in order.
    package func opened() throws(CertificateFileError) -> CertificateFile? {
        switch self {
        case .system: nil
        case .file(let path): try CertificateFile(path)
        }
    }
}
