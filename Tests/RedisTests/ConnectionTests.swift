import EventLoop
import Testing
import TestSupport

@testable import Redis

@Suite("A connection to a real Redis")
struct ConnectionTests {
    @Test("Each kind of reply comes back as what it is")
    func replies() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            #expect(
                try await redis.command(RedisCommand("SET", "k", .bytes([0, 13, 10, 255]))) == .status("OK"))
            #expect(try await redis.command(RedisCommand("GET", "k")) == .string([0, 13, 10, 255]))
            #expect(try await redis.command(RedisCommand("GET", "none")) == .null)
            #expect(try await redis.command(RedisCommand("INCRBY", "n", 41)) == .integer(41))
            #expect(try await redis.command(RedisCommand("SET", "e", "")) == .status("OK"))
            #expect(
                try await redis.command(RedisCommand("MGET", "n", "none", "e"))
                    == .array([.string(Array("41".utf8)), .null, .string([])]))
            await #expect(throws: RedisError.self) { try await redis.command(RedisCommand("INCR", "k")) }
            let nested = try await redis.command(RedisCommand("EVAL", "return {1,{err='ERR x'},{2}}", 0))
            #expect(nested == .array([.integer(1), .error("ERR x"), .array([.integer(2)])]))
        }
    }

    @Test("Ten thousand commands of concurrent tasks each get their own reply")
    func pipelining() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            await withDiscardingTaskGroup { group in
                for task in 0..<100 {
                    group.addTask(executorPreference: redis.loop) {
                        for number in 0..<100 {
                            let text = "\(task)-\(number)"
                            let reply = try? await redis.command(RedisCommand("ECHO", .text(text)))
                            #expect(reply == .string(Array(text.utf8)))
                        }
                    }
                }
            }
        }
    }

    @Test("Tasks on any executor use it")
    func otherExecutors() async throws {
        let server = try await RedisServer.start()
        let running = try EventLoop.start(name: "redis-test")
        let redis = RedisConnection(
            loop: running.loop, configuration: try RedisConfiguration(url: server.url))
        await withDiscardingTaskGroup { group in
            for task in 0..<50 {
                group.addTask {
                    for number in 0..<20 {
                        let text = "\(task)-\(number)"
                        let reply = try? await redis.command(RedisCommand("ECHO", .text(text)))
                        #expect(reply == .string(Array(text.utf8)))
                    }
                }
            }
        }
        running.loop.stop()
        running.join()
        // The loop has ended: no call waits for it.
        #expect(await redis.pingError() == Pipeline.closed)
    }

    @Test("A value that takes many writes and reads goes and comes as a whole")
    func large() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            let value = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask(executorPreference: redis.loop) {
                        let key = RedisCommand.Argument.text("k\(number)")
                        _ = try await redis.command(RedisCommand("SET", key, .bytes(value)))
                        #expect(try await redis.command(RedisCommand("GET", key)) == .string(value))
                    }
                }
            }
        }
    }

    @Test("It works through a Unix socket, with a password, and in another database")
    func unixSocket() async throws {
        var options = RedisServer.Options()
        options.password = "se same/@"
        let server = try await RedisServer.start(options)
        try await withConnection("unix://\(server.socketPath)?db=3&password=se%20same/@") { redis in
            _ = try await redis.command(RedisCommand("SET", "k", 1))
            let info = try await redis.command(RedisCommand("CLIENT", "INFO"))
            guard case .string(let bytes) = info else { throw TestFailure("\(info)") }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(" db=3 ") && text.contains(" name=authserver "))
        }
    }

    @Test("A host name is looked up")
    func hostName() async throws {
        let server = try await RedisServer.start()
        try await withConnection("redis://localhost:\(server.port)") { redis in
            #expect(await redis.pingError() == nil)
        }
    }

    @Test("A user of the ACL that may do little else can be used")
    func user() async throws {
        var options = RedisServer.Options()
        options.users = ["guard on >sesame ~* -@all +mget"]
        let server = try await RedisServer.start(options)
        try await withConnection("redis://guard:sesame@127.0.0.1:\(server.port)") { redis in
            let values = try await redis.command(RedisCommand("MGET", "a", "b"))
            #expect(values == .array([.null, .null]))
            let error = await #expect(throws: RedisError.self) {
                try await redis.command(RedisCommand("SET", "a", 1))
            }
            #expect(error?.refusalCode == "NOPERM")
        }
    }

    @Test(
        "A login that is refused is told as such, without the password, and tried again",
        arguments: [
            ("", "sesame", "NOAUTH"), (":wrong-sesame@", "sesame", "WRONGPASS"),
            ("nobody:wrong-sesame@", "sesame", "WRONGPASS"),
        ])
    func refusedLogin(userInfo: String, password: String, code: String) async throws {
        var options = RedisServer.Options()
        options.password = password
        let server = try await RedisServer.start(options)
        try await withConnection("redis://\(userInfo)127.0.0.1:\(server.port)") { redis in
            let error = await redis.pingError()
            #expect(error?.refusalCode == code)
            #expect(error?.description.contains("sesame") == false)
        }
        try await withConnection(server.url) { admin in
            try await withConnection("redis://:new@127.0.0.1:\(server.port)") { redis in
                #expect(await redis.pingError()?.refusalCode == "WRONGPASS")
                _ = try await admin.command(RedisCommand("CONFIG", "SET", "requirepass", "new"))
                try await redis.untilReady()
            }
        }
    }

    @Test("A database that is not there is told as such")
    func wrongDatabase() async throws {
        let server = try await RedisServer.start()
        try await withConnection("\(server.url)/9999") { redis in
            #expect(await redis.pingError()?.description.contains("database of the Redis URL") == true)
        }
    }
}
