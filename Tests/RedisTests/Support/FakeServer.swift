import EventLoop
import Glibc
import Synchronization
import TestSupport

/// A TCP server that does what no real Redis does: it answers each connection by a script, on a thread.
final class FakeServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let thread: EventLoop.Running
    private let accepted = Atomic<Int>(0)

    /// How many connections it has taken.
    var connectionCount: Int { accepted.load(ordering: .relaxed) }

    /// Takes connections one after another; `script` gets the number of each.
    init(_ script: @escaping @Sendable (Int, Peer) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard status == 0 else { throw TestFailure("the fake server does not listen") }
        port = UInt16(bigEndian: address.sin_port)
        self.descriptor = descriptor
        thread = try EventLoop.start(name: "fake-redis")
        thread.loop.execute { [accepted = Counter(), weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let number = accepted.next()
                self?.accepted.add(1, ordering: .relaxed)
                script(number, Peer(descriptor: connection))
                close(connection)
            }
        }
    }

    deinit {
        // Ends `accept`, and with it the thread.
        shutdown(descriptor, Int32(SHUT_RDWR))
        thread.loop.stop()
        thread.join()
        close(descriptor)
    }

    /// The other end of a connection; blocking, with a limit.
    struct Peer {
        let descriptor: Int32

        init(descriptor: Int32) {
            self.descriptor = descriptor
            var limit = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        /// What has arrived, waiting for some; empty at the end.
        func receive() -> String {
            var buffer = [UInt8](repeating: 0, count: 1 << 17)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
        }

        /// Reads and forgets until the other end closes.
        func drain() {
            while !receive().isEmpty {}
        }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var offset = 0
            while offset < bytes.count {
                let count = bytes[offset...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                offset += count
            }
        }

        /// Answers the greeting, which is `CLIENT SETNAME` alone unless the URL says more.
        func greet() {
            _ = receive()
            send("+OK\r\n")
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
