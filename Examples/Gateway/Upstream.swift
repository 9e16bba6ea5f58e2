internal import ExampleSupport
internal import Foundation
internal import HTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A server behind the gateway. Each call has a deadline, each answer and the number of calls a bound.
final class Upstream: Sendable {
    private static let deadline = Duration.seconds(2)

    private let baseURL: String
    private let session: URLSession
    private let exchanges = UpstreamExchanges(maximumBytes: 1 << 20, maximumPending: 256)

    /// A server at an address such as `http://127.0.0.1:8081`.
    init(_ baseURL: String) throws(UsageError) {
        let parts = URLComponents(string: baseURL)
        guard ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false else {
            throw UsageError("not the URL of a server: \(baseURL.debugDescription)")
        }
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 32
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the whole answer; any status is an answer.
    func send(_ request: HTTPRequest) async throws(UpstreamError) -> HTTPResponse {
        let task = session.dataTask(with: try urlRequest(request))
        let timer = Task { [exchanges] in
            try await Task.sleep(for: Self.deadline)
            exchanges.finish(task, .failure(.noAnswer("no answer within \(Self.deadline)")))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard exchanges.begin(task, continuation) else { return task.cancel() }
                task.resume()
                // A cancellation that came before the exchange began found nothing to finish.
                if Task.isCancelled { exchanges.finish(task, .failure(.cancelled)) }
            }
        } onCancel: {
            exchanges.finish(task, .failure(.cancelled))
        }
        return try result.get()
    }

    private func urlRequest(_ request: HTTPRequest) throws(UpstreamError) -> URLRequest {
        let target = request.path + (request.query.map { "?" + $0 } ?? "")
        guard let url = URL(string: baseURL + target, encodingInvalidCharacters: false) else {
            throw .badTarget
        }
        var made = URLRequest(url: url)
        made.httpMethod = request.method
        for field in request.fields { made.addValue(field.value, forHTTPHeaderField: field.name) }
        if !["GET", "HEAD"].contains(request.method) { made.httpBody = Data(request.body) }
        return made
    }
}

/// Why there is no answer.
enum UpstreamError: Error, CustomStringConvertible {
    /// Path and query make no URL.
    case badTarget
    /// No connection, no answer in time, or one that is too long.
    case noAnswer(String)
    /// Whoever asked does not wait any more.
    case cancelled

    var description: String {
        switch self {
        case .badTarget: "the target is no URL"
        case .noAnswer(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
