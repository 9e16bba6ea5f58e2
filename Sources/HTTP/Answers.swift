internal import CMicroHTTPD
internal import Glibc

/// What the server says by itself, without a handler.
enum Answers {
    /// The handler did not answer in time.
    static let unavailable = HTTPResponse.text(
        503, "the server cannot do this now: try again later",
        fields: [HTTPField("Retry-After", "1"), HTTPField("Cache-Control", "no-store")])

    /// The request is refused before a handler sees it; no cache keeps that.
    static func refusal(_ refusal: Strictness.Refusal) -> HTTPResponse {
        .text(refusal.status, refusal.reason, fields: [HTTPField("Cache-Control", "no-store")])
    }

    /// The request did not arrive in time.
    static let timedOut: StaticString =
        "HTTP/1.1 408 Request Timeout\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    private static let tooMany: StaticString =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    /// Answers 503 on a new connection that there is no place for, and closes it.
    static func turnAway(_ descriptor: Int32, isPlain: Bool) {
        if isPlain {
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            _ = tooMany.withUTF8Buffer { send(descriptor, $0.baseAddress, $0.count, flags) }
            // What the peer has sent already is taken off the socket, else the close would reset the answer away.
            var scrap = [UInt8](repeating: 0, count: 4096)
            _ = recv(descriptor, &scrap, scrap.count, Int32(MSG_DONTWAIT))
        }
        close(descriptor)
    }
}
