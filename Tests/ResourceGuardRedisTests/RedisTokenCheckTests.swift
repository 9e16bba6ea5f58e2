import AuthStore
import EventLoop
import Foundation
import OAuth
import Redis
import ResourceGuard
import ResourceGuardRedis
import Testing
import TestSupport

@Suite("The store check in Redis")
struct RedisTokenCheckTests {
    /// A store as the authorization server has it, beside a check as a guard has it.
    private func withBoth(
        _ options: RedisServer.Options = .init(),
        url: @escaping @Sendable (RedisServer) -> String = { $0.url },
        _ body: @escaping @Sendable (RedisServer, RedisTokenStore, RedisTokenCheck) async throws -> Void
    ) async throws {
        let server = try await RedisServer.start(options)
        let check = try RedisTokenCheck(url: url(server), deadline: .seconds(20))
        try await runOnLoop { loop in
            var configuration = try RedisConfiguration(url: server.url)
            configuration.commandDeadline = .seconds(20)
            let connection = RedisConnection(loop: loop, configuration: configuration)
            defer { connection.close() }
            try await body(server, RedisTokenStore(connection, keys: TokenKeys()), check)
        }
    }

    private let client: ClientID
    private let other: ClientID

    init() throws {
        client = try ClientID("gateway")
        other = try ClientID("book")
    }

    private func token(_ number: Int, issuedAt: Milliseconds = WallClock.now()) throws -> StoredToken {
        let digits = String(number)
        let id = try TokenID(String(repeating: "A", count: 22 - digits.utf8.count) + digits)
        return StoredToken(
            tokenID: id, clientID: client, issuedAtMilliseconds: issuedAt, expiresAt: issuedAt / 1000 + 60)
    }

    @Test("A token is active once it is stored, and inactive once it is revoked, at once (R4)")
    func revoked() async throws {
        try await withBoth { [self] _, store, check in
            let token = try token(1)
            #expect(try await !check.isActive(tokenID: token.tokenID, clientID: client, token: []))
            try await store.record(token)
            #expect(try await check.isActive(tokenID: token.tokenID, clientID: client, token: []))
            try await store.revoke(token.tokenID)
            #expect(try await !check.isActive(tokenID: token.tokenID, clientID: client, token: []))
        }
    }

    @Test("A client's revocation ends what was issued up to it, of that client alone")
    func revokedClient() async throws {
        try await withBoth { [self] _, store, check in
            let now = WallClock.now()
            let (old, new) = (try token(1, issuedAt: now), try token(2, issuedAt: now + 1))
            try await store.record(old)
            try await store.record(new)
            try await store.revokeAll(of: client, at: now, keepFor: 60)
            #expect(try await !check.isActive(tokenID: old.tokenID, clientID: client, token: []))
            #expect(try await check.isActive(tokenID: new.tokenID, clientID: client, token: []))
            #expect(try await check.isActive(tokenID: old.tokenID, clientID: other, token: []))
        }
    }

    @Test("A user of Redis that may read the keys and nothing else is enough")
    func leastPrivilege() async throws {
        var options = RedisServer.Options()
        options.users = ["guard on >sesame ~auth:* +mget"]
        try await withBoth(options, url: { "redis://guard:sesame@127.0.0.1:\($0.port)" }) {
            [self] _, store, check in
            let token = try token(1)
            try await store.record(token)
            #expect(try await check.isActive(tokenID: token.tokenID, clientID: client, token: []))
        }
    }

    @Test("Checks of many tasks run beside one another")
    func concurrent() async throws {
        try await withBoth { [self] _, store, check in
            for number in 0..<50 { try await store.record(try token(number)) }
            await withDiscardingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        guard let token = try? token(number) else { return }
                        let isActive = try? await check.isActive(
                            tokenID: token.tokenID, clientID: client, token: [])
                        #expect(isActive == (number < 50))
                    }
                }
            }
        }
    }

    @Test("While Redis is away a check has no answer, and says so in time (G18); then it has again")
    func away() async throws {
        try await withBoth { [self] server, _, check in
            let token = try token(1)
            #expect(try await !check.isActive(tokenID: token.tokenID, clientID: client, token: []))
            try await server.kill()
            try await eventually("the loss is seen") {
                do throws(TokenCheckError) {
                    _ = try await check.isActive(tokenID: token.tokenID, clientID: client, token: [])
                    return false
                } catch {
                    guard case .unavailable = error else { throw error }
                    return true
                }
            }
            try await server.restart()
            try await eventually("it is back") {
                (try? await check.isActive(tokenID: token.tokenID, clientID: client, token: [])) == false
            }
        }
    }

    @Test("A hanging Redis costs a check its deadline (G18)")
    func hanging() async throws {
        let server = try await RedisServer.start()
        let check = try RedisTokenCheck(url: server.url, deadline: .seconds(1))
        let token = try token(1)
        try await eventually("it is connected") {
            (try? await check.isActive(tokenID: token.tokenID, clientID: client, token: [])) == false
        }
        server.suspend()
        await #expect(throws: TokenCheckError.timedOut) {
            try await check.isActive(tokenID: token.tokenID, clientID: client, token: [])
        }
    }

    @Test("A value that the authorization server does not write is no answer", arguments: ["x", "", "1e3"])
    func strangeValues(value: String) async throws {
        try await withBoth { [self] server, store, check in
            let token = try token(1)
            try await store.record(token)
            try await runOnLoop { loop in
                let raw = RedisConnection(loop: loop, configuration: try RedisConfiguration(url: server.url))
                _ = try await raw.command(
                    RedisCommand("SET", .text(TokenKeys().revocation(of: client)), .text(value)))
            }
            await #expect(throws: TokenCheckError.self) {
                try await check.isActive(tokenID: token.tokenID, clientID: client, token: [])
            }
        }
    }

    @Test("A URL that is not usable is told at once, without its password")
    func wrongURL() throws {
        let error = try #require(throws: ResourceGuard.ConfigurationError.self) {
            try RedisTokenCheck(url: "redis://:sesame@host:port")
        }
        #expect(
            error.description
                == "the URL of the token check: the port of the Redis URL is a number from 1 to 65535")
        #expect(!error.description.contains("sesame"))
    }

    /// A thread that nobody joins or lets go keeps its stack, of eight megabytes of addresses.
    @Test("Checks that are let go leave no thread behind")
    func threads() throws {
        func addresses() throws -> Int {
            let numbers = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
                separator: " ")
            return try #require(Int(numbers[0])) * 4096
        }
        let before = try addresses()
        for _ in 0..<400 { _ = try RedisTokenCheck(url: "unix:///nowhere") }
        #expect(try addresses() - before < 400 * (8 << 20) / 2)
    }
}
