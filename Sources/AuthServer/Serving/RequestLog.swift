import EventLoop
import HTTP
import JOSE
import OAuth

/// One line a request: when, what came of it, how long it took; never a secret or a token.
///
/// Confined to its event loop; lines are handed on once a turn.
final class RequestLog {
    /// How lines look.
    enum Format { case json, text }

    private let writer: LogWriter
    private let format: Format
    private let name: String
    private var sequence: UInt32 = 0
    private var lines: [UInt8] = []
    private var clock = ClockText()
    private let loop: EventLoop
    private var hook = 0

    /// A log for one thread.
    /// - Parameter name: what its request ids begin with; differs for each thread and start.
    init(writer: LogWriter, format: Format, name: String, loop: EventLoop) {
        self.writer = writer
        self.format = format
        self.name = name
        self.loop = loop
        hook = loop.addTurnHook { [unowned self] in
            self.flush()
            return false
        }
    }

    deinit { loop.removeTurnHook(hook) }

    /// An identifier for a request, in its log line and, where it fails, in its answer.
    func nextRequestID() -> String {
        sequence &+= 1
        return "\(name)-\(String(sequence, radix: 36))"
    }

    /// Writes a request's line.
    func record(
        _ answer: Answer, of request: HTTPRequest, at route: Route?, id: String, address: String,
        milliseconds: Int64, microseconds: Int64
    ) {
        switch format {
        case .json:
            clock.append(milliseconds, to: &lines, prefix: #"{"time":""#)
            append(#"","request_id":""#, id)
            append(#"","endpoint":""#, route?.rawValue ?? "none")
            append(#"","status":"#, String(answer.response.status))
            append(#","outcome":""#, answer.outcome)
            append(#"","microseconds":"#, String(microseconds))
            lines += #","client_id":"#.utf8
            if let client = answer.clientID {
                JSON.quote(client.value, appendingTo: &lines)
            } else {
                lines += "null".utf8
            }
            append(#","address":""#, address)
            lines += #"","detail":"#.utf8
            if let detail = answer.detail {
                JSON.quote(detail, appendingTo: &lines)
            } else {
                lines += "null".utf8
            }
            lines += "}\n".utf8
        case .text:
            clock.append(milliseconds, to: &lines, prefix: "")
            append(" ", String(answer.response.status))
            append(" ", route?.rawValue ?? Printable.text(String(request.path.prefix(64))))
            append(" ", answer.outcome)
            append(" client=", answer.clientID.map { Printable.text($0.value) } ?? "-")
            append(" from=", address)
            append(" ", "\(microseconds)us")
            append(" ", id)
            if let detail = answer.detail { append(": ", Printable.text(detail)) }
            lines.append(0x0A)
        }
    }

    /// Writes a line that belongs to no request.
    func note(_ text: String, milliseconds: Int64) {
        switch format {
        case .json:
            clock.append(milliseconds, to: &lines, prefix: #"{"time":""#)
            lines += #"","event":"#.utf8
            JSON.quote(text, appendingTo: &lines)
            lines += "}\n".utf8
        case .text:
            clock.append(milliseconds, to: &lines, prefix: "")
            append(" ", Printable.text(text))
            lines.append(0x0A)
        }
    }

    private func append(_ label: String, _ text: String) {
        lines += label.utf8
        lines += text.utf8
    }

    /// Hands the lines of this turn on.
    func flush() {
        guard !lines.isEmpty else { return }
        writer.write(lines)
        lines.removeAll(keepingCapacity: true)
    }
}
