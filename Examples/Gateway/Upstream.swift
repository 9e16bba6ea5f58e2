internal import Curl
internal import ExampleSupport
internal import Foundation
internal import HTTP

/// A server behind the gateway. Each call has a deadline, each answer and the number of calls a bound.
///
/// Not by URLSession: on Linux it ends the process now and then when a call is cancelled just as its answer ends.
final class Upstream: Sendable {
    private static let deadline = Duration.seconds(2)

    private let baseURL: String
    private let client = TransferClient(maximumConnections: 32, maximumPending: 256)

    /// A server at an address such as `http://127.0.0.1:8081`.
    init(_ baseURL: String) throws(UsageError) {
        let parts = URLComponents(string: baseURL)
        guard ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false else {
            throw UsageError("not the URL of a server: \(baseURL.debugDescription)")
        }
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    }

    /// Sends a request and waits for the whole answer; any status is an answer.
    func send(_ request: HTTPRequest) async throws(UpstreamError) -> HTTPResponse {
        let call = try transfer(request)
        do throws(TransferError) {
            let answer = try await client.send(call, deadline: Self.deadline)
            return HTTPResponse(
                status: answer.status, fields: answer.fields.map { HTTPField($0.name, $0.value) },
                body: answer.body)
        } catch {
            throw UpstreamError(error, deadline: Self.deadline)
        }
    }

    private func transfer(_ request: HTTPRequest) throws(UpstreamError) -> TransferRequest {
        let target = request.path + (request.query.map { "?" + $0 } ?? "")
        guard let url = URL(string: baseURL + target, encodingInvalidCharacters: false) else {
            throw .badTarget
        }
        return TransferRequest(
            method: request.method, url: url.absoluteString,
            fields: request.fields.map { TransferField($0.name, $0.value) },
            body: ["GET", "HEAD"].contains(request.method) ? nil : request.body, maximumBytes: 1 << 20,
            avoidsProxy: true)
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

    fileprivate init(_ error: TransferError, deadline: Duration) {
        self =
            switch error {
            case .failed(let reason), .noTLS(let reason), .noHTTP(let reason), .untrustedServer(let reason),
                .unreadableCertificates(let reason):
                .noAnswer(reason)
            case .timedOut: .noAnswer("no answer within \(deadline)")
            case .tooLarge: .noAnswer("the answer is too long")
            case .overloaded: .noAnswer("too many calls wait")
            case .cancelled: .cancelled
            }
    }

    var description: String {
        switch self {
        case .badTarget: "the target is no URL"
        case .noAnswer(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
