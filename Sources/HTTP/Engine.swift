internal import CMicroHTTPD
internal import Glibc

/// Starts the engine with callbacks that find the server by `context`.
func startEngine(_ configuration: HTTPServerConfiguration, context: UnsafeMutableRawPointer?)
    -> OpaquePointer?
{
    var options = auth_mhd_options()
    options.context = context
    options.handle = { context, engine, _, method, version, bytes, count, state in
        onRequest(context, engine, method, version, bytes, count, state)
    }
    options.completed = { context, _, state, _ in onCompleted(context, state) }
    options.connection = { context, _, slot, event in onConnection(context, slot, event) }
    options.request_line = { context, target, engine in onRequestLine(context, target, engine) }
    // Paths and queries stay as they were sent.
    options.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
    options.idle_seconds = UInt32(clamping: configuration.idleSeconds)
    options.maximum_connections = UInt32(clamping: configuration.maximumConnections + 16)
    // The header block, its index (which also lists query parameters and cookies), and the answer's header.
    options.memory_per_connection = 2 * configuration.maximumHeaderBytes
    guard let tls = configuration.tls else { return auth_mhd_start(&options) }
    return tls.keyPEM.withCString { key in
        tls.certificatePEM.withCString { certificate in
            options.tls_key = key
            options.tls_certificate = certificate
            return auth_mhd_start(&options)
        }
    }
}

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
    context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

private func onConnection(
    _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let server = server(context), let slot else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
        slot.pointee = server.connectionStarted()
    } else if let kept = slot.pointee {
        server.connectionClosed(Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue())
        slot.pointee = nil
    }
}

private func onRequestLine(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ engine: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let server = server(context), let target, let engine else { return nil }
    return server.requestLine(String(cString: target), engine: engine)
}

private func onRequest(
    _ context: UnsafeMutableRawPointer?, _ engine: OpaquePointer?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = server(context), let engine, let method, let version, let count,
        let kept = state?.pointee
    else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeUnretainedValue()
    guard exchange.hasRequest else {
        return server.begin(
            exchange,
            EngineRequest(of: engine, method: method, target: exchange.target, version: version))
    }
    let body = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count.pointee)
    let result = server.handle(exchange, body: body)
    if !body.isEmpty { count.pointee = 0 }
    return result
}

private func onCompleted(
    _ context: UnsafeMutableRawPointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
    guard let server = server(context), let kept = state?.pointee else { return }
    server.completed(Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue())
    state?.pointee = nil
}
