import AuthStore
import HTTP
import JOSE
import OAuth
import ServerCases
import Synchronization
import Testing

/// Rule 3: a token is in the store before the client has it, and none is handed out that the store does not know.
@Suite("The token store as the endpoints use it")
struct TokenStoreFailureTests {
    private static let failures: [TokenStoreError] = [
        .unavailable("Redis is away; AUTH the-password was refused"), .timedOut, .overloaded,
    ]

    @Test("T22: nothing is recorded, so nothing is handed out: 503 with Retry-After", arguments: failures)
    func refuses(_ failure: TokenStoreError) async throws {
        try await withServer(RecordingStore(failure: failure)) { server, _ in
            let dialogue = Dialogue(server: server)
            try await dialogue.token().isError(503, "temporarily_unavailable")
            let ready = try await dialogue.get("/readyz").has(status: 503)
            #expect(!ready.response.text.contains("password"))
            try await dialogue.get("/healthz").has(status: 200)
            // What needs no store is answered as ever.
            try await dialogue.token("scope=admin").isError(400, "invalid_scope")
            try await dialogue.token(by: .basic("gateway", secret: "wrong")).isUnauthenticated()
            try await dialogue.introspect("garbage").isInactive()
            try await dialogue.revoke("garbage").has(status: 200)
            #expect(dialogue.problems == [])
        }
    }

    @Test("A store that fails later: introspection and revocation say 503, never active or done")
    func failsLater() async throws {
        try await withServer(RecordingStore()) { server, store in
            let dialogue = Dialogue(server: server)
            let token = try await dialogue.issue()
            store.fail(with: .timedOut)
            try await dialogue.introspect(token).isError(503, "temporarily_unavailable")
            try await dialogue.revoke(token).isError(503, "temporarily_unavailable")
            store.fail(with: nil)
            try await dialogue.introspect(token).isActive()
            #expect(dialogue.problems == [])
        }
    }

    @Test("Rule 3: the record is written with what the token says, before the answer")
    func recordsFirst() async throws {
        try await withServer(RecordingStore()) { server, store in
            let token = IssuedToken(try await Dialogue(server: server).issue())
            let stored = try #require(store.tokens.first)
            #expect(store.tokens.count == 1)
            #expect(stored.tokenID.value == token?.id)
            #expect(stored.clientID.value == "gateway")
            #expect(stored.expiresAt == token?.seconds("exp"))
            #expect(stored.issuedAtMilliseconds / 1000 == token?.seconds("iat"))
        }
    }

    @Test("Nothing is recorded for a request that is refused")
    func recordsNothingElse() async throws {
        try await withServer(RecordingStore()) { server, store in
            let dialogue = Dialogue(server: server)
            try await dialogue.token("scope=admin").isError(400, "invalid_scope")
            try await dialogue.token("resource=x").isError(400, "invalid_target")
            try await dialogue.token(by: .basic("gateway", secret: "wrong")).isUnauthenticated()
            try await dialogue.revoke("garbage").has(status: 200)
            #expect(store.tokens.isEmpty)
            #expect(dialogue.problems == [])
        }
    }

    private func withServer(
        _ store: RecordingStore, _ body: (InProcessServer, RecordingStore) async throws -> Void
    ) async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: false), store: store)
        try await body(server, store)
        await server.stop()
    }
}

/// A token store in memory that fails when it is told to.
final class RecordingStore: TokenStore {
    private struct State {
        var failure: TokenStoreError?
        var tokens: [StoredToken] = []
    }

    private let state: Mutex<State>

    init(failure: TokenStoreError? = nil) {
        state = Mutex(State(failure: failure))
    }

    var tokens: [StoredToken] { state.withLock { $0.tokens } }

    func fail(with failure: TokenStoreError?) { state.withLock { $0.failure = failure } }

    private func check() throws(TokenStoreError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func record(_ token: StoredToken) async throws(TokenStoreError) {
        try check()
        state.withLock { $0.tokens.append(token) }
    }

    func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) async throws(TokenStoreError) -> TokenStatus {
        try check()
        return tokens.contains { $0.tokenID == id } ? .active : .inactive
    }

    func revoke(_ id: TokenID, expiringAt end: Int64?) async throws(TokenStoreError) {
        try check()
        state.withLock { $0.tokens.removeAll { $0.tokenID == id } }
    }

    func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError) { try check() }

    func ping() async throws(TokenStoreError) { try check() }
}
