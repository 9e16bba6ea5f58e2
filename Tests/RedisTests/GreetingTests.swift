import Testing

@testable import Redis

@Suite("The greeting of a connection")
struct GreetingTests {
    private func greeting(_ url: String) throws -> Greeting { Greeting(try RedisConfiguration(url: url)) }

    @Test("It says no more than the URL asks for")
    func commands() throws {
        let name = "*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$10\r\nauthserver\r\n"
        #expect(try greeting("redis://h").bytes == Array(name.utf8))
        #expect(
            try greeting("redis://u:p@h/3").bytes
                == Array(
                    "*3\r\n$4\r\nAUTH\r\n$1\r\nu\r\n$1\r\np\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n\(name)".utf8)
        )
        #expect(try greeting("redis://:p@h").bytes == Array("*2\r\n$4\r\nAUTH\r\n$1\r\np\r\n\(name)".utf8))
    }

    @Test("It is done after the last OK")
    func done() throws {
        var greeting = try greeting("redis://:p@h/1")
        #expect(greeting.take(.status("OK")) == .more)
        #expect(greeting.take(.status("OK")) == .more)
        #expect(greeting.take(.status("OK")) == .done)
    }

    @Test("A user that may not name its connection is served")
    func noName() throws {
        var greeting = try greeting("redis://h")
        #expect(greeting.take(.error("NOPERM this user has no permissions")) == .done)
    }

    @Test(
        "What Redis refuses is told with the place to mend it, never with the password",
        arguments: [
            (
                "redis://:sesame@h", "WRONGPASS invalid username-password pair",
                "user and password of the Redis URL"
            ),
            ("redis://:sesame@h", "ERR sesame is wrong", "ERR (at AUTH"),
            ("redis://h", "NOAUTH Authentication required.", "redis://USER:PASSWORD@HOST"),
            ("redis://h/99", "ERR DB index is out of range", "database of the Redis URL"),
            ("redis://h", "DENIED Redis is running in protected mode", "protected mode"),
        ])
    func refused(url: String, message: String, expected: String) throws {
        var greeting = try greeting(url)
        guard case .failed(let error) = greeting.take(.error(message)) else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.description.contains(expected))
        #expect(!error.description.contains("sesame"))
    }

    @Test("An answer that is neither OK nor an error is no Redis")
    func malformed() throws {
        for reply: RedisReply in [.null, .integer(1), .status("PONG"), .array([]), .string([])] {
            var greeting = try greeting("redis://h")
            guard case .failed(.malformed) = greeting.take(reply) else {
                Issue.record("\(reply) was taken")
                continue
            }
        }
    }
}
