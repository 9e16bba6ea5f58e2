internal import Curl
internal import FoundationEssentials

/// Requests to other servers: no cookies, no cache, no redirects, a bound on each answer and a deadline on each
/// exchange.
///
/// A proxy that the environment names (`https_proxy`, `no_proxy`) is used, but never for the loopback interface.
package final class OutboundHTTP: Sendable {
    private let client: TransferClient
    private let maximumBytes: Int
    private let certificates: CertificateFile?

    /// A client with its bounds.
    /// - Parameters:
    ///   - maximumBytes: the longest body that is read.
    ///   - maximumPending: how many requests may be under way; more are `.overloaded`.
    ///   - certificates: those that vouch for servers; nil for the system's.
    package init(maximumBytes: Int, maximumPending: Int, certificates: CertificateFile? = nil) {
        client = TransferClient(maximumConnections: 16, maximumPending: maximumPending)
        self.maximumBytes = maximumBytes
        self.certificates = certificates
    }

    /// Sends a request and waits for the whole answer.
    /// - Throws: `OutboundError`; any status is an answer, not an error.
    package func send(
        _ request: OutboundRequest, deadline: Duration
    ) async throws(OutboundError) -> OutboundResponse {
        let transfer = transfer(request, trusting: try trusted())
        do throws(TransferError) {
            return OutboundResponse(try await client.send(transfer, deadline: deadline))
        } catch {
            throw OutboundError(error, of: request.url, certificates)
        }
    }

    /// What the file of trusted certificates holds at this request.
    private func trusted() throws(OutboundError) -> [UInt8]? {
        do throws(CertificateFileError) {
            return try certificates?.content()
        } catch {
            throw .unusableCertificates("trustedCertificates: \(error)")
        }
    }

    private func transfer(_ request: OutboundRequest, trusting certificates: [UInt8]?) -> TransferRequest {
        // Some firewalls refuse requests that do not say what sends them.
        let fields = [TransferField("User-Agent", "authserver")]
        return TransferRequest(
            method: request.method.rawValue, url: request.url.url.absoluteString,
            fields: fields + request.fields.map { TransferField($0.name, $0.value) },
            body: request.method == .post ? request.body : nil, maximumBytes: maximumBytes,
            avoidsProxy: EndpointURL.isLoopback(request.url.host), certificates: certificates)
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
    fileprivate init(_ error: TransferError, of url: EndpointURL, _ certificates: CertificateFile?) {
        self =
            switch error {
            case .failed(let reason): .unreachable(reason)
            case .noTLS(let reason):
                .unreachable(
                    reason + "; perhaps it speaks http there and not https: check the URL's scheme and port")
            case .noHTTP(let reason) where url.isEncrypted: .unreachable(reason)
            case .noHTTP(let reason):
                .unreachable(reason + "; perhaps it speaks https there: check the URL's scheme and port")
            case .untrustedServer(let reason):
                .untrusted(
                    "the server's certificate is not trusted: \(reason); "
                        + Self.adviceForUntrusted(certificates))
            case .unreadableCertificates(let reason):
                .unusableCertificates(Self.unusable(certificates, reason))
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .overloaded: .overloaded
            case .cancelled: .cancelled
            }
    }

    private static func adviceForUntrusted(_ certificates: CertificateFile?) -> String {
        if let certificates {
            return "only the certificates in \(certificates.path) are (trustedCertificates)"
        }
        return
            "if a private authority signed it, name that authority's file in trustedCertificates, or put it into "
            + "/usr/local/share/ca-certificates and run update-ca-certificates"
    }

    private static func unusable(_ certificates: CertificateFile?, _ reason: String) -> String {
        if let certificates {
            return "trustedCertificates: the file \(certificates.path) cannot be used: \(reason)"
        }
        return
            "the trusted certificates cannot be read: \(reason); install ca-certificates, or name a file in "
            + "trustedCertificates"
    }
}
