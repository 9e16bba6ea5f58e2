import OAuth
import Redis
import Testing
import TestSupport

@testable import AuthStore

/// What is true of the store in Redis alone.
@Suite struct RedisTokenStoreTests {
    private func number(_ fixture: RedisFixture, _ command: RedisCommand) async throws -> Int64? {
        try await fixture.connection.command(command).number
    }

    @Test("No key outlives its token, and a client has none but that of its revocation (R5)")
    func keys() async throws {
        try await RedisFixture.use { fixture in
            let now = WallClock.now()
            for _ in 0..<20 {
                try await fixture.store.record(.make(issuedAt: now, expiresAt: now / 1000 + 600))
            }
            #expect(try await number(fixture, RedisCommand("DBSIZE")) == 20)
            try await fixture.store.revokeAll(of: "gateway", at: now, keepFor: 600)
            #expect(try await number(fixture, RedisCommand("DBSIZE")) == 21)
            let longest = """
                local longest = 0
                for _, key in ipairs(redis.call('KEYS', '*')) do
                  local left = redis.call('PTTL', key)
                  longest = math.max(longest, left < 0 and 1e15 or left)
                end
                return longest
                """
            let left = try await number(fixture, RedisCommand("EVAL", .text(longest), 0))
            #expect((1...600_000).contains(try #require(left)))
        }
    }

    @Test("A key lives until the token's exp to the millisecond, whenever it was issued")
    func lifetime() async throws {
        try await RedisFixture.use { fixture in
            let now = WallClock.now()
            let token = StoredToken.make(issuedAt: now - 50_000, expiresAt: now / 1000 + 60)
            try await fixture.store.record(token)
            let left = try await number(
                fixture, RedisCommand("PTTL", .text(TokenKeys().token(token.tokenID))))
            let passed = WallClock.now() - now
            let expected = token.expiresAt * 1000 - now
            #expect((expected - passed - 5...expected).contains(try #require(left)))
        }
    }

    @Test("An exp that no clock can hold is stored all the same", arguments: [Int64.max, Int64.max / 1000])
    func farAway(expiresAt: Int64) async throws {
        try await RedisFixture.use { fixture in
            let token = StoredToken.make(issuedAt: WallClock.now(), expiresAt: expiresAt)
            try await fixture.store.record(token)
            #expect(try await fixture.store.status(of: token.tokenID, client: "gateway") == .active)
        }
    }

    @Test("A revocation is kept for the longest time that was asked for, whichever came first")
    func revocationLifetime() async throws {
        try await RedisFixture.use { fixture in
            let key = RedisCommand.Argument.text(TokenKeys().revocation(of: "gateway"))
            let calls: [(moment: Int64, seconds: Int64)] = [(2000, 100), (1000, 500), (3000, 50)]
            for call in calls {
                try await fixture.store.revokeAll(of: "gateway", at: call.moment, keepFor: call.seconds)
            }
            let moment = try await number(fixture, RedisCommand("GET", key))
            let seconds = try await number(fixture, RedisCommand("TTL", key))
            #expect(moment == 3000)
            #expect((495...500).contains(try #require(seconds)))
        }
    }

    @Test("A value that this server does not write hides no revocation", arguments: ["x", "", "1.5"])
    func strangeValues(value: String) async throws {
        try await RedisFixture.use { fixture in
            let token = StoredToken.make(issuedAt: WallClock.now(), expiresAt: WallClock.now() / 1000 + 60)
            try await fixture.store.record(token)
            let key = RedisCommand.Argument.text(TokenKeys().revocation(of: "gateway"))
            _ = try await fixture.connection.command(RedisCommand("SET", key, .text(value)))
            await #expect(throws: TokenStoreError.self) {
                try await fixture.store.status(of: token.tokenID, client: "gateway")
            }
            // The next revocation mends it.
            try await fixture.store.revokeAll(of: "gateway", at: token.issuedAtMilliseconds, keepFor: 60)
            let status = try await fixture.store.status(of: token.tokenID, client: "gateway")
            #expect(status == .inactive)
        }
    }

    @Test("A server that answers but cannot be written is not ready, and records nothing (T22)")
    func full() async throws {
        var options = RedisServer.Options()
        options.arguments = ["--maxmemory", "1"]
        try await RedisFixture.use(options) { fixture in
            let token = StoredToken.make(issuedAt: WallClock.now(), expiresAt: WallClock.now() / 1000 + 60)
            for attempt in [0, 1] {
                let error = await #expect(throws: TokenStoreError.self) {
                    if attempt == 0 {
                        try await fixture.store.ping()
                    } else {
                        try await fixture.store.record(token)
                    }
                }
                #expect(error?.description.contains("OOM") == true)
            }
            let status = try await fixture.store.status(of: token.tokenID, client: "gateway")
            #expect(status == .inactive)
        }
    }

    @Test("A live token takes at most 160 bytes of Redis's memory")
    func memory() async throws {
        try await RedisFixture.use { fixture in
            let count = 100_000
            let before = try await usedMemory(fixture)
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask {
                        for _ in 0..<(count / 100) {
                            try await fixture.store.record(
                                .make(issuedAt: WallClock.now(), expiresAt: WallClock.now() / 1000 + 3600))
                        }
                    }
                }
            }
            let bytes = (try await usedMemory(fixture) - before) / Int64(count)
            #expect(bytes <= 160)
        }
    }

    private func usedMemory(_ fixture: RedisFixture) async throws -> Int64 {
        guard case .string(let bytes) = try await fixture.connection.command(RedisCommand("INFO", "memory")),
            let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .first(where: { $0.hasPrefix("used_memory:") }),
            let number = Int64(line.dropFirst("used_memory:".count))
        else { throw TestFailure("no used_memory") }
        return number
    }
}
