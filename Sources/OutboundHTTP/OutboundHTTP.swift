internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests to other servers: no cookies, no cache, no redirects, a bound on each answer and a deadline on each
/// exchange.
package final class OutboundHTTP: Sendable {
    private let session: URLSession
    private let exchanges: Exchanges

    /// A client with its bounds.
    /// - Parameters:
    ///   - maximumBytes: the longest body that is read.
    ///   - maximumPending: how many requests may be under way; more are `.overloaded`.
    package init(maximumBytes: Int, maximumPending: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 16
        exchanges = Exchanges(maximumBytes: maximumBytes, maximumPending: maximumPending)
        session = URLSession(
            configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: nil)
    }

    // The session keeps its delegate until it is told to end.
    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the whole answer.
    /// - Throws: `OutboundError`; any status is an answer, not an error.
    package func send(
        _ request: OutboundRequest, deadline: Duration
    ) async throws(OutboundError) -> OutboundResponse {
        let task = session.dataTask(with: Self.urlRequest(request, deadline: deadline))
        let exchange = task.taskIdentifier
        let timer = Task { [exchanges] in
            try await Task.sleep(for: deadline)
            exchanges.finish(exchange, .failure(.timedOut))
            task.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard exchanges.begin(exchange, continuation) else { return task.cancel() }
                task.resume()
                // A cancellation that came before the exchange began found nothing to finish.
                if Task.isCancelled { exchanges.finish(exchange, .failure(.cancelled)) }
            }
        } onCancel: {
            exchanges.finish(exchange, .failure(.cancelled))
            task.cancel()
        }
        return try result.get()
    }

    private static func urlRequest(_ request: OutboundRequest, deadline: Duration) -> URLRequest {
        var made = URLRequest(url: request.url.url)
        made.httpMethod = request.method.rawValue
        made.timeoutInterval = Double(deadline.components.seconds) + 1
        for field in request.fields { made.setValue(field.value, forHTTPHeaderField: field.name) }
        if request.method == .post { made.httpBody = Data(request.body) }
        return made
    }
}
