public import OutboundHTTP

extension ResourceGuard {
    /// What a service may set; each has a safe default.
    public struct Configuration: Sendable {
        /// What happens to a request when the store check has no answer.
        public enum CheckOutage: Sendable, Equatable {
            /// It is refused with 503.
            case refuse
            /// It is let through, because its signature and claims are in order: a revoked token works meanwhile.
            case letThrough
        }

        /// Seconds by which the clocks of issuer and service may differ, 0 to 60: a token is good until it expires,
        /// and this much longer. A store check knows no leeway.
        public var leeway: Int64 = 5
        /// How many verified tokens are remembered; 0 for none.
        public var rememberedTokens = 10_000
        /// What happens when the store check has no answer.
        public var checkOutage = CheckOutage.refuse
        /// Where the service serves its `ProtectedResourceMetadata` (RFC 9728 §5.1), for the refusals to name.
        /// Where the resource id is an https URL its well-known address is used unless another is given.
        public var metadataURL: String?
        /// The least time between two fetches of keys that tokens with unknown keys cause.
        public var keyCooldown: Duration = .seconds(10)
        /// How long keys are trusted beyond their max-age while they cannot be fetched.
        public var keyStaleness: Duration = .seconds(24 * 3600)
        /// The time in which a fetch of keys must end.
        public var fetchDeadline: Duration = .seconds(5)
        /// Lets the issuer and its keys be reached over plain http beyond the loopback interface. Who can change
        /// packets on that network can then forge tokens.
        public var allowsPlainHTTP = false
        /// Which certificates vouch for the servers of the issuer's metadata and keys. An `IntrospectionCheck` is told its
        /// own.
        public var trustedCertificates = TrustedCertificates.system
        /// Called with what belongs in the log; from any thread, so it must return soon.
        public var log: @Sendable (LogEvent) -> Void = { _ in }

        /// The defaults.
        public init() {}
    }
}
