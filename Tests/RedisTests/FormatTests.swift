import Testing

@testable import Redis

@Suite("Commands, replies and errors")
struct FormatTests {
    @Test("A command is an array of counted strings, whatever its arguments hold")
    func encoding() {
        let command = RedisCommand("SET", .text("k\r\né"), .bytes([0, 255]), "EX", -120, .integer(.min))
        let expected: [UInt8] =
            Array("*6\r\n$3\r\nSET\r\n$5\r\nk\r\né\r\n$2\r\n".utf8) + [0, 255]
            + Array("\r\n$2\r\nEX\r\n$4\r\n-120\r\n$20\r\n-9223372036854775808\r\n".utf8)
        #expect(command.bytes == expected)
        #expect("\(command)" == "SET")
    }

    @Test(
        "A number is decimal digits that fit, and nothing else",
        arguments: [
            ("0", 0), ("-1", -1), ("1767225600000", 1_767_225_600_000), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("", nil), ("-", nil), ("+1", nil), (" 1", nil), ("1e3", nil), ("1.0", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func number(text: String, expected: Int64?) {
        #expect(RedisReply.string(Array(text.utf8)).number == expected)
    }

    @Test("Other replies are no numbers")
    func noNumber() {
        #expect(RedisReply.integer(7).number == 7)
        for reply: RedisReply in [.null, .status("1"), .error("1"), .array([.integer(1)])] {
            #expect(reply.number == nil)
        }
    }

    @Test(
        "An error keeps its reason, and nothing of what Redis repeats",
        arguments: [
            (
                "OOM command not allowed when used memory > 'maxmemory'.",
                "OOM command not allowed when used memory > 'maxmemory'."
            ),
            (
                "READONLY You can't write against a read only replica.",
                "READONLY You can't write against a read only replica."
            ),
            (
                "NOPERM this user has no permissions to run the 'config|get' command",
                "NOPERM this user has no permissions to run the 'config|get' command"
            ),
            (
                "NOPERM you have no permissions to run the 'Key1' command",
                "NOPERM you have no permissions to run the …"
            ),
            (
                "NOPERM you have no permissions to run the 'open",
                "NOPERM you have no permissions to run the …"
            ),
            ("NOPERM no access to the 'auth:t:x' key", "NOPERM no access to the …"),
            ("ERR can't do 'it's' or 'maxmemory'", "ERR can't do …"),
            ("ERR unknown command `AUTHX`, with args beginning with: `sesame`", "ERR unknown command …"),
            ("ERR bad, with args beginning with: sesame", "ERR bad …"), ("'sesame", "ERR"),
            ("WRONGPASS no sesame here", "WRONGPASS"), ("", "ERR"), ("LOADING\r\nmore", "LOADING"),
        ])
    func refusal(message: String, expected: String) {
        let error = RedisError.refusal(message, hiding: "sesame")
        #expect(error == .refused(expected))
        #expect(error.refusalCode == expected.split(separator: " ").first.map(String.init))
    }

    @Test(
        "No part of the password is told, wherever the text is cut",
        arguments: [
            // Where it straddles the longest text that is told.
            ("ERR invalid password ", String(repeating: "sesame", count: 40), " for the user"),
            // Where it holds what the text is cut at.
            ("ERR invalid password ", "open sesame'", ""), ("ERR invalid password ", "open `sesame", ""),
            ("ERR invalid password ", "open sesame\nx", ""), ("ERR no ", "open sesame with args", " here"),
            // Where it goes on as another character.
            ("ERR invalid password ", "open sesame", "\u{301}"),
            // Where it is the first word.
            ("", "sesame", " is invalid"), ("", "sesame", ""), ("", "OPEN sesame", " is invalid"),
        ])
    func hiddenPassword(before: String, password: String, after: String) {
        let error = RedisError.refusal(before + password + after, hiding: password)
        #expect(error == .refused("ERR"), "\(error)")
    }

    @Test(
        "Nor is it where what repeats it has cut it", arguments: ["open sesame", "sesame, open", "en sesam"])
    func partOfPassword(part: String) {
        let error = RedisError.refusal("ERR invalid password \(part) for u", hiding: "open sesame, open")
        #expect(error == .refused("ERR"), "\(error)")
    }

    @Test("The pause grows from 50 ms to 2 s, shortened by up to half, and begins anew after a success")
    func backoff() {
        var longest = Backoff()
        #expect(
            (0..<8).map { _ in longest.next(jitter: 1) }
                == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
        longest.reset()
        #expect(longest.next(jitter: 0) == .milliseconds(25))
    }

    @Test("Waiting commands leave in the order in which they came, also while their ring grows and turns")
    func ring() async {
        var next = 0
        var results: [Int64] = []
        await withTaskGroup(of: (Int, Result<RedisReply, RedisError>).self) { group in
            let (stream, entries) = AsyncStream<(Int, PendingCommands.Entry)>.makeStream()
            for number in 0..<300 {
                group.addTask {
                    (
                        number,
                        await withUnsafeContinuation {
                            entries.yield((number, .init(waiter: $0, since: Int64(number))))
                        }
                    )
                }
            }
            var pending = PendingCommands()
            var taken = 0
            var order: [Int64] = []
            for await (_, entry) in stream {
                pending.append(entry)
                order.append(entry.since)
                taken += 1
                // Two in, one out: it turns while it grows.
                if taken % 2 == 0 || taken == 300 {
                    repeat {
                        guard let first = pending.popFirst() else { break }
                        results.append(first.since)
                        first.waiter.resume(returning: .success(.integer(first.since)))
                    } while taken == 300
                }
                if taken == 300 { break }
            }
            #expect(results == order)
            #expect(pending.count == 0 && pending.first == nil)
            for await (number, result) in group {
                #expect(result == .success(.integer(Int64(number))))
                next += 1
            }
        }
        #expect(next == 300)
    }
}
