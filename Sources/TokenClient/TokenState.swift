/// One token's life: when it is used, when it is renewed, when a failure is remembered. Pure; the client carries
/// out what it decides.
///
/// A token is used until shortly before it ends: a tenth of its life, a second at least, ten at most. From 80 % of its
/// life on, the next use starts a renewal and goes on with the old one. Without a usable token one request is under way,
/// and all wait for it.
struct TokenState: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What a caller shall do.
    enum Decision: Equatable {
        /// Use this.
        case use(AccessToken)
        /// Wait for the request under way.
        case wait
        /// The last request failed a moment ago.
        case fail(TokenClientError.Reason)
    }

    /// A decision, and whether the caller must start a request.
    struct Step: Equatable {
        let decision: Decision
        var startsRequest = false
    }

    private struct Held {
        let token: AccessToken
        let renewAt: Instant
        var usableUntil: Instant
        /// Whether somebody called it invalid.
        var isDropped = false
    }

    /// Between two tokens that are dropped because somebody calls them invalid: who refuses each refuses the next one, too.
    private static let pauseBetweenDrops = Duration.seconds(1)

    private struct Failure {
        let error: TokenClientError.Reason
        let until: Instant
    }

    private var held: Held?
    private var failure: Failure?
    /// Before which no token is dropped because somebody calls it invalid.
    private var nextDrop: Instant?
    private(set) var isRequesting = false

    /// Decides for a caller that needs the token.
    mutating func need(now: Instant) -> Step {
        if let held, now < held.usableUntil {
            let isDue = now >= held.renewAt && remembered(now) == nil
            return Step(decision: .use(held.token), startsRequest: isDue && startRequest())
        }
        if isRequesting { return Step(decision: .wait) }
        if let error = remembered(now) { return Step(decision: .fail(error)) }
        return Step(decision: .wait, startsRequest: startRequest())
    }

    /// Takes a new token.
    /// - Parameter requestedAt: when its request was sent, from when its life is counted.
    mutating func obtained(_ response: TokenResponse, requestedAt: Instant) {
        isRequesting = false
        failure = nil
        // `exp` is a whole second: the token may end up to a second before `expires_in` has passed.
        let margin = min(max(response.lifetime * 0.1, .seconds(1)), .seconds(10))
        let use = response.lifetime - margin
        held = Held(
            token: response.token, renewAt: requestedAt + min(response.lifetime * 0.8, use * 0.9),
            usableUntil: requestedAt + use)
    }

    /// Takes note of a failure. A token that is still usable stays; the failure is remembered for a second, or
    /// for as long as the server asks but ten seconds at most, so that callers in a loop do not flood it.
    mutating func failed(_ error: TokenClientError.Reason, now: Instant) {
        isRequesting = false
        var pause = Duration.seconds(1)
        if case .unavailable(_, let retryAfter?) = error { pause = min(max(pause, retryAfter), .seconds(10)) }
        failure = Failure(error: error, until: now + pause)
    }

    /// Drops the token if it is this one: a newer one stays. At the earliest a second after another was dropped so.
    mutating func invalidate(_ token: AccessToken, now: Instant) {
        guard let held, held.token == token, !held.isDropped else { return }
        let end = max(now, nextDrop ?? now)
        self.held?.usableUntil = min(held.usableUntil, end)
        self.held?.isDropped = true
        nextDrop = end + Self.pauseBetweenDrops
    }

    private func remembered(_ now: Instant) -> TokenClientError.Reason? {
        failure.flatMap { now < $0.until ? $0.error : nil }
    }

    private mutating func startRequest() -> Bool {
        guard !isRequesting else { return false }
        isRequesting = true
        return true
    }
}
