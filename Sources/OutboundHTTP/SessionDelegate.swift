internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Passes what the session says to the exchanges.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges: Exchanges

    init(_ exchanges: Exchanges) { self.exchanges = exchanges }

    /// Refuses every redirect: the 3xx is the answer. Keys and credentials go only where configuration says.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Answers no challenge: the 401 is the answer. Without this the session would wait for ever.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let response = challenge.failureResponse as? HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        exchanges.complete(
            task.taskIdentifier, status: response.statusCode, fields: Self.fields(of: response))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if !exchanges.receive(dataTask.taskIdentifier, data) { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let number = task.taskIdentifier
        if let error {
            exchanges.finish(number, .failure(Self.translate(error)))
        } else if let response = task.response as? HTTPURLResponse {
            exchanges.complete(number, status: response.statusCode, fields: Self.fields(of: response))
        } else {
            exchanges.finish(number, .failure(.unreachable("the server sent no HTTP answer")))
        }
    }

    private static func translate(_ error: any Error) -> OutboundError {
        switch (error as? URLError)?.code {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        default: .unreachable(error.localizedDescription)
        }
    }

    private static func fields(of response: HTTPURLResponse) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name.lowercased()] = value }
        }
        return fields
    }
}
