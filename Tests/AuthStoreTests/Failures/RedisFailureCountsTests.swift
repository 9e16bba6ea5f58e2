import EventLoop
import OAuth
import Redis
import TestSupport
import Testing

@testable import AuthStore

@Suite("Failures counted in Redis")
struct RedisFailureCountsTests {
    /// Two servers' ways to one Redis.
    private static func withCounts(
        _ test:
            @escaping @Sendable (RedisFailureCounts, RedisFailureCounts, RedisConnection) async throws -> Void
    ) async throws {
        let server = try await RedisServer.start()
        let configuration = try RedisConfiguration(url: server.url)
        try await runOnLoop { loop in
            let first = RedisConnection(loop: loop, configuration: configuration)
            let second = RedisConnection(loop: loop, configuration: configuration)
            let keys = TokenKeys()
            try await test(
                RedisFailureCounts(first, keys: keys), RedisFailureCounts(second, keys: keys), first)
            first.close()
            second.close()
        }
        withExtendedLifetime(server) {}
    }

    private static let failures = [
        RedisFailureCounts.Failure(of: ["address", "4:c0000201"], adding: 10_000),
        RedisFailureCounts.Failure(of: ["client", "gateway"], adding: 20_000),
    ]

    @Test("What two servers count adds up, and drains")
    func addsUp() async throws {
        try await Self.withCounts { first, second, _ in
            _ = try await first.add(Self.failures, upTo: 120_000)
            let levels = try await second.add(Self.failures, upTo: 120_000)
            // Some of it may have drained meanwhile; a minute of it has not.
            #expect((10_001...20_000).contains(levels[0]))
            #expect((20_001...40_000).contains(levels[1]))
            #expect(levels[1] > levels[0])
        }
    }

    @Test("A level stops at the maximum, and ends by itself")
    func maximum() async throws {
        try await Self.withCounts { first, _, connection in
            for _ in 0..<20 { _ = try await first.add(Self.failures, upTo: 120_000) }
            #expect(try await first.add(Self.failures, upTo: 120_000) == [120_000, 120_000])
            let key = TokenKeys().failures(in: Self.failures[0].place)
            let left = try await connection.command(RedisCommand("PTTL", .text(key))).number ?? -1
            #expect((1...120_000).contains(left))
        }
    }

    @Test("Where two things meet in one place the later is not counted, and does no harm to the earlier")
    func collision() async throws {
        let held = Self.failures[0]
        let other = try #require(
            (0..<2_000_000).lazy.map { RedisFailureCounts.Failure(of: ["client", "\($0)"], adding: 10_000) }
                .first { $0.place == held.place })
        try await Self.withCounts { first, second, _ in
            _ = try await first.add([held], upTo: 120_000)
            #expect(try await second.add([other], upTo: 120_000) == [0])
            let level = try await first.add([held], upTo: 120_000)[0]
            #expect((10_001...20_000).contains(level))
        }
    }

    @Test("Keys are few, and hold neither a client id nor an address")
    func keys() async throws {
        try await Self.withCounts { first, _, connection in
            for number in 0..<200 {
                _ = try await first.add(
                    [.init(of: ["client", "gateway-\(number)"], adding: 1)], upTo: 120_000)
            }
            _ = try await first.add(Self.failures, upTo: 120_000)
            guard case .array(let names) = try await connection.command(RedisCommand("KEYS", "*")) else {
                Issue.record("no names")
                return
            }
            for case .string(let name) in names {
                let text = String(decoding: name, as: UTF8.self)
                let place = try #require(Int(text.dropFirst("auth:f:".count)))
                #expect(text.hasPrefix("auth:f:") && (0..<65_536).contains(place))
                let value = try await connection.command(RedisCommand("GET", .text(text)))
                guard case .string(let mark) = value else { continue }
                #expect(mark.count == 16 && !String(decoding: mark, as: UTF8.self).contains("gateway"))
            }
        }
    }

    @Test("Without Redis it fails, and says so")
    func unavailable() async throws {
        let server = try await RedisServer.start()
        let configuration = try RedisConfiguration(url: server.url)
        try await server.kill()
        try await runOnLoop { loop in
            let connection = RedisConnection(loop: loop, configuration: configuration)
            let counts = RedisFailureCounts(connection, keys: TokenKeys())
            await #expect(throws: RedisError.self) { try await counts.add(Self.failures, upTo: 120_000) }
            connection.close()
        }
    }
}
