internal import Foundation
internal import Synchronization

/// An HTTP server on a free port of the loopback interface, for tests of clients: a thread a connection, one
/// request a connection unless it is `.kept`, and every request kept for the test to look at.
public final class LocalServer: Sendable {
    private final class Log: Sendable {
        let requests = Mutex<[LocalRequest]>([])
        let connections = Atomic(0)
        let isStopped = Atomic(false)
    }

    /// The port.
    public let port: UInt16
    private let listener: Int32
    private let log = Log()

    /// Listens; `handler` runs on the connection's thread and may block there.
    public init(_ handler: @escaping @Sendable (LocalRequest) -> LocalReply) throws {
        (listener, port) = try Connection.listen()
        Thread.detachNewThread { [listener, log] in
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor >= 0 {
                    Thread.detachNewThread { Self.serve(Connection(descriptor), log, handler) }
                } else if log.isStopped.load(ordering: .relaxed) {
                    break
                } else {
                    usleep(1000)
                }
            }
            close(listener)
        }
    }

    /// Ends the listening and with it the thread that accepts.
    deinit { stop() }

    /// Refuses connections from now on. Once: afterwards the descriptor's number may be another socket's.
    public func stop() {
        guard !log.isStopped.exchange(true, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// What was received up to now.
    public var requests: [LocalRequest] { log.requests.withLock { $0 } }

    /// How many connections brought a request up to now.
    public var connections: Int { log.connections.load(ordering: .relaxed) }

    /// How many requests for this path were received up to now.
    public func count(_ target: String) -> Int { requests.count { $0.target == target } }

    private static func serve(
        _ connection: Connection, _ log: Log, _ handler: (LocalRequest) -> LocalReply
    ) {
        guard var request = connection.readRequest() else { return }
        log.connections.add(1, ordering: .relaxed)
        while true {
            log.requests.withLock { $0.append(request) }
            guard answer(connection, handler(request)), let next = connection.readRequest() else { return }
            request = next
        }
    }

    /// Answers; whether another request may come.
    private static func answer(_ connection: Connection, _ reply: LocalReply) -> Bool {
        switch reply {
        case .answer(let status, let fields, let body):
            let head = [
                "HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close",
            ]
            connection.write((head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
        case .raw(let text): connection.write(text)
        case .kept(let body):
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
            return true
        case .trickle:
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write("x") { usleep(5000) }
        case .silence: connection.waitForEnd()
        }
        return false
    }
}
