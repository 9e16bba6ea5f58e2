import HTTP
import OAuth

/// What is answered without an endpoint, and what the log says of it.
extension Answer {
    /// The answer to a request that the HTTP layer refused.
    init(_ refusal: HTTPRefusal) {
        let outcome =
            switch refusal.cause {
            case .refused: "refused"
            case .late: "late"
            case .unanswered: "unanswered"
            }
        let error =
            refusal.status == 503
            ? OAuthError.temporarilyUnavailable(retryAfter: 1)
            : OAuthError.invalidRequest(refusal.reason, status: refusal.status)
        let detail = refusal.cause == .unanswered ? "there was no answer before the deadline" : refusal.reason
        self.init(error, outcome: outcome, detail: detail)
    }

    /// For the log alone: connections that got 503 and were closed.
    init(_ turnedAway: HTTPTurnedAway) {
        self.init(
            HTTPResponse(status: 503), outcome: "turned_away",
            detail:
                "connections beyond --max-connections or --max-connections-per-address: \(turnedAway.count)")
    }
}
