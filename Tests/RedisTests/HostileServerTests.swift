import EventLoop
import Testing
import TestSupport

@testable import Redis

/// What no real server says, or not at such a moment.
@Suite("A server that misbehaves (T22)")
struct HostileServerTests {
    @Test(
        "Garbage ends the connection with an error, and the next one is used",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\r\n", ":9223372036854775808\r\n",
            ":x\r\n",
            "$-2\r\n", "$x\r\n", "*-2\r\n", "*2147483648\r\n", "*2147483647\r\n", "*1025\r\n",
            "*2\r\n*2\r\n*2\r\n", "%1\r\n", "#t\r\n", "(1\r\n", ">1\r\n+x\r\n",
        ])
    func garbage(text: String) async throws {
        let server = try FakeServer { number, peer in
            peer.greet()
            if peer.receive().isEmpty { return }
            peer.send(number == 0 ? text : "+PONG\r\n")
            peer.drain()
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            guard case .malformed = await redis.pingError() else {
                Issue.record("it was taken")
                return
            }
            try await redis.untilReady()
        }
        #expect(server.connectionCount >= 2)
    }

    @Test("One that greets well and answers nonsense is told once, and asked ever more seldom")
    func garbageAgainAndAgain() async throws {
        let server = try FakeServer { _, peer in
            peer.greet()
            if !peer.receive().isEmpty { peer.send("nonsense\r\n") }
            peer.drain()
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            let changes = Changes()
            redis.onChange = { changes.add($0) }
            let end = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < end {
                #expect(await redis.pingError() != nil)
                await redis.loop.sleep(for: .milliseconds(5))
            }
            #expect(changes.all.count == 1)
        }
        // 50 ms, 100 ms, 200 ms and so on, each shortened by half at most.
        #expect((2...8).contains(server.connectionCount))
    }

    @Test("A connection that ends in the middle of a reply is an error of those that wait, and comes back")
    func endsInReply() async throws {
        let server = try FakeServer { number, peer in
            peer.greet()
            if peer.receive().isEmpty { return }
            peer.send(number == 0 ? "$5\r\nab" : "+PONG\r\n")
            if number > 0 { peer.drain() }
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            guard case .unavailable(let text) = await redis.pingError() else {
                Issue.record("it was taken")
                return
            }
            #expect(text.contains("closed"))
            try await redis.untilReady()
        }
    }

    @Test("A reply that comes a byte at a time is a reply")
    func trickle() async throws {
        let server = try FakeServer { _, peer in
            peer.greet()
            _ = peer.receive()
            for byte in "*2\r\n$2\r\nab\r\n:7\r\n" {
                peer.send(String(byte))
            }
            peer.drain()
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            let reply = try await redis.command(RedisCommand("X"))
            #expect(reply == .array([.string(Array("ab".utf8)), .integer(7)]))
        }
    }

    @Test(
        "A reply to nothing ends the connection and not the process", arguments: ["+OK\r\n", "*1\r\n+x\r\n"])
    func unasked(text: String) async throws {
        let server = try FakeServer { number, peer in
            peer.greet()
            // With the answer to the first ping, so that no command waits that it could be taken for an answer to.
            while !peer.receive().isEmpty { peer.send("+PONG\r\n" + (number == 0 ? text : "")) }
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            try await eventually("the second connection") {
                await redis.pingError() == nil && server.connectionCount >= 2
            }
        }
    }

    @Test("What a server says before it hangs up is told")
    func lastWords() async throws {
        let server = try FakeServer { _, peer in peer.send("-ERR max number of clients reached\r\n") }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            #expect(await redis.pingError() == .refused("ERR max number of clients reached"))
        }
    }

    @Test(
        "A reply without end is cut off",
        arguments: [
            LongText("$1000000000\r\n" + String(repeating: "x", count: 2 << 20)),
            LongText(String(repeating: "*1024\r\n" + String(repeating: ":1\r\n", count: 1024), count: 400)),
        ])
    func endless(text: LongText) async throws {
        let server = try FakeServer { number, peer in
            peer.greet()
            if peer.receive().isEmpty { return }
            peer.send(number == 0 ? "*1024\r\n" + text.text : "+PONG\r\n")
            peer.drain()
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            guard case .malformed(let reason) = await redis.pingError() else {
                Issue.record("it was taken")
                return
            }
            #expect(reason.contains("bytes"))
            try await redis.untilReady()
        }
    }

    @Test("A server that accepts and says nothing is given up at the deadline")
    func silent() async throws {
        let server = try FakeServer { _, peer in peer.drain() }
        try await withConnection(
            "redis://127.0.0.1:\(server.port)", { $0.commandDeadline = .milliseconds(100) }
        ) { redis in
            let start = ContinuousClock.now
            #expect(await redis.pingError() != nil)
            #expect(ContinuousClock.now - start < .seconds(2))
            try await eventually("another attempt") { server.connectionCount >= 2 }
        }
    }

    @Test("The commands of a turn go out in one write")
    func oneWrite() async throws {
        let server = try FakeServer { _, peer in
            peer.greet()
            while true {
                let text = peer.receive()
                if text.isEmpty { return }
                // Each reply says with how many others its command came.
                let count = text.split(separator: "PING").count - 1
                peer.send(String(repeating: ":\(count)\r\n", count: count))
            }
        }
        try await withConnection("redis://127.0.0.1:\(server.port)") { redis in
            #expect(try await redis.command(RedisCommand("PING")) == .integer(1))
            try await withThrowingTaskGroup(of: RedisReply.self) { group in
                for _ in 0..<64 {
                    group.addTask(executorPreference: redis.loop) {
                        try await redis.command(RedisCommand("PING"))
                    }
                }
                for try await reply in group { #expect(reply == .integer(64)) }
            }
        }
    }

    @Test("Whatever a server does, each of thousands of commands ends once")
    func eachOnce() async throws {
        let server = try FakeServer { number, peer in
            peer.greet()
            for turn in 0..<Int.random(in: 1...6) {
                let count = peer.receive().split(separator: "PING").count - 1
                if count < 1 { return }
                let answered = turn % 2 == 0 ? count : Int.random(in: 0...count)
                peer.send(String(repeating: "+PONG\r\n", count: answered))
                if number % 5 == 4 { peer.send("!") }
                if number % 3 == 2 { peer.send("+PO") }
            }
        }
        try await withConnection(
            "redis://127.0.0.1:\(server.port)", { $0.commandDeadline = .milliseconds(50) }
        ) { redis in
            let end = ContinuousClock.now + .seconds(2)
            var (answered, failed) = (0, 0)
            while ContinuousClock.now < end || answered == 0 {
                let errors = await redis.pingErrors(50)
                #expect(errors.count == 50)
                answered += errors.filter { $0 == nil }.count
                failed += errors.filter { $0 != nil }.count
                await redis.loop.sleep(for: .milliseconds(1))
            }
            #expect(answered > 0 && failed > 0)
        }
        #expect(server.connectionCount > 3)
    }
}
