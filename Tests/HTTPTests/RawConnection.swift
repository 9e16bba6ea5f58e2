import Glibc

/// A client socket that sends exactly what it is told and reads until the peer closes or a deadline passes.
final class RawConnection {
    private let descriptor: Int32

    init(port: Int, from source: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw RawConnectionError(step: "socket", code: errno) }
        var local = Self.address(source, port: 0)
        guard Self.with(&local, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw RawConnectionError(step: "bind", code: errno)
        }
        var peer = Self.address("127.0.0.1", port: port)
        guard Self.with(&peer, { connect(descriptor, $0, $1) }) == 0 else {
            throw RawConnectionError(step: "connect", code: errno)
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// No more comes from this side.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What arrives until `isEnough` says so, the peer closes, or `seconds` have passed.
    func receive(seconds: Int = 5, until isEnough: (String) -> Bool = { _ in false }) -> (
        text: String, closed: Bool
    ) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        let end = time(nil) + seconds
        while time(nil) <= end {
            let text = String(decoding: bytes, as: UTF8.self)
            if isEnough(text) { return (text, false) }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 100) > 0 else { continue }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { return (text, true) }
            bytes.append(contentsOf: chunk[0..<count])
        }
        return (String(decoding: bytes, as: UTF8.self), false)
    }

    private static func address(_ host: String, port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    private static func with(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

struct RawConnectionError: Error {
    let step: String
    let code: Int32
}
