internal import Curl
internal import FoundationEssentials

/// Requests to other servers: no cookies, no cache, no redirects, a bound on each answer and a deadline on each
/// exchange.
///
/// A proxy that the environment names (`https_proxy`, `no_proxy`) is used, but never for the loopback interface.
package final class OutboundHTTP: Sendable {
    private let client: TransferClient
    private let maximumBytes: Int

    /// A client with its bounds.
    /// - Parameters:
    ///   - maximumBytes: the longest body that is read.
    ///   - maximumPending: how many requests may be under way; more are `.overloaded`.
    package init(maximumBytes: Int, maximumPending: Int) {
        client = TransferClient(maximumConnections: 16, maximumPending: maximumPending)
        self.maximumBytes = maximumBytes
    }

    /// Sends a request and waits for the whole answer.
    /// - Throws: `OutboundError`; any status is an answer, not an error.
    package func send(
        _ request: OutboundRequest, deadline: Duration
    ) async throws(OutboundError) -> OutboundResponse {
        do throws(TransferError) {
            return OutboundResponse(try await client.send(transfer(request), deadline: deadline))
        } catch {
            throw OutboundError(error)
        }
    }

    private func transfer(_ request: OutboundRequest) -> TransferRequest {
        // Some firewalls refuse requests that do not say what sends them.
        let fields = [TransferField("User-Agent", "authserver")]
        return TransferRequest(
            method: request.method.rawValue, url: request.url.url.absoluteString,
            fields: fields + request.fields.map { TransferField($0.name, $0.value) },
            body: request.method == .post ? request.body : nil, maximumBytes: maximumBytes,
            avoidsProxy: EndpointURL.isLoopback(request.url.host))
    }
}

extension OutboundResponse {
    fileprivate init(_ answer: TransferAnswer) {
        var fields: [String: String] = [:]
        for field in answer.fields {
            let name = field.name.lowercased()
            // A name that repeats is one list (RFC 9110 §5.3).
            fields[name] = fields[name].map { $0 + ", " + field.value } ?? field.value
        }
        self.init(status: answer.status, fields: fields, body: answer.body)
    }
}

extension OutboundError {
    fileprivate init(_ error: TransferError) {
        self =
            switch error {
            case .failed(let reason): .unreachable(reason)
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .overloaded: .overloaded
            case .cancelled: .cancelled
            }
    }
}
