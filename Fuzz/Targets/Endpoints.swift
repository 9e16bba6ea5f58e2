import AuthStore
import EventLoop
import HTTP
import JOSE
import OAuth
import Synchronization

@testable import AuthServer
@testable import ServerCases

extension FuzzTarget {
    /// The whole server from a request to its answer, without a socket. The input is a method, a path and header
    /// fields, a line each, an empty line and the body. In it BASIC stands for a client's header, SECRET for its
    /// secret, and TOKEN for a token of it.
    static let endpoints = FuzzTarget(name: "endpoints", isCostly: true) { input in
        guard let request = request(of: input) else { return }
        let response = server.answer(request)
        let problems = Invariants.problems(request, response, secrets: server.scenario.allSecrets)
        demand(problems.isEmpty, "\(problems) in the answer \(response.status) \(response.body.text)")
        guard response.status == 200, request.method == "POST" else { return }
        let text = input.text
        demand(text.contains("BASIC") || text.contains("SECRET"), "somebody without a secret gets an answer")
    }

    private static let server = FuzzedServer()

    private static func request(of input: [UInt8]) -> HTTPRequest? {
        let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count >= 2 else { return nil }
        let head = lines.prefix { !$0.isEmpty }.map { server.filled(Array($0)).text }
        guard head.count >= 2 else { return nil }
        let body = lines.dropFirst(head.count + 1).joined(separator: [0x0A])
        let target = head[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = head.dropFirst(2).map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return HTTPRequest(
            method: head[0], path: String(target[0]), query: target.count > 1 ? String(target[1]) : nil,
            fields: fields, body: server.filled(Array(body)))
    }
}

/// A server's functions with a registry of their own, and tokens in memory.
private final class FuzzedServer: Sendable {
    let scenario: Scenario
    private let worker: LoopBound<Worker>
    private let routes: Routes
    private let token: [UInt8]
    private let basic: [UInt8]
    private let secret: [UInt8]

    init() {
        do {
            let scenario = try Scenario(withBroughtSecrets: false)
            let running = try EventLoop.start(name: "server")
            let issuer = try Issuer("https://auth.example.com")
            let slowChecks = try SlowSecretChecks()
            let loop = running.loop
            let worker = try waitingToTry {
                try await Task(executorPreference: loop) {
                    let registry = try RegistryReader(path: scenario.database) { _ in }
                    let worker = Worker(
                        issuer: issuer, registry: registry, tokens: TokensInMemory(),
                        secretChecks: SecretChecks(slow: slowChecks),
                        throttle: nil, jwksMaxAge: 300)
                    return LoopBound(worker, loop: loop)
                }.value
            }
            let routes = Routes(issuerPath: "")
            let basic = Credentials.basic("gateway").header(scenario) ?? ""
            let first = Self.answer(
                HTTPRequest(
                    method: "POST", path: "/oauth/token",
                    fields: [
                        HTTPField("Authorization", basic),
                        HTTPField("Content-Type", "application/x-www-form-urlencoded"),
                    ],
                    body: Array("grant_type=client_credentials".utf8)), worker: worker, routes: routes)
            self.scenario = scenario
            self.worker = worker
            self.routes = routes
            self.basic = Array(basic.utf8)
            secret = Array(scenario.secret(of: "gateway").utf8)
            token = Array((first.json?["access_token"]?.string ?? "").utf8)
            demand(!token.isEmpty, "the first token: \(first.text)")
        } catch { fatalError("no server: \(error)") }
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        var response = Self.answer(request, worker: worker, routes: routes)
        if request.method == "HEAD" { response.body = [] }
        return response
    }

    /// A text with what the placeholders stand for.
    func filled(_ text: [UInt8]) -> [UInt8] {
        text.replacing("BASIC".utf8, with: basic).replacing("SECRET".utf8, with: secret)
            .replacing("TOKEN".utf8, with: token)
    }

    private static func answer(
        _ request: HTTPRequest, worker: LoopBound<Worker>, routes: Routes
    ) -> HTTPResponse {
        waiting {
            await Task(executorPreference: worker.loop) {
                switch Dispatcher.begin(request, routes: routes, worker: worker.value).1 {
                case .now(let answer): answer.response
                case .later(let rest): await rest().response
                }
            }.value
        }
    }
}

private func waitingToTry<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome: Result<Value, any Error> = waiting {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
    return try outcome.get()
}

/// A token store that forgets when it gets large.
private final class TokensInMemory: TokenStore {
    private let known = Mutex<Set<TokenID>>([])

    func record(_ token: StoredToken) async throws(TokenStoreError) {
        known.withLock { known in
            if known.count > 10_000 { known = [] }
            known.insert(token.tokenID)
        }
    }

    func status(
        of id: TokenID, client: ClientID, expiringAt end: Int64?
    ) async throws(TokenStoreError) -> TokenStatus {
        known.withLock { $0.contains(id) } ? .active : .inactive
    }

    func revoke(_ id: TokenID, expiringAt end: Int64?) async throws(TokenStoreError) {
        known.withLock { _ = $0.remove(id) }
    }

    func revokeAll(
        of client: ClientID, at milliseconds: Int64, keepFor seconds: Int64
    ) async throws(TokenStoreError) {}

    func ping() async throws(TokenStoreError) {}
}
