import EventLoop
import Synchronization
import Testing
import TestSupport

@testable import Redis

@Suite("Outages of a real Redis (T22)")
struct OutageTests {
    @Test("Commands fail at once while nothing listens, and work once something does")
    func notListening() async throws {
        let port = try freePort()
        try await withConnection("redis://127.0.0.1:\(port)", { $0.commandDeadline = .seconds(5) }) { redis in
            let start = ContinuousClock.now
            for _ in 0..<100 {
                guard case .unavailable(let text) = await redis.pingError() else {
                    Issue.record("not unavailable")
                    return
                }
                #expect(text.contains("127.0.0.1:\(port)"))
            }
            #expect(ContinuousClock.now - start < .seconds(3))
        }
    }

    @Test("A host that does not exist is told as such, and the loop is not held up")
    func unknownHost() async throws {
        try await withConnection("redis://does-not-exist.invalid") { redis in
            guard case .unavailable(let text) = await redis.pingError() else {
                Issue.record("not unavailable")
                return
            }
            #expect(text.contains("does-not-exist.invalid"))
        }
    }

    @Test("After kill -9 all that waits fails, and the restarted server is used by itself")
    func killed() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            try await redis.untilReady()
            server.suspend()
            async let errors = redis.pingErrors(100)
            await redis.loop.sleep(for: .milliseconds(20))
            try await server.kill()
            for error in await errors {
                guard case .unavailable = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
            try await server.restart()
            try await redis.untilReady()
        }
    }

    @Test(
        "A server that hangs (SIGSTOP) costs each command its deadline at most, and is used once it goes on")
    func suspended() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url, { $0.commandDeadline = .seconds(1) }) { redis in
            try await redis.untilReady()
            server.suspend()
            let start = ContinuousClock.now
            let errors = await redis.pingErrors(100)
            #expect(errors.allSatisfy { $0 != nil } && errors.contains(.timedOut))
            #expect(ContinuousClock.now - start >= .milliseconds(990))
            #expect(ContinuousClock.now - start < .seconds(5))
            // Known to be away: the system accepts connections for it, but it does not greet.
            let again = ContinuousClock.now
            #expect(await redis.pingErrors(100).allSatisfy { $0 != nil })
            #expect(ContinuousClock.now - again < .milliseconds(900))
            server.resume()
            try await redis.untilReady()
        }
    }

    @Test("The first commands wait for the first connection, no longer than their deadline")
    func firstConnection() async throws {
        let server = try await RedisServer.start()
        server.suspend()
        try await withConnection(server.url, { $0.commandDeadline = .milliseconds(200) }) { redis in
            let start = ContinuousClock.now
            #expect(await redis.pingErrors(10).allSatisfy { $0 != nil })
            #expect(ContinuousClock.now - start < .seconds(2))
            server.resume()
            try await redis.untilReady()
        }
    }

    @Test("Commands beyond the bound are refused at once, and those that wait are answered")
    func overloaded() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url, { $0.maximumPending = 10 }) { redis in
            try await redis.untilReady()
            let errors = await redis.pingErrors(100)
            #expect(errors.filter { $0 == nil }.count >= 10)
            #expect(errors.allSatisfy { $0 == nil || $0 == .overloaded })
            #expect(errors.contains(.overloaded))
        }
    }

    @Test("A server that is full refuses with its reason, and is used again when it has room")
    func full() async throws {
        var options = RedisServer.Options()
        options.arguments = ["--maxmemory", "1"]
        let server = try await RedisServer.start(options)
        try await withConnection(server.url) { redis in
            let error = await #expect(throws: RedisError.self) {
                try await redis.command(RedisCommand("SET", "k", 1))
            }
            #expect(error?.refusalCode == "OOM")
            _ = try await redis.command(RedisCommand("CONFIG", "SET", "maxmemory", 0))
            #expect(try await redis.command(RedisCommand("SET", "k", 1)) == .status("OK"))
        }
    }

    @Test("A server that became a replica is left, and connected to anew")
    func replica() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            try await redis.untilReady()
            let changes = Changes()
            redis.onChange = { changes.add($0) }
            let other = try freePort()
            _ = try await redis.command(RedisCommand("REPLICAOF", "127.0.0.1", .integer(Int64(other))))
            let error = await #expect(throws: RedisError.self) {
                try await redis.command(RedisCommand("SET", "k", 1))
            }
            #expect(error?.refusalCode == "READONLY")
            try await redis.untilReady()
            try await eventually("it is told that it is back") { changes.all.count == 2 }
            #expect(changes.all[0] == error && changes.all[1] == nil)
            _ = try await redis.command(RedisCommand("REPLICAOF", "NO", "ONE"))
            #expect(try await redis.command(RedisCommand("SET", "k", 1)) == .status("OK"))
        }
    }

    @Test("Closing fails what waits and what comes later; closing again is nothing")
    func closed() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            try await redis.untilReady()
            server.suspend()
            async let errors = redis.pingErrors(10)
            await redis.loop.sleep(for: .milliseconds(20))
            redis.close()
            redis.close()
            #expect(await errors.allSatisfy { $0 == Pipeline.closed })
            #expect(await redis.pingError() == Pipeline.closed)
        }
    }

    @Test(
        "A loss is told also where the first attempt fails at once",
        arguments: ["unix:///nowhere", "redis://127.0.0.1:1"])
    func lostAtOnce(url: String) async throws {
        try await runOnLoop { loop in
            let (told, teller) = AsyncStream<String?>.makeStream()
            let redis = RedisConnection(loop: loop, configuration: try RedisConfiguration(url: url))
            redis.onChange = { teller.yield($0?.description) }
            let first = await told.first { _ in true }
            redis.close()
            #expect(first??.hasPrefix("Redis at \(url)") == true, "\(String(describing: first))")
        }
    }

    @Test("Closing is possible from what is told of a loss")
    func closedOnChange() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { redis in
            try await redis.untilReady()
            redis.onChange = { [weak redis] _ in redis?.close() }
            try await server.kill()
            try await eventually("it is closed") { await redis.pingError() == Pipeline.closed }
            try await server.restart()
            await redis.loop.sleep(for: .milliseconds(200))
            #expect(await redis.pingError() == Pipeline.closed)
        }
    }

    @Test("A loop that ends fails what waits")
    func loopEnds() async throws {
        let server = try await RedisServer.start()
        let running = try EventLoop.start(name: "redis-test")
        let redis = RedisConnection(
            loop: running.loop, configuration: try RedisConfiguration(url: server.url))
        try await redis.untilReady()
        server.suspend()
        let (sent, waiting) = AsyncStream<Void>.makeStream()
        let task = Task {
            waiting.yield()
            return await redis.pingError()
        }
        for await _ in sent { break }
        running.loop.stop()
        running.join()
        #expect(await task.value == Pipeline.closed)
    }

    @Test("A connection that is released is closed")
    func released() async throws {
        let server = try await RedisServer.start()
        try await withConnection(server.url) { observer in
            try await withConnection(server.url, { $0.connectionName = "other" }) {
                try await $0.untilReady()
            }
            try await eventually("the other connection is gone") {
                let list = try await observer.command(RedisCommand("CLIENT", "LIST"))
                guard case .string(let bytes) = list else { return false }
                return !String(decoding: bytes, as: UTF8.self).contains("name=other")
            }
        }
    }
}

final class Changes: Sendable {
    private let changes = Mutex<[RedisError?]>([])
    var all: [RedisError?] { changes.withLock { $0 } }
    func add(_ change: RedisError?) { changes.withLock { $0.append(change) } }
}
