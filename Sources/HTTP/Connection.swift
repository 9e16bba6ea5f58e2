internal import CMicroHTTPD
internal import Glibc

/// What the server keeps of one connection: who it is and until when its present phase may last.
///
/// Confined to the server's loop.
final class Connection {
    /// What a connection is waiting for.
    enum Phase {
        /// The next request's first bytes.
        case idle
        /// The rest of a request.
        case receiving
        /// The handler's answer.
        case handling
        /// The peer, to take the answer.
        case sending
    }

    let descriptor: Int32
    let address: String
    private(set) var phase = Phase.idle
    /// When the phase must be over, in milliseconds of the monotonic clock.
    private(set) var deadline: Int64
    /// The request being handled, for the sweeper to answer when the handler does not; until it is completed.
    var exchange: Exchange?
    /// Whether no request has begun on it.
    private(set) var isFirst = true
    /// Whether the peer's end may have come together with its last request, where the engine does not notice it.
    private(set) var mustLookForEnd = false

    init(descriptor: Int32, address: String, deadline: Int64) {
        self.descriptor = descriptor
        self.address = address
        self.deadline = deadline
    }

    /// Enters a phase. The first request must be whole when the connection's first deadline comes, so that
    /// a slow request line wins no time.
    func enter(_ phase: Phase, until deadline: Int64) {
        self.phase = phase
        mustLookForEnd = phase == .idle
        if phase == .receiving && isFirst {
            self.deadline = min(self.deadline, deadline)
            isFirst = false
        } else {
            self.deadline = deadline
        }
    }

    /// Ends the connection from our side: the engine sees the end of the stream and closes it.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends an idle connection whose peer has finished sending.
    ///
    /// The engine is told of new bytes and of the end by edges: where both come at once and it reads the bytes
    /// alone, no further edge comes. Once after each request is enough, since a later end is an edge of its own.
    func endIfPeerDid() {
        mustLookForEnd = false
        if peek() == 0 { end() }
    }

    /// Ends a connection on which no request has arrived that the engine has not read yet.
    func endUnlessBytesWait() {
        if peek() <= 0 { end() }
    }

    /// 1 where bytes wait, 0 where the peer has finished sending, -1 where nothing has come.
    private func peek() -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    }

    /// Sends bytes past the engine, as a last word before `end()`; what does not fit is not sent.
    func sendLastWord(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
}
