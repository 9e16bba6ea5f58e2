/// Why a command has no reply; the texts are for the log and hold no password and no argument.
public enum RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The URL or an option is not usable; the text says how it should look.
    case configuration(String)
    /// There is no connection, or it ended before the reply; whether the command was done is not known.
    case unavailable(String)
    /// No reply before the deadline; whether the command was done is not known.
    case timedOut
    /// Too many commands wait: this one was not sent.
    case overloaded
    /// Redis answered with an error, such as `OOM …`, `READONLY …` or `WRONGPASS …`.
    case refused(String)
    /// What came back is no Redis protocol, or more than is accepted.
    case malformed(String)

    /// What is wrong, for the log.
    public var description: String {
        switch self {
        case .configuration(let text): text
        case .unavailable(let text): text
        case .timedOut: "Redis did not answer in time"
        case .overloaded: "too many commands wait for Redis"
        case .refused(let text): "Redis refused: \(text)"
        case .malformed(let text): "Redis sent what is no valid reply: \(text)"
        }
    }

    /// The first word of a refusal, such as `OOM`; nil for other errors.
    public var refusalCode: String? {
        guard case .refused(let text) = self else { return nil }
        return text.split(separator: " ", maxSplits: 1).first.map(String.init)
    }
}

extension RedisError {
    /// A refusal with the text of an error reply: its first line, cut where Redis repeats what it was sent.
    static func refusal(_ message: String, hiding secret: String? = nil) -> RedisError {
        var text = String(message.prefix { !$0.isNewline }.prefix(200))
        for marker in ["with args", "`", "'"] {
            if let start = text.firstRange(of: marker)?.lowerBound { text = String(text[..<start]) }
        }
        if let secret, !secret.isEmpty, text.contains(secret) {
            text = text.split(separator: " ").first.map(String.init) ?? "ERR"
        }
        while text.last == " " || text.last == "," { text.removeLast() }
        return .refused(text.isEmpty ? "ERR" : text)
    }
}
