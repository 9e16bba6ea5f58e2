internal import Foundation

/// A connection of a `LocalServer`; closed when it is released.
final class Connection {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A listening socket on a free port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 256) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else { throw CocoaError(.fileReadUnknown) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// The type of a handshake's record (RFC 8446 §5.1). It gets what servers of plain http answer.
    private static let startOfTLS: UInt8 = 22

    /// Reads a request with its body; nil when the client ends the connection first, or speaks TLS.
    func readRequest() -> LocalRequest? {
        var received: [UInt8] = []
        while true {
            if let request = Self.parse(received) { return request }
            guard let more = read() else { return nil }
            received += more
            if received.first == Self.startOfTLS {
                write("HTTP/1.1 400 Status\r\nConnection: close\r\n\r\n")
                return nil
            }
        }
    }

    private let noSignal = Int32(MSG_NOSIGNAL)

    /// Writes; false when the client is gone.
    @discardableResult
    func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = bytes[sent...]
                return send(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, noSignal)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func waitForEnd() { while read() != nil {} }

    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func parse(_ bytes: [UInt8]) -> LocalRequest? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var fields: [String: [String]] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2 { fields[parts[0].lowercased(), default: []].append(parts[1]) }
        }
        let length = fields["content-length"]?.first.flatMap { Int($0) } ?? 0
        let body = bytes[end.upperBound...]
        guard body.count >= length else { return nil }
        let words = lines[0].components(separatedBy: " ")
        return LocalRequest(
            method: words[0], target: words[1], fields: fields, body: String(decoding: body, as: UTF8.self))
    }
}
