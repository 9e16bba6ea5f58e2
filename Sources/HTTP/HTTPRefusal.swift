/// A request that the server answers by itself: no handler saw it, or the handler did not answer in time.
public struct HTTPRefusal: Sendable, Hashable {
    /// Why it is answered.
    public enum Cause: Sendable, Hashable {
        /// It is none that is served: 400, 411, 413, 431 or 505.
        case refused
        /// It did not arrive in time: 408.
        case late
        /// The handler did not answer in time: 503.
        case unanswered
    }

    /// Why it is answered.
    public let cause: Cause
    /// The status code.
    public let status: Int
    /// What is wrong: a constant text, of ASCII letters, digits, blanks and simple punctuation.
    public let reason: String
    /// The peer's address, without port.
    public let remoteAddress: String

    /// A refusal.
    public init(cause: Cause, status: Int, reason: String, remoteAddress: String) {
        self.cause = cause
        self.status = status
        self.reason = reason
        self.remoteAddress = remoteAddress
    }

    /// The answer of one line of text, which no cache keeps.
    public var plainAnswer: HTTPResponse {
        let retryAfter = status == 503 ? [HTTPField("Retry-After", "1")] : []
        return .text(status, reason, fields: retryAfter + [HTTPField("Cache-Control", "no-store")])
    }

    static func late(from address: String) -> HTTPRefusal {
        HTTPRefusal(
            cause: .late, status: 408, reason: "the request did not arrive in time", remoteAddress: address)
    }

    static func unanswered(from address: String) -> HTTPRefusal {
        HTTPRefusal(
            cause: .unanswered, status: 503, reason: "the server cannot do this now: try again later",
            remoteAddress: address)
    }
}

/// Connections that were answered 503 and closed because there was no place for them.
public struct HTTPTurnedAway: Sendable, Hashable {
    /// How many since the last time that it was said.
    public let count: Int
    /// The address of the last of them, without port.
    public let lastAddress: String
}

/// Counts the connections that are turned away, so that many are said by one call a second.
struct TurnedAwayCount {
    private static let pause: Int64 = 1000
    private var count = 0
    private var lastAddress = ""
    private var earliest: Int64 = .min

    mutating func add(_ address: String) {
        count += 1
        lastAddress = address
    }

    /// What is to be said at a moment, in milliseconds.
    mutating func take(at now: Int64) -> HTTPTurnedAway? {
        guard count > 0, now >= earliest else { return nil }
        earliest = now.addingReportingOverflow(Self.pause).partialValue
        defer { count = 0 }
        return HTTPTurnedAway(count: count, lastAddress: lastAddress)
    }
}
