internal import Foundation
internal import HTTP
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The calls under way. Each is finished once, by whoever comes first: the answer, a failure, the deadline or a
/// cancellation.
final class UpstreamExchanges: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<HTTPResponse, UpstreamError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private struct Exchange {
        let continuation: Continuation
        var body: [UInt8] = []
    }

    private let pending = Mutex<[Int: Exchange]>([:])
    private let maximumBytes: Int
    private let maximumPending: Int

    init(maximumBytes: Int, maximumPending: Int) {
        self.maximumBytes = maximumBytes
        self.maximumPending = maximumPending
    }

    /// Takes a call up; false, and finished, when too many wait already.
    func begin(_ task: URLSessionTask, _ continuation: Continuation) -> Bool {
        let isAccepted = pending.withLock { pending in
            guard pending.count < maximumPending else { return false }
            pending[task.taskIdentifier] = Exchange(continuation: continuation)
            return true
        }
        if !isAccepted { continuation.resume(returning: .failure(.noAnswer("too many calls wait"))) }
        return isAccepted
    }

    /// Finishes a call that ends without an answer, unless it is finished already.
    func finish(_ task: URLSessionTask, _ outcome: Outcome) {
        guard let exchange = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.continuation.resume(returning: outcome)
        task.cancel()
    }

    private func finish(_ task: URLSessionTask, with response: HTTPURLResponse) {
        let body = pending.withLock { $0[task.taskIdentifier]?.body } ?? []
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).flatMap { name in (value as? String).map { HTTPField(name, $0) } }
        }
        finish(task, .success(HTTPResponse(status: response.statusCode, fields: fields, body: body)))
    }

    // MARK: - What the session says

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = pending.withLock { pending in
            pending[dataTask.taskIdentifier]?.body += data
            return pending[dataTask.taskIdentifier].map { $0.body.count > maximumBytes } ?? false
        }
        if isTooLong { finish(dataTask, .failure(.noAnswer("the answer is too long"))) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let response = task.response as? HTTPURLResponse, error == nil {
            finish(task, with: response)
        } else {
            finish(task, .failure(.noAnswer(error?.localizedDescription ?? "no HTTP answer")))
        }
    }

    /// A redirect is an answer, for the caller to follow or not.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// 401 is an answer too; without this the session would wait for credentials.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let response = challenge.failureResponse as? HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        finish(task, with: response)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
