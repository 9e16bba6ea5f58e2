package import HTTP
internal import Synchronization

/// A server that cases are tried on: its functions, called as they are, or its process, through a socket.
package protocol ServerUnderTest: Sendable {
    /// What is in its registry.
    var scenario: Scenario { get }
    /// Its issuer identifier.
    var issuer: String { get }
    /// Sends a request and waits for the answer.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
    /// Comes back when the server's clock has reached a second: by waiting, or by setting the clock.
    func wait(until second: Int64) async throws
}

/// One case: what is sent, and what the right answer is.
package struct ServerCase: Sendable, CustomStringConvertible {
    /// Its number, and what is odd about it.
    package let description: String
    private let body: @Sendable (Dialogue) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Dialogue) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Tries the case.
    /// - Returns: what is wrong with the answers; empty when they are right.
    package func problems(on server: any ServerUnderTest) async throws -> [String] {
        let dialogue = Dialogue(server: server)
        try await body(dialogue)
        return dialogue.problems
    }
}

/// The requests and answers of one case, and what was wrong with them.
package final class Dialogue: Sendable {
    package let server: any ServerUnderTest
    private let found = Mutex<[String]>([])

    package init(server: any ServerUnderTest) {
        self.server = server
    }

    /// What was wrong so far.
    package var problems: [String] { found.withLock { $0 } }

    /// Notes that something is wrong unless `condition` is true.
    package func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        guard !condition else { return }
        let text = text()
        found.withLock { $0.append(text) }
    }

    /// Sends a request; what must hold of every answer is looked at here.
    package func send(_ request: HTTPRequest) async throws -> Exchange {
        let response = try await server.send(request)
        for problem in Invariants.problems(request, response, secrets: server.scenario.allSecrets) {
            expect(false, "\(request.method) \(request.path): \(problem)")
        }
        return Exchange(request: request, response: response, dialogue: self)
    }
}
