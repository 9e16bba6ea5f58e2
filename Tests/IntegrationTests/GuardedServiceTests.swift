import Foundation
import Glibc
import HTTP
import JOSE
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    /// The guard's rows of the table of answers, at a service of the examples that asks Redis about each token.
    @Suite("A service behind the guard")
    struct GuardedServiceTests {
        @Test("No credentials: 401 with a challenge that names the metadata, and no error code")
        func noCredentials() async throws {
            try await withBook { book in
                for fields in [[], [HTTPField("Authorization", "Basic Z2F0ZXdheTp4")]] {
                    let answer = try await book.get(fields)
                    let challenge = answer.value("www-authenticate") ?? ""
                    #expect(answer.status == 401)
                    #expect(challenge.hasPrefix("Bearer realm=\""))
                    #expect(challenge.contains("resource_metadata=\"http"))
                    #expect(!challenge.contains("error="))
                    #expect(answer.json?["error"] == nil)
                }
            }
        }

        @Test("Two headers, or one that is malformed: 400 invalid_request")
        func malformed() async throws {
            try await withBook { book in
                let token = try await book.dialogue.issue("resource=RESOURCE_ID_BOOK")
                let headers = [
                    ["Bearer \(token)", "Bearer \(token)"], ["Bearer a b"], ["Bearer"], ["Bearer \(token),"],
                ]
                for values in headers {
                    let answer = try await book.get(values.map { HTTPField("Authorization", $0) })
                    #expect(answer.status == 400)
                    #expect(answer.json?["error"] == "invalid_request")
                    #expect(answer.value("www-authenticate")?.contains("error=\"invalid_request\"") == true)
                }
            }
        }

        @Test("What is no good token: 401 invalid_token", arguments: TokenStateCases.garbage.map(\.0))
        func invalid(name: String) async throws {
            try await withBook { book in
                let make = try #require(TokenStateCases.garbage.first { $0.0 == name }).1
                book.expectInvalid(try await book.get(token: try await make(book.dialogue)))
            }
        }

        @Test("The token of the app, meant for the gateway: the refusal names what is missing")
        func wrongAudience() async throws {
            try await withBook { book in
                let answer = try await book.get(token: try await book.dialogue.issue(to: "app"))
                book.expectInvalid(answer)
                #expect(answer.json?["error_description"]?.string?.contains("RESOURCE_ID_BOOK") == true)
            }
        }

        @Test("R4: revoked, expired, of a disabled client: 401 from then on")
        func ended() async throws {
            try await withBook { book in
                let dialogue = book.dialogue
                let token = try await dialogue.issue()
                #expect(try await book.get(token: token).status == 200)
                try await dialogue.revoke(token).has(status: 200)
                book.expectInvalid(try await book.get(token: token))
                let brief = try await dialogue.issue(to: "brief")
                try await dialogue.server.wait(until: IssuedToken(brief)?.seconds("exp") ?? 0)
                book.expectInvalid(try await book.get(token: brief))
                let other = try await dialogue.issue()
                try await Administration(dialogue.server.scenario, redis: book.redis.url)
                    .run("client disable gateway")
                book.expectInvalid(try await book.get(token: other))
                #expect(dialogue.problems == [])
            }
        }

        @Test("A scope that is missing: 403, and it is named")
        func insufficientScope() async throws {
            try await withBook { book in
                try await Administration(book.dialogue.server.scenario)
                    .run("client grant app RESOURCE_ID_BOOK=write")
                let token = try await book.dialogue.issue("resource=RESOURCE_ID_BOOK", to: "app")
                let answer = try await book.get(token: token)
                #expect(answer.status == 403)
                #expect(answer.json?["error"] == "insufficient_scope")
                #expect(answer.json?["scope"] == "read")
                let challenge = answer.value("www-authenticate") ?? ""
                #expect(challenge.contains("error=\"insufficient_scope\""))
                #expect(challenge.contains("scope=\"read\""))
            }
        }

        @Test("G18: without its token store the guard says 503 with Retry-After, and recovers")
        func storeAway() async throws {
            try await withBook { book in
                let token = try await book.dialogue.issue()
                #expect(try await book.get(token: token).status == 200)
                book.redis.suspend()
                let start = ContinuousClock.now
                let answer = try await book.get(token: token)
                #expect(answer.status == 503)
                #expect(Int(answer.value("retry-after") ?? "") != nil)
                #expect(ContinuousClock.now - start < .seconds(2))
                book.redis.resume()
                try await eventually("the guard is back") { try await book.get(token: token).status == 200 }
            }
        }

        @Test("G15: a token of a key that was made a moment ago passes, and those of the one before too")
        func rotated() async throws {
            try await withBook { book in
                let old = try await book.dialogue.issue()
                #expect(try await book.get(token: old).status == 200)
                try await Administration(book.dialogue.server.scenario).run("key rotate --now")
                let new = try await book.dialogue.issue()
                try await eventually("the new key is fetched") {
                    try await book.get(token: new).status == 200
                }
                #expect(try await book.get(token: old).status == 200)
            }
        }

        private func withBook(_ body: (GuardedBook) async throws -> Void) async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                let book = try await GuardedBook.start(server, redis: redis)
                try await body(book)
                try await book.stop()
            }
        }
    }
}

/// The book catalog of the examples, which asks Redis about each token.
struct GuardedBook {
    let dialogue: Dialogue
    let redis: RedisServer
    private let port: Int
    private let child: ChildProcess

    static func start(_ server: ServerProcess, redis: RedisServer) async throws -> GuardedBook {
        // A free port may be taken by another process before the service has it: then the next one.
        for attempt in 0..<5 {
            let port = try freePort()
            let child = try ChildProcess(
                [
                    try Product.path("Book"), "--listen", "127.0.0.1:\(port)", "--issuer", server.issuer,
                    "--redis", redis.url, "--database", server.scenario.file("book.db"),
                ], logFile: server.scenario.file("book-\(attempt).log"))
            try await eventually("the catalog listens") {
                child.poll() != nil || child.log.contains("listening on")
            }
            guard child.poll() == nil else { continue }
            return GuardedBook(
                dialogue: Dialogue(server: server), redis: redis, port: Int(port), child: child)
        }
        throw TestFailure("the catalog finds no free port")
    }

    func get(_ fields: [HTTPField]) async throws -> HTTPResponse {
        try await Wire.exchange(HTTPRequest(method: "GET", path: "/api/books/1", fields: fields), port: port)
    }

    func get(token: String) async throws -> HTTPResponse {
        try await get([HTTPField("Authorization", "Bearer \(token)")])
    }

    /// Expects the answer of RFC 6750 §3.1 to a token that is not good, with nothing of the token in it.
    func expectInvalid(_ answer: HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(answer.json?["error"] == "invalid_token", sourceLocation: sourceLocation)
        #expect(
            answer.value("www-authenticate")?.contains("error=\"invalid_token\"") == true,
            sourceLocation: sourceLocation)
        #expect(answer.value("cache-control") == "no-store", sourceLocation: sourceLocation)
    }

    func stop() async throws {
        child.signal(SIGTERM)
        #expect(try await child.waitForExit() == 0)
    }
}
