import AuthStore
import HTTP
import OAuth
import TestSupport
import Testing

@testable import AuthServer

@Suite("The log of requests")
struct RequestLogTests {
    @Test("A path that is no endpoint's is in no line, of text or of JSON", arguments: [true, false])
    func unknownPath(isText: Bool) async throws {
        let line = try await runOnLoop { loop in
            let log = RequestLog(
                writer: try LogWriter(format: .json), format: isText ? .text : .json, name: "a", loop: loop)
            log.record(
                Answer(.text(404, "there is nothing at this path"), outcome: "not_found"), at: nil,
                number: log.nextRequest(), address: "192.0.2.1", milliseconds: 1000, microseconds: 5)
            return String(decoding: log.lines, as: UTF8.self)
        }
        #expect(
            line
                == (isText
                    ? "1970-01-01T00:00:01.000Z 404 none not_found client=- from=192.0.2.1 5us a-1\n"
                    : #"{"time":"1970-01-01T00:00:01.000Z","request_id":"a-1","endpoint":"none","status":404,"#
                        + #""outcome":"not_found","microseconds":5,"client_id":null,"address":"192.0.2.1","#
                        + #""detail":null}"# + "\n"))
    }

    @Test(
        "A value stays one value of its line, and no control or separator beyond ASCII is in it",
        arguments: [
            ("gw from=6.6.6.6", "client=\"gw from=6.6.6.6\" from=", "\"client_id\":\"gw from=6.6.6.6\""),
            ("a\"b", #"client="a\"b" from="#, #""client_id":"a\"b""#),
            (
                "\u{202E}a\u{2028}", #"client="\\u{202e}a\\u{2028}" from="#,
                #""client_id":"\\u{202e}a\\u{2028}""#
            ),
            ("\u{E9}", "client=\"\u{E9}\" from=", "\"client_id\":\"\u{E9}\""),
            ("plain", "client=plain from=", "\"client_id\":\"plain\""),
        ])
    func values(client: String, text: String, json: String) async throws {
        let lines = try await runOnLoop { loop in
            try [RequestLog.Format.text, .json].map { format in
                let log = RequestLog(
                    writer: try LogWriter(format: .json), format: format, name: "a", loop: loop)
                log.record(
                    Answer(
                        .text(200, ""), outcome: "ok",
                        client: LoggedClient(RegisteredClient(id: try ClientID(client))),
                        detail: "\u{9B}31m"),
                    at: .token, number: log.nextRequest(), address: "192.0.2.1", milliseconds: 1000,
                    microseconds: 5)
                return String(decoding: log.lines, as: UTF8.self)
            }
        }
        #expect(lines[0].contains(text), "\(lines[0])")
        #expect(lines[1].contains(json), "\(lines[1])")
        #expect(lines.allSatisfy { $0.contains(#"u{9b}31m"#) && !$0.unicodeScalars.contains("\u{9B}") })
    }

    @Test(
        "Nor is one in a line that belongs to no request, whatever another program sent",
        arguments: [RequestLog.Format.text, .json])
    func controlsInNotes(format: RequestLog.Format) async throws {
        let text = "Redis refused: ERR \u{9B}31m\u{202E}\"x\"\n\u{2028}"
        let lines = try await runOnLoop { loop in
            let log = RequestLog(writer: try LogWriter(format: .json), format: format, name: "a", loop: loop)
            log.note(text, milliseconds: 1000)
            return [
                String(decoding: log.lines, as: UTF8.self),
                RequestLog.line(text, milliseconds: 1000, format: format),
            ]
        }
        for line in lines {
            #expect(line.dropLast().unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "\(line)")
            #expect(line.contains(#"u{9b}31m"#) && line.contains(#"u{202e}"#) && line.last == "\n")
        }
    }

    @Test("What several threads meet is said when it begins, for a further reason, and when it is over")
    func sharedTrouble() {
        let trouble = SharedTrouble()
        #expect(!trouble.end(on: 0))
        #expect(trouble.begin(on: 0, because: "a"))
        #expect(!trouble.begin(on: 1, because: "a"))
        #expect(trouble.begin(on: 1, because: "b"))
        #expect(!trouble.begin(on: 0, because: "b"))
        #expect(!trouble.end(on: 0))
        #expect(!trouble.end(on: 0))
        #expect(trouble.end(on: 1))
        #expect(trouble.begin(on: 1, because: "a"))
    }
}
