import Glibc

/// One HTTP/1.1 connection to a port of 127.0.0.1 that stays open; blocks.
final class BlockingClient {
    /// What went wrong.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 8192)

    init(port: UInt16) throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, status == 0 else {
            throw Failure(description: "nothing listens on port \(port)")
        }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for the whole answer.
    /// - Returns: the status.
    func exchange(_ request: [UInt8]) throws(Failure) -> Int {
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(description: "the server takes no request")
        }
        var filled = 0
        while true {
            let count = recv(descriptor, &buffer[filled], buffer.count - filled, 0)
            guard count > 0 else { throw Failure(description: "the server closed the connection") }
            filled += count
            if Self.isWhole(buffer[..<filled]) { break }
            guard filled < buffer.count else { throw Failure(description: "the answer is too long") }
        }
        return Int(String(decoding: buffer[9..<12], as: UTF8.self)) ?? 0
    }

    /// Whether the last bytes are those of the JSON object that every answer here ends in.
    private static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count > 12 && bytes.last == UInt8(ascii: "}")
    }
}
