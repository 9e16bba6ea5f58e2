import LocalServer
import Synchronization

@testable import ResourceGuard

/// An issuer's metadata and key set on a `LocalServer`; what the key set answers is the test's to change.
final class KeyServer: Sendable {
    private final class Answers: Sendable {
        let keys: Mutex<LocalReply>
        let metadata = Mutex<LocalReply>(.json("{}"))
        let gate = Mutex<Gate?>(nil)
        init(_ keys: LocalReply) { self.keys = Mutex(keys) }
    }

    private let answers: Answers
    private let server: LocalServer

    init(_ keys: LocalReply) throws {
        answers = Answers(keys)
        server = try LocalServer { [answers] request in
            if request.target.hasPrefix("/.well-known/") { return answers.metadata.withLock { $0 } }
            answers.gate.withLock { $0 }?.pass()
            return answers.keys.withLock { $0 }
        }
        let url = server.url
        answers.metadata.withLock { $0 = .json(#"{"issuer":"\#(url)","jwks_uri":"\#(url)/keys"}"#) }
    }

    /// A server of the key set's text, fresh for so many seconds.
    convenience init(keySet: String, age: Int = 300) throws {
        try self.init(Self.keySet(keySet, age: age))
    }

    static func keySet(_ text: String, age: Int = 300) -> LocalReply {
        .json(text, fields: ["Cache-Control: max-age=\(age)"])
    }

    /// The issuer.
    var url: String { server.url }
    /// How often the keys were asked for.
    var fetches: Int { server.count("/keys") }
    /// How many requests there were at all.
    var requests: Int { server.requests.count }

    func answer(_ keys: LocalReply) { answers.keys.withLock { $0 = keys } }
    func answerMetadata(_ reply: LocalReply) { answers.metadata.withLock { $0 = reply } }
    /// Holds the key set back until the gate opens.
    func hold(at gate: Gate?) { answers.gate.withLock { $0 = gate } }
    func stop() { server.stop() }
}
