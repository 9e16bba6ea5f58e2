internal import CMicroHTTPD

extension TLSIdentity {
    /// Starts an engine with the certificate and the key, and ends it: what a server would be refused is refused before
    /// there is one.
    /// - Throws: `HTTPError` when they are no PEM or do not belong together.
    public func check() throws(HTTPError) {
        var configuration = HTTPServerConfiguration()
        configuration.tls = self
        // It never gets a connection to call back for.
        guard let engine = startEngine(configuration, context: nil) else {
            throw .engineDoesNotStart(configuration)
        }
        MHD_stop_daemon(engine)
    }
}

extension HTTPError {
    /// The engine says no reason.
    static func engineDoesNotStart(_ configuration: HTTPServerConfiguration) -> HTTPError {
        HTTPError(
            .system,
            configuration.tls == nil
                ? "the HTTP engine does not start: no descriptors or memory left"
                : "the HTTP engine does not start: check that the TLS certificate and key are PEM and belong together"
        )
    }
}
