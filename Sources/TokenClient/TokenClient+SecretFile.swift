internal import OutboundHTTP

extension TokenClient {
    /// A client of the issuer whose metadata names the token endpoint (RFC 8414 §3), whose secret is in a file.
    ///
    /// The file is read again at each request for a token, so that a secret that is replaced needs no restart. It is a
    /// regular file, or a link that leads to one, of at most 4 KiB, with the secret on its one line. A request that finds
    /// it out of order is tried again within the deadline, and says so.
    /// - Throws: `ConfigurationError` as with a `clientSecret`, and when the file has no secret.
    public convenience init(
        issuer: String, clientID: String, clientSecretFile: String, authentication: Authentication = .basic,
        configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        try self.init(
            Self.place(issuer: issuer, configuration), clientID,
            Self.credentials(clientID, inFile: clientSecretFile, authentication), configuration)
    }

    /// A client of the token endpoint at this URL, whose secret is in a file as above.
    /// - Throws: `ConfigurationError` as with a `clientSecret`, and when the file has no secret.
    public convenience init(
        tokenEndpoint: String, clientID: String, clientSecretFile: String,
        authentication: Authentication = .basic, configuration: Configuration = Configuration()
    ) throws(ConfigurationError) {
        try self.init(
            Self.place(tokenEndpoint: tokenEndpoint, configuration), clientID,
            Self.credentials(clientID, inFile: clientSecretFile, authentication), configuration)
    }

    private static func credentials(
        _ clientID: String, inFile path: String, _ authentication: Authentication
    ) throws(ConfigurationError) -> CredentialsSource {
        let source = CredentialsSource.file(
            SecretFile(path), clientID: clientID, method: authentication.method)
        do throws(SecretFileError) { _ = try source.read() } catch {
            throw ConfigurationError("clientSecretFile: \(error)")
        }
        return source
    }
}
