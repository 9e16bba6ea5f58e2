import HTTP
import TestSupport
import Testing

@testable import AuthServer

@Suite("The log of requests")
struct RequestLogTests {
    @Test("A path that is no endpoint's is in no line, of text or of JSON", arguments: [true, false])
    func unknownPath(isText: Bool) async throws {
        let line = try await runOnLoop { loop in
            let log = RequestLog(
                writer: try LogWriter(), format: isText ? .text : .json, name: "a", loop: loop)
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
