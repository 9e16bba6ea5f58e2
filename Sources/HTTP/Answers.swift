internal import CMicroHTTPD
internal import Glibc

/// What the server sends past the engine.
enum Answers {
    private static let tooMany: StaticString =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    /// An answer as it is sent on a connection that ends with it.
    static func bytes(_ response: HTTPResponse, phrase: StaticString) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) \(phrase)\r\n"
        for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
        head += "Connection: close\r\nContent-Length: \(response.body.count)\r\n\r\n"
        return Array(head.utf8) + response.body
    }

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
