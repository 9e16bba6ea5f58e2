import EventLoop
import HTTP
import JOSE
import OAuth

/// One line a request: when, what came of it, how long it took; never a secret or a token.
///
/// Confined to its event loop; lines are handed on together, when the loop has nothing else to do.
final class RequestLog {
    /// How lines look.
    enum Format { case json, text }

    private let writer: LogWriter
    private let format: Format
    /// What the request ids begin with.
    private let name: [UInt8]
    private var sequence: Int64 = 0
    /// The lines that are handed on next.
    private(set) var lines: [UInt8] = []
    private var isFlushing = false
    private var clock = ClockText()
    private let loop: EventLoop

    /// A log for one thread.
    /// - Parameter name: what its request ids begin with; differs for each thread and start.
    init(writer: LogWriter, format: Format, name: String, loop: EventLoop) {
        self.writer = writer
        self.format = format
        self.name = Array("\(name)-".utf8)
        self.loop = loop
    }

    deinit { flush() }

    /// The number of another request.
    func nextRequest() -> Int64 {
        sequence += 1
        return sequence
    }

    /// An identifier for a request, in its log line and, where it fails, in its answer.
    func requestID(_ number: Int64) -> String { "\(String(decoding: name, as: UTF8.self))\(number)" }

    /// Writes a request's line. What is no endpoint's path is not written: it may be anything, a token too.
    func record(
        _ answer: Answer, at route: Route?, number: Int64, address: String,
        milliseconds: Int64, microseconds: Int64
    ) {
        flushSoon()
        switch format {
        case .json:
            clock.append(milliseconds, to: &lines, prefix: #"{"time":""#)
            JSON.append(#"","request_id":""#, to: &lines)
            lines += name
            JSON.append(number, to: &lines)
            append(#"","endpoint":""#, route?.rawValue ?? "none")
            JSON.append(#"","status":"#, to: &lines)
            JSON.append(Int64(answer.response.status), to: &lines)
            append(#","outcome":""#, answer.outcome)
            JSON.append(#"","microseconds":"#, to: &lines)
            JSON.append(microseconds, to: &lines)
            JSON.append(#","client_id":"#, to: &lines)
            quote(answer.client)
            append(#","address":""#, address)
            JSON.append(#"","detail":"#, to: &lines)
            quote(answer.detail)
            if let token = answer.token { appendMembers(of: token) }
            JSON.append("}\n", to: &lines)
        case .text:
            clock.append(milliseconds, to: &lines, prefix: "")
            append(" ", String(answer.response.status))
            append(" ", route?.rawValue ?? "none")
            append(" ", answer.outcome)
            append(" client=", answer.client.map { Self.word($0.text) } ?? "-")
            if answer.client?.isBeginning == true { JSON.append("…", to: &lines) }
            append(" from=", address)
            append(" ", "\(microseconds)us")
            append(" ", requestID(number))
            if let token = answer.token { appendWords(of: token) }
            if let detail = answer.detail { append(": ", Printable.text(detail)) }
            lines.append(0x0A)
        }
    }

    private func appendMembers(of token: Answer.Token) {
        append(#","jti":""#, token.id.value)
        guard case .issued(let token) = token else { return JSON.append(#"""#, to: &lines) }
        JSON.append(#"","aud":["#, to: &lines)
        for (number, resource) in token.claims.audience.enumerated() {
            if number > 0 { lines.append(UInt8(ascii: ",")) }
            JSON.quote(resource.value, appendingTo: &lines)
        }
        JSON.append(#"],"scope":"#, to: &lines)
        JSON.quote(token.claims.scopes.description, appendingTo: &lines)
        JSON.append(#","secret_id":"#, to: &lines)
        quote(token.secretID)
    }

    private func appendWords(of token: Answer.Token) {
        append(" jti=", token.id.value)
        guard case .issued(let token) = token else { return }
        append(" aud=", token.claims.audience.map { Self.word($0.value) }.joined(separator: ","))
        append(" scope=", token.claims.scopes.map(\.value).joined(separator: ","))
        append(" secret=", Self.word(token.secretID))
    }

    /// Writes a line that belongs to no request.
    func note(_ text: String, milliseconds: Int64) {
        flushSoon()
        Self.appendNote(text, milliseconds, format, clock: &clock, to: &lines)
    }

    /// A line that is written before there are threads with a log.
    static func line(_ text: String, milliseconds: Int64, format: Format) -> String {
        var (line, clock): ([UInt8], _) = ([], ClockText())
        appendNote(text, milliseconds, format, clock: &clock, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    private static func appendNote(
        _ text: String, _ milliseconds: Int64, _ format: Format, clock: inout ClockText,
        to lines: inout [UInt8]
    ) {
        switch format {
        case .json:
            clock.append(milliseconds, to: &lines, prefix: #"{"time":""#)
            JSON.append(#"","event":"#, to: &lines)
            quote(text, appendingTo: &lines)
            JSON.append("}\n", to: &lines)
        case .text:
            clock.append(milliseconds, to: &lines, prefix: "")
            JSON.append(" ", to: &lines)
            lines += Printable.text(text).utf8
            lines.append(0x0A)
        }
    }

    private func append(_ label: StaticString, _ text: String) {
        JSON.append(label, to: &lines)
        lines += text.utf8
    }

    private func quote(_ client: LoggedClient?) {
        quote(client?.text)
        guard client?.isBeginning == true else { return }
        lines.removeLast()
        JSON.append("…\"", to: &lines)
    }

    private func quote(_ text: String?) {
        guard let text else { return JSON.append("null", to: &lines) }
        Self.quote(text, appendingTo: &lines)
    }

    private static func quote(_ text: String, appendingTo lines: inout [UInt8]) {
        // JSON may have controls beyond ASCII and separators of lines as they are; a terminal obeys them.
        let isPlain = text.utf8.allSatisfy { $0 < 0x7F }
        JSON.quote(isPlain ? text : Printable.text(text), appendingTo: &lines)
    }

    /// A value of the text form, in quotation marks where it could be taken for more than one.
    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        guard !isPlain else { return text }
        var quoted: [UInt8] = []
        JSON.quote(Printable.text(text), appendingTo: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Hands on what there is when the loop is idle: the writer's thread, which is woken each time, has work of its own.
    private func flushSoon() {
        guard !isFlushing else { return }
        isFlushing = true
        loop.whenIdle { [weak self] in
            self?.isFlushing = false
            self?.flush()
        }
    }

    /// Hands the lines on.
    func flush() {
        guard !lines.isEmpty else { return }
        writer.write(lines)
        lines.removeAll(keepingCapacity: true)
    }
}
