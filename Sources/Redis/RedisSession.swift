internal import CHiredis
internal import Glibc

/// One connection to a server, in hiredis's hands: its socket, what is to be written, and its reader.
///
/// hiredis's own event adapters are not used: they end the process by an assertion when a server sends a reply
/// that nothing waits for, and they allocate for each command. Its documented pieces are enough: connect without
/// blocking, write the buffer, read into the reader, take replies off it.
///
/// Confined to its loop.
final class RedisSession {
    /// More than any reply to a command of this product; a server that sends more is not what it should be.
    private static let maximumUnreadBytes = 1 << 20

    private let context: UnsafeMutablePointer<redisContext>

    /// Starts to connect, without waiting; the host is an address, not a name.
    init(_ endpoint: RedisConfiguration.Endpoint) throws(RedisError) {
        let made: UnsafeMutablePointer<redisContext>? =
            switch endpoint {
            case .tcp(let host, let port): redisConnectNonBlock(host, Int32(port))
            case .unix(let path): redisConnectUnixNonBlock(path)
            }
        guard let made else { throw .unavailable("no memory left") }
        context = made
        guard made.pointee.err == 0 else { throw .unavailable(problem) }
    }

    deinit { redisFree(context) }

    var descriptor: Int32 { context.pointee.fd }

    /// What went wrong, in the system's or hiredis's words.
    private var problem: String {
        withUnsafeBytes(of: context.pointee.errstr) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Whether the connection stands, once its socket is writable.
    func finishConnecting() throws(RedisError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            throw .unavailable("the socket is gone")
        }
        guard code == 0 else { throw .unavailable(String(cString: strerror(code))) }
    }

    /// Adds a command to what is to be written.
    func append(_ command: RedisCommand) throws(RedisError) {
        let status = command.bytes.withUnsafeBytes { bytes in
            redisAppendFormattedCommand(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard status == REDIS_OK else { throw .unavailable("no memory left") }
    }

    /// Writes what the socket takes; true when nothing is left.
    func write() throws(RedisError) -> Bool {
        var isDone: Int32 = 0
        guard redisBufferWrite(context, &isDone) == REDIS_OK else { throw .unavailable(problem) }
        return isDone == 1
    }

    /// Reads what the socket has.
    func read() throws(RedisError) {
        guard redisBufferRead(context) == REDIS_OK else { throw .unavailable(problem) }
        guard let reader = context.pointee.reader, reader.pointee.len <= Self.maximumUnreadBytes else {
            throw .malformed("a reply that is far too large")
        }
    }

    /// The next reply; nil when none is complete.
    func nextReply() throws(RedisError) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &object) == REDIS_OK else { throw .malformed(problem) }
        guard let object else { return nil }
        defer { freeReplyObject(object) }
        return RedisReply(object.assumingMemoryBound(to: redisReply.self))
    }
}

extension RedisReply {
    fileprivate init(_ reply: UnsafePointer<redisReply>) {
        let bytes = UnsafeRawBufferPointer(start: reply.pointee.str, count: reply.pointee.len)
        switch reply.pointee.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.pointee.integer)
        case REDIS_REPLY_STRING: self = .string(Array(bytes))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: reply.pointee.element, count: reply.pointee.elements)
            self = .array(elements.map { $0.map { RedisReply($0) } ?? .null })
        default: self = .null
        }
    }
}
