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
    /// A refusal with the text of an error reply: its first line, cut where Redis repeats what it was sent; its code alone
    /// where that has the secret, or a part of it.
    static func refusal(_ message: String, hiding secret: String? = nil) -> RedisError {
        let line = message.prefix { !$0.isNewline }.prefix(200)
        var text = String(line[..<startOfRepeated(in: line)])
        let isCut = text.utf8.count < line.utf8.count
        // Looked for in all of the message: what is behind a cut may be the rest of it.
        if let secret, let start = offset(of: secret, in: message), start < text.utf8.count {
            text = code(of: message, hiding: secret)
        }
        let isReason = text.contains(" ")
        while text.last == " " || text.last == "," { text.removeLast() }
        if isCut && isReason { text += " …" }
        return .refused(text.isEmpty ? "ERR" : text)
    }

    /// Where an error reply begins to repeat what Redis was sent: at a quotation mark, but for the words that it quotes
    /// itself, or at the arguments.
    private static func startOfRepeated(in line: Substring) -> Substring.Index {
        let end = line.firstRange(of: "with args")?.lowerBound ?? line.endIndex
        var rest = line[..<end]
        while let mark = rest.firstIndex(where: { $0 == "'" || $0 == "`" }) {
            guard let next = endOfOwnWord(at: mark, in: line[..<end]) else { return mark }
            rest = line[next..<end]
        }
        return end
    }

    /// Where a word of Redis's own ends that has this quotation mark: an apostrophe in it, the name of a setting or that
    /// of a command; nil where what is quoted may be anything.
    private static func endOfOwnWord(at mark: Substring.Index, in line: Substring) -> Substring.Index? {
        let (before, after) = (line[..<mark], line[line.index(after: mark)...])
        if before.last?.isLetter == true && after.first?.isLetter == true { return after.startIndex }
        guard before.hasSuffix(" to run the ") || before.hasSuffix(" used memory > "),
            let closing = after.firstIndex(of: "'"), after[..<closing].count <= 30,
            after[..<closing].allSatisfy({ ("a"..."z").contains($0) || $0 == "|" || $0 == "-" })
        else { return nil }
        return line.index(after: closing)
    }

    /// Where a secret, or eight bytes of it, is in a text first: what tells of a password may cut it, too. Byte by byte,
    /// since what follows may make another character of its last one.
    private static func offset(of secret: String, in message: String) -> Int? {
        let (secret, message) = (Array(secret.utf8), Array(message.utf8))
        let length = min(8, secret.count)
        guard length > 0, length <= message.count else { return nil }
        let parts = Set((0...secret.count - length).map { secret[$0..<$0 + length] })
        return (0...message.count - length).first { parts.contains(message[$0..<$0 + length]) }
    }

    /// The word in capitals that an error begins with, unless it may be of the secret.
    private static func code(of message: String, hiding secret: String) -> String {
        let code = message.prefix { ("A"..."Z").contains($0) }
        let isWord = !code.isEmpty && message[code.endIndex...].first == " "
        return isWord && !secret.contains(code) ? String(code) : "ERR"
    }
}
