internal import Glibc

/// A client socket that sends exactly what it is told and reads until the peer closes or a deadline passes.
///
/// Its calls block: use it on a thread of its own (`onThread`), or where nothing else waits for the thread.
public final class RawConnection {
    private let descriptor: Int32

    /// Connects to a port of 127.0.0.1.
    /// - Parameter source: the address that it comes from.
    public init(port: Int, from source: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw TestFailure("socket: \(String(cString: strerror(errno)))") }
        var local = Self.address(source, port: 0)
        guard Self.with(&local, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw TestFailure("bind: \(String(cString: strerror(errno)))")
        }
        var peer = Self.address("127.0.0.1", port: port)
        guard Self.with(&peer, { connect(descriptor, $0, $1) }) == 0 else {
            throw TestFailure("connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Sends a text.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes, until the peer takes no more.
    /// - Returns: whether it took all.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(65536))
            let count = Glibc.send(descriptor, chunk, chunk.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// No more comes from this side.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What arrives until `isEnough` says so, the peer closes, or `seconds` have passed.
    public func receive(seconds: Int = 5, until isEnough: (String) -> Bool = { _ in false }) -> (
        text: String, closed: Bool
    ) {
        let (bytes, closed) = receiveBytes(within: .seconds(seconds)) {
            isEnough(String(decoding: $0, as: UTF8.self))
        }
        return (String(decoding: bytes, as: UTF8.self), closed)
    }

    /// What arrives until `isEnough` says so, the peer closes, or the time is over.
    public func receiveBytes(
        within limit: Duration, until isEnough: ([UInt8]) -> Bool = { _ in false }
    ) -> (bytes: [UInt8], closed: Bool) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if isEnough(bytes) { return (bytes, false) }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 100) > 0 else { continue }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { return (bytes, true) }
            bytes.append(contentsOf: chunk[0..<count])
        }
        return (bytes, false)
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
