/// Puts an answer together from what libcurl hands over, within bounds.
struct AnswerReader {
    /// All header lines of an exchange together, also those of 1xx answers and trailers.
    static let maximumHeadBytes = 64 * 1024

    private(set) var fields: [TransferField] = []
    private(set) var body: [UInt8] = []
    /// Whether a bound was reached; the transfer ends then.
    private(set) var isTooLarge = false

    private let maximumBytes: Int
    private var headBytes = 0
    private var isHeadComplete = false

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Takes a header line, also a status line, an empty one or a trailer.
    mutating func receiveHead(_ line: some Collection<UInt8>) {
        headBytes += line.count
        guard headBytes <= Self.maximumHeadBytes else { return isTooLarge = true }
        if line.starts(with: "HTTP/".utf8) {
            // What came before belongs to a 1xx answer.
            fields = []
            isHeadComplete = false
        } else if !isHeadComplete {
            receiveField(String(decoding: line, as: UTF8.self))
        }
    }

    /// Takes a piece of the body.
    mutating func receiveBody(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= maximumBytes - body.count else { return isTooLarge = true }
        body.append(contentsOf: bytes)
    }

    private mutating func receiveField(_ line: String) {
        let text = line.trimmingWhitespace
        if text.isEmpty {
            isHeadComplete = true
        } else if line.utf8.first == 0x20 || line.utf8.first == 0x09 {
            // A folded line goes on with the value before it (RFC 9112 §5.2).
            if let last = fields.indices.last { fields[last].value += " " + text }
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex {
            let value = text[text.utf8.index(after: colon)...]
            fields.append(TransferField(String(text[..<colon]), value.trimmingWhitespace))
        }
    }
}

extension StringProtocol {
    /// Without spaces, tabs and ends of lines on either side. By bytes: to Swift CR and LF are one character.
    fileprivate var trimmingWhitespace: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var rest = Array(utf8)[...].drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}
