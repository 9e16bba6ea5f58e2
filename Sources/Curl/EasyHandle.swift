internal import CCurl
internal import Glibc

/// One transfer as libcurl has it: the handle, what it reads and where it writes. Confined to the transfer thread.
final class EasyHandle {
    /// libcurl's name for it.
    let pointer: UnsafeMutableRawPointer
    /// Whose it is.
    let transfer: Transfer
    /// Set when nobody waits for the answer any more: then no connection is opened.
    var isAbandoned = false
    /// Whether a name is being looked up: the handle must not be ended now, because libcurl would wait for the lookup,
    /// and all other transfers with it.
    private(set) var isResolving = false

    private let buffers: RequestBuffers
    private let errorText: UnsafeMutablePointer<CChar>
    private var reader: AnswerReader

    /// Prepares a transfer.
    init(_ transfer: Transfer) throws(TransferError) {
        buffers = try RequestBuffers(transfer.request)
        guard let made = curl_easy_init() else { throw .failed("no memory for a request") }
        pointer = made
        self.transfer = transfer
        reader = AnswerReader(maximumBytes: transfer.request.maximumBytes)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = configure()
        guard code == CURLE_OK else { throw .failed(Self.text(of: code)) }
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// What came of it, once libcurl has said that it is over.
    func outcome(_ code: CURLcode) -> Transfer.Outcome {
        if reader.isTooLarge { return .failure(.tooLarge) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        let status = auth_curl_status(pointer)
        guard status > 0 else { return .failure(.failed("the server sent no HTTP answer")) }
        return .success(TransferAnswer(status: status, fields: reader.fields, body: reader.body))
    }

    private func configure() -> CURLcode {
        let (url, method) = (transfer.request.url, transfer.request.method)
        return url.withCString { url in
            method.withCString { method in configure(url: url, method: method) }
        }
    }

    private func configure(url: UnsafePointer<CChar>, method: UnsafePointer<CChar>) -> CURLcode {
        var request = auth_curl_request()
        request.url = url
        request.method = method
        request.has_no_body = transfer.request.method == "HEAD" ? 1 : 0
        request.fields = buffers.fields
        request.body = UnsafePointer(buffers.body)
        request.body_length = buffers.bodyLength
        request.avoids_proxy = transfer.request.avoidsProxy ? 1 : 0
        request.error_text = errorText
        request.context = Unmanaged.passUnretained(self).toOpaque()
        request.receive_head = onReceiveHead
        request.receive_body = onReceiveBody
        request.resolve = onStartResolving
        request.open_socket = onOpenSocket
        var code = auth_curl_set_rules(pointer)
        if code == CURLE_OK { code = auth_curl_set_callbacks(pointer, &request) }
        if code == CURLE_OK { code = auth_curl_set_request(pointer, &request) }
        if code == CURLE_OK, let certificates = transfer.request.certificates {
            code = certificates.withUnsafeBytes { auth_curl_trust(pointer, $0.baseAddress, $0.count) }
        }
        return code
    }

    // MARK: - What libcurl calls

    fileprivate func receiveHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
        reader.receiveHead(bytes)
        return !reader.isTooLarge
    }

    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        reader.receiveBody(bytes)
        return !reader.isTooLarge
    }

    fileprivate func startResolving() { isResolving = true }

    /// A socket that no child process gets; none for an abandoned transfer, which ends it.
    fileprivate func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        isResolving = false
        guard !isAbandoned else { return -1 }
        return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    }

    // MARK: - Errors

    private func error(_ code: CURLcode) -> TransferError {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: .untrustedServer(reason(code))
        case CURLE_SSL_CACERT_BADFILE: .unreadableCertificates(reason(code))
        case CURLE_SSL_CONNECT_ERROR: .noTLS(reason(code))
        // The third is what it says of an answer that begins with no line of HTTP.
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_UNSUPPORTED_PROTOCOL: .noHTTP(reason(code))
        default: .failed(reason(code))
        }
    }

    /// The particular reason where libcurl names one; the general one where it speaks of a proxy, whose URL may hold a
    /// password.
    private func reason(_ code: CURLcode) -> String {
        let particular = String(cString: errorText)
        let isUsable = !particular.isEmpty && !particular.lowercased().contains("proxy")
        return isUsable ? Self.line(particular) : Self.text(of: code)
    }

    private static func text(of code: CURLcode) -> String {
        line(String(cString: curl_easy_strerror(code)))
    }

    /// Some of it may come from the server's certificate.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? $0 : "?" }))
    }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
}

/// Another number than that of the bytes ends the transfer.
private let refused = 0

private let onReceiveHead: curl_write_callback = { bytes, size, count, context in
    let head = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return handle(context)?.receiveHead(head) == true ? head.count : refused
}

private let onReceiveBody: curl_write_callback = { bytes, size, count, context in
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return handle(context)?.receiveBody(piece) == true ? piece.count : refused
}

private let onStartResolving: curl_resolver_start_callback = { _, _, context in
    handle(context)?.startResolving()
    return 0
}

private let onOpenSocket: curl_opensocket_callback = { context, _, address in
    guard let address else { return -1 }
    return handle(context)?.openSocket(address.pointee) ?? -1
}
