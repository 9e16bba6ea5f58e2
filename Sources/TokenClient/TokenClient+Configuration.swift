public import OutboundHTTP

extension TokenClient {
    /// What a service may set; each has a safe default.
    public struct Configuration: Sendable {
        /// The time in which a token request, with all its attempts, must end.
        public var deadline: Duration = .seconds(10)
        /// How many tokens, each for its resource and scopes, are kept.
        public var maximumTokens = 1000
        /// Lets the secret be sent over plain http beyond the loopback interface, where who sees packets on that
        /// network can read it.
        public var allowsPlainHTTP = false

        /// Which certificates vouch for the authorization server.
        public var trustedCertificates = TrustedCertificates.system

        /// The defaults.
        public init() {}
    }

    /// Why a client cannot be made as configured: a mistake to mend before the service starts.
    public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong and what would be right. Holds no secret.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}
