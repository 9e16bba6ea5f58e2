extension ResourceGuard {
    /// Why a guard could let no token in now.
    public struct NotReady: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong and where. Holds no secret, but addresses of the issuer: it is for the log.
        public let reason: String
        /// How long the guard waits before it asks the issuer again: until then a further call says the same, at once.
        public let retryAfter: Duration

        /// One line for the log.
        public var description: String { "no token can be verified: \(reason)" }
    }

    /// Tries at the start of a service, or in its readiness probe, whether the guard has the issuer's keys; without it a
    /// wrong issuer or address shows at the first request.
    ///
    /// Keys that the guard has are enough, also earlier ones that are used on while new ones cannot be fetched: as long as
    /// requests are let in, the guard is ready. Else it fetches them, as a request would: one fetch for all who wait,
    /// within `fetchDeadline`, and none for a while after one that failed. With `.issuerMetadata` the issuer's own document
    /// must name the same issuer; with other sources of keys whether the issuer is the tokens' shows with a token only. A
    /// store check is not asked.
    /// - Throws: `NotReady`
    public nonisolated(nonsending) func checkReadiness() async throws(NotReady) {
        do throws(KeyCache.Trouble) {
            try await verifier.keys.makeAvailable()
        } catch {
            switch error {
            case .unavailable(let retryAfter, let cause):
                throw NotReady(reason: cause, retryAfter: retryAfter)
            case .unknownKey: throw NotReady(reason: "there are no keys", retryAfter: .zero)
            }
        }
    }
}
