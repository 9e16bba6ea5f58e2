internal import CHiredis
internal import Glibc
internal import OperatingSystem

/// A connection's socket, its output and its protocol reader: hiredis, without its event hooks.
///
/// hiredis's asynchronous layer is not used: it ends the process with an assertion on a reply that nobody
/// waits for, has no deadline for connecting, allocates for each command, and its libevent adapter calls
/// `epoll_ctl` several times a round trip. The context below it has all that is needed; readiness comes from
/// the event loop.
final class HiredisContext {
    private let context: UnsafeMutablePointer<redisContext>
    /// Bytes that came in since the last whole reply.
    private var unfinishedBytes = 0

    /// No reply, whole or in part, may take more.
    private static let maximumReplyBytes = 1 << 20

    /// Begins to connect; `address` of TCP endpoints is numeric, so that this never blocks.
    init(_ endpoint: RedisConfiguration.Endpoint, address: String) throws(RedisError) {
        let made =
            switch endpoint {
            case .tcp(_, let port): redisConnectNonBlock(address, Int32(port))
            case .unix(let path): redisConnectUnixNonBlock(path)
            }
        guard let made else { throw .unavailable("no memory for a connection to Redis") }
        context = made
        guard context.pointee.err == 0 else { throw failure() }
        guard let reader = context.pointee.reader, let boundedReplies else {
            throw .unavailable("no memory for a connection to Redis")
        }
        reader.pointee.fn = boundedReplies.functions
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { redisFree(context) }

    var descriptor: Int32 { context.pointee.fd }

    /// Called when the socket is writable for the first time: whether the connection stands.
    func finishConnecting() throws(RedisError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
        guard code == 0 else { throw .unavailable(SystemError(code: code).description) }
        if context.pointee.connection_type == REDIS_CONN_TCP { redisEnableKeepAlive(context) }
    }

    /// Adds to what is to be written.
    func append(_ bytes: borrowing [UInt8]) throws(RedisError) {
        let status = bytes.withUnsafeBytes { bytes in
            redisAppendFormattedCommand(
                context, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard status == REDIS_OK else { throw failure() }
    }

    /// Writes what can be written, in one call; answers whether nothing is left.
    func write() throws(RedisError) -> Bool {
        var isDone: Int32 = 0
        guard redisBufferWrite(context, &isDone) == REDIS_OK else { throw failure() }
        return isDone == 1
    }

    /// Takes in what has arrived, up to 16 KiB, in one call.
    func read() throws(RedisError) {
        let before = context.pointee.reader.pointee.len
        guard redisBufferRead(context) == REDIS_OK else { throw failure() }
        unfinishedBytes += context.pointee.reader.pointee.len - before
    }

    /// The next reply that is there as a whole; nil when there is none.
    func nextReply() throws(RedisError) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisReaderGetReply(context.pointee.reader, &object) == REDIS_OK else {
            throw .malformed(readerFailure())
        }
        guard let object else {
            guard unfinishedBytes <= Self.maximumReplyBytes else {
                throw .malformed("a reply of more than \(Self.maximumReplyBytes) bytes")
            }
            return nil
        }
        defer { freeReplyObject(object) }
        unfinishedBytes = 0
        return RedisReply(object.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private func readerFailure() -> String {
        guard let reader = context.pointee.reader else { return "no reader" }
        if reader.pointee.err == REDIS_ERR_OOM { return "an array that is too large" }
        return withUnsafeBytes(of: &reader.pointee.errstr, text)
    }

    private func failure() -> RedisError {
        let reason = withUnsafeBytes(of: &context.pointee.errstr, text)
        return context.pointee.err == REDIS_ERR_PROTOCOL ? .malformed(reason) : .unavailable(reason)
    }
}

private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

extension RedisReply {
    fileprivate init(_ reply: redisReply) {
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .string(Array(Self.bytes(reply)))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array(
                UnsafeBufferPointer(start: reply.element, count: reply.elements).map { element in
                    element.map { RedisReply($0.pointee) } ?? .null
                })
        default: self = .null
        }
    }

    private static func bytes(_ reply: redisReply) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: reply.str, count: reply.len)
    }
}

/// hiredis's own reply objects, but arrays of at most 1024 elements and nested once: hiredis allocates an
/// array as soon as its header says how long it is, and a header is seven bytes.
///
/// `@unchecked Sendable` is sound: written once, before anyone reads it.
private struct BoundedReplies: @unchecked Sendable {
    let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    let createArray: @convention(c) (UnsafePointer<redisReadTask>?, Int32) -> UnsafeMutableRawPointer?

    init?(replacing original: redisReplyObjectFunctions) {
        guard let createArray = original.createArray else { return nil }
        self.createArray = createArray
        functions = .allocate(capacity: 1)
        functions.initialize(to: original)
        functions.pointee.createArray = { task, count in
            let isNestedTwice = task?.pointee.parent?.pointee.parent != nil
            return count > 1024 || isNestedTwice ? nil : boundedReplies?.createArray(task, count)
        }
    }
}

private let boundedReplies: BoundedReplies? = {
    guard let reader = redisReaderCreate() else { return nil }
    defer { redisReaderFree(reader) }
    return reader.pointee.fn.flatMap { BoundedReplies(replacing: $0.pointee) }
}()
