/// The limits of a server, each with a safe default.
public struct HTTPServerConfiguration: Sendable, Hashable {
    /// The most that a header block may have, in bytes.
    public var maximumHeaderBytes = 16 * 1024
    /// The most that a body may have, in bytes.
    public var maximumBodyBytes = 64 * 1024
    /// How long a request may take to arrive, and then to be answered, in seconds; slow senders cannot stretch it.
    public var requestDeadlineSeconds = 10
    /// How long a connection may stay silent, in seconds.
    public var idleSeconds = 60
    /// The most connections on this listener; more are answered 503 and closed.
    public var maximumConnections = 4096
    /// The most connections from one address on this listener; more are answered 503 and closed.
    public var maximumConnectionsPerAddress = 1024
    /// The certificate and key for TLS; nil for plain HTTP.
    public var tls: TLSIdentity?

    /// The defaults.
    public init() {}
}

/// A server's certificate chain and private key, both in PEM.
public struct TLSIdentity: Sendable, Hashable {
    let certificatePEM: String
    let keyPEM: String

    /// The chain, leaf first, and the key of the leaf.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }
}
