import AuthStore
import EventLoop
import HTTP
import OAuth
import ServerCases
import Synchronization
import Testing

@testable import AuthServer

/// The server's functions without its process: no socket, no signal, and a clock that can be set forward.
final class InProcessServer: ServerUnderTest {
    let scenario: Scenario
    let issuer: String
    private let running: EventLoop.Running
    private let worker: LoopBound<Worker>
    private let routes: Routes
    private let tokens: SQLiteTokenStore
    private let slowChecks: SlowSecretChecks
    private let clock: SettableClock

    /// A server.
    /// - Parameters:
    ///   - store: what keeps its tokens; SQLite where nil.
    ///   - failureLimit: how many failed authentications a minute are let in; nil for no end, since cases fail on
    ///     purpose.
    static func start(
        _ scenario: Scenario, issuer: String = "https://auth.example.com", jwksMaxAge: Int64 = 300,
        store: (any TokenStore)? = nil, failureLimit: Int? = nil
    ) async throws -> InProcessServer {
        let clock = SettableClock()
        let issuer = try Issuer(issuer)
        let slowChecks = try SlowSecretChecks()
        let tokens = try SQLiteTokenStore.open(
            path: scenario.file("tokens-\(UInt64.random(in: .min ... .max)).db"),
            configuration: SQLiteTokenStoreConfiguration(
                durability: .normal, deadline: .seconds(30), now: { clock.now }))
        let running = try EventLoop.start(name: "server")
        let loop = running.loop
        let worker = try await Task(executorPreference: loop) {
            let registry = try RegistryReader(path: scenario.database, clock: { clock.now }) { _ in }
            let throttle = failureLimit.map {
                ClientThrottle(
                    counters: FailureCounters(limit: $0), shared: nil, loop: loop,
                    uptime: { clock.skipped + 1000 })
            }
            let worker = Worker(
                issuer: issuer, registry: registry, tokens: store ?? tokens.reading(on: loop),
                secretChecks: SecretChecks(slow: slowChecks), throttle: throttle,
                jwksMaxAge: jwksMaxAge, clock: { clock.now })
            return LoopBound(worker, loop: loop)
        }.value
        return InProcessServer(
            scenario: scenario, issuer: issuer, running: running, worker: worker, tokens: tokens,
            slowChecks: slowChecks, clock: clock)
    }

    private init(
        scenario: Scenario, issuer: Issuer, running: EventLoop.Running, worker: LoopBound<Worker>,
        tokens: SQLiteTokenStore, slowChecks: SlowSecretChecks, clock: SettableClock
    ) {
        self.scenario = scenario
        self.issuer = issuer.value
        routes = Routes(issuerPath: issuer.path)
        self.running = running
        self.worker = worker
        self.tokens = tokens
        self.slowChecks = slowChecks
        self.clock = clock
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        await answer(request).response
    }

    /// The answer with what the log is told.
    func answer(_ request: HTTPRequest) async -> Answer {
        let worker = worker
        let routes = routes
        var answer = await Task(executorPreference: running.loop) {
            switch Dispatcher.begin(request, routes: routes, worker: worker.value).1 {
            case .now(let answer): answer
            case .later(let rest): await rest()
            }
        }.value
        // The engine leaves out what HEAD and 304 have no body for.
        if request.method == "HEAD" { answer.response.body = [] }
        return answer
    }

    func wait(until second: Int64) async throws { clock.advance(to: second * 1000) }

    /// The server's clock, in milliseconds.
    var now: Milliseconds { clock.now }

    /// Ends a client's tokens in the token store, which a process is told of by its relay.
    func endTokens(of client: ClientID, at moment: Milliseconds) async throws {
        try await tokens.revokeAll(of: client, at: moment, keepFor: 3600)
    }

    /// Ends its threads.
    func stop() async {
        await tokens.close()
        slowChecks.stop()
        running.loop.stop()
        running.join()
    }
}

/// The system's clock, which can be set forward.
final class SettableClock: Sendable {
    private let offset = Mutex<Milliseconds>(0)

    var now: Milliseconds { WallClock.now() + offset.withLock { $0 } }

    /// How far it was set forward, in milliseconds: a clock that stands still otherwise.
    var skipped: Milliseconds { offset.withLock { $0 } }

    func advance(to milliseconds: Milliseconds) {
        offset.withLock { $0 = max($0, milliseconds - WallClock.now()) }
    }
}

/// Starts a server for a suite, and ends it after its last test.
struct ServedWithoutSocket: SuiteTrait, TestScoping {
    @TaskLocal static var current: InProcessServer?

    /// Whether there are clients whose secrets cost a derivation by scrypt.
    let withBroughtSecrets: Bool

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: withBroughtSecrets))
        do {
            try await Self.$current.withValue(server) { try await function() }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    /// The server of the suite that runs.
    static func server() throws -> InProcessServer { try #require(current) }
}

extension Trait where Self == ServedWithoutSocket {
    /// A server without a socket, with all clients.
    static var servedWithoutSocket: Self { ServedWithoutSocket(withBroughtSecrets: true) }
}
