internal import CMicroHTTPD
internal import OperatingSystem

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
        let reason =
            if !Descriptors.areLeft(4) {
                SystemError.noDescriptors.description
            } else if configuration.tls == nil {
                "no memory is left"
            } else {
                "check that the TLS certificate and key are PEM and belong together"
            }
        return HTTPError(.system, "the HTTP engine does not start: \(reason)")
    }
}
