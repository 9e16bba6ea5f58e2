internal import CMicroHTTPD

/// One request and its answer, from the request line to the last byte.
///
/// Confined to the server's loop; the engine holds one reference until the exchange is complete.
final class Exchange {
    /// The request target as sent.
    let target: String
    let connection: Connection
    /// The engine's connection; valid until the exchange is complete, and while it is suspended.
    private let engine: OpaquePointer
    private var head: Head?
    private var body: [UInt8] = []
    private var answer: HTTPResponse?
    private var closesAfterwards = false
    private var isSuspended = false
    private var isAccepted = false
    private var isStarted = false
    private var looks = 0

    /// A header block that was looked at, for as long as the body comes.
    struct Head {
        let method: String
        let path: String
        let query: String?
        let fields: [HTTPField]
        /// What the block says of the body.
        let contentLength: Int
    }

    init(target: String, connection: Connection, engine: OpaquePointer) {
        self.target = target
        self.connection = connection
        self.engine = engine
    }

    /// Whether the header block was looked at.
    var hasRequest: Bool { isAccepted }
    /// Whether an answer is ready to be queued.
    var hasAnswer: Bool { answer != nil }

    /// Takes the header block.
    func accept(_ head: Head) {
        isAccepted = true
        self.head = head
        body.reserveCapacity(head.contentLength)
    }

    /// Takes a piece of the body.
    func append(_ bytes: UnsafeRawBufferPointer) {
        body.append(contentsOf: bytes)
    }

    /// Gives the request to the handler, once.
    func takeRequest() -> HTTPRequest? {
        guard !isStarted else { return nil }
        isStarted = true
        guard let head else { return nil }
        defer { (self.head, body) = (nil, []) }
        return HTTPRequest(
            method: head.method, path: head.path, query: head.query, fields: head.fields, body: body,
            remoteAddress: connection.address)
    }

    /// Sets the answer without a handler.
    func refuse(_ response: HTTPResponse) {
        isAccepted = true
        answer = response
        closesAfterwards = true
        isStarted = true
    }

    /// Takes the handler's answer; a second one is dropped. True when the engine must run.
    func finish(_ response: HTTPResponse) -> Bool {
        guard answer == nil else { return false }
        answer = response
        resume()
        return true
    }

    /// Answers in the handler's place, unless it has.
    func finish(instead answer: (HTTPRefusal) -> HTTPResponse) {
        guard !hasAnswer else { return }
        _ = finish(answer(.unanswered(from: connection.address)))
    }

    /// Makes the engine wait for the answer: at first it looks again at each of its runs, which costs nothing where
    /// the answer comes soon; an exchange that takes longer is taken out of its sight, by two system calls.
    /// - Returns: whether the engine still looks.
    func awaitAnswer() -> Bool {
        looks += 1
        guard looks > Self.maximumLooks else { return true }
        isSuspended = true
        MHD_suspend_connection(engine)
        return false
    }

    private static let maximumLooks = 8

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(engine)
    }

    /// Hands the answer to the engine.
    func queueAnswer(closing: Bool) -> MHD_Result {
        guard let answer else { return .NO }
        return EngineResponse.queue(answer, closing: closing || closesAfterwards, on: engine)
    }
}
