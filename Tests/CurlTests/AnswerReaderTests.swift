import Testing

@testable import Curl

struct AnswerReaderTests {
    private func read(_ lines: [String], body: String = "", maximumBytes: Int = 100) -> AnswerReader {
        var reader = AnswerReader(maximumBytes: maximumBytes)
        for line in lines { reader.receiveHead(Array((line + "\r\n").utf8)) }
        if !body.isEmpty { reader.receiveBody(Array(body.utf8)) }
        return reader
    }

    @Test func `fields come in order, with white space off, and names may repeat`() {
        let reader = read(["HTTP/1.1 200 OK", "A: 1", "b:2 \t", "A:", "C: x: y", ""], body: "{}")
        #expect(
            reader.fields == [
                TransferField("A", "1"), TransferField("b", "2"), TransferField("A", ""),
                TransferField("C", "x: y"),
            ])
        #expect(reader.body == Array("{}".utf8))
    }

    @Test func `fields of a 1xx answer are not those of the answer`() {
        let reader = read(["HTTP/1.1 103 Early Hints", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", ""])
        #expect(reader.fields == [TransferField("B", "2")])
    }

    @Test func `trailers are left out`() {
        var reader = read(["HTTP/1.1 200 OK", "A: 1", ""], body: "x")
        reader.receiveHead(Array("A: 2\r\n".utf8))
        #expect(reader.fields == [TransferField("A", "1")])
    }

    @Test func `a folded line goes on with the value before it (RFC 9112 §5.2)`() {
        let reader = read(["HTTP/1.1 200 OK", " lost", "A: 1,", "\t2", ""])
        #expect(reader.fields == [TransferField("A", "1, 2")])
    }

    @Test func `lines without a name are passed over, and bytes that are no UTF-8 are repaired`() {
        var reader = read(["HTTP/1.1 200 OK", "no colon", ": x"])
        reader.receiveHead([UInt8(ascii: "A"), UInt8(ascii: ":"), 0xFF, 0x00, 0x0D, 0x0A])
        #expect(reader.fields == [TransferField("A", "\u{FFFD}\0")])
    }

    @Test func `A30 header lines have a bound together, also those of 1xx answers`() {
        let filler = String(repeating: "x", count: 1000)
        #expect(!read(Array(repeating: "A: " + filler, count: 64)).isTooLarge)
        #expect(read(Array(repeating: "A: " + filler, count: 66)).isTooLarge)
        #expect(read(Array(repeating: "HTTP/1.1 100 Continue\r\n", count: 3000)).isTooLarge)
    }

    @Test func `A30 a body has a bound, reached in one piece or in many`() {
        #expect(!read([], body: "12345", maximumBytes: 5).isTooLarge)
        #expect(read([], body: "123456", maximumBytes: 5).isTooLarge)
        var reader = AnswerReader(maximumBytes: 5)
        for _ in 0..<6 { reader.receiveBody([0]) }
        #expect(reader.isTooLarge)
        #expect(reader.body.count == 5)
    }
}
