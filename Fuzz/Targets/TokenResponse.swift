import OAuth

@testable import OutboundHTTP
@testable import TokenClient

extension FuzzTarget {
    private static let issuerURL: EndpointURL = {
        guard let url = try? EndpointURL("https://auth.example") else { fatalError("no URL") }
        return url
    }()

    /// What an authorization server answers a client: tokens, errors (RFC 6749 §5) and metadata (RFC 8414 §3.2).
    static let tokenResponse = FuzzTarget(name: "token-response") { input in
        if let response = try? TokenResponse(input, requested: ["read"]) {
            demand(!response.token.value.isEmpty, "an empty token is taken")
            demand(
                response.token.value.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a token breaks a header"
            )
            demand(response.lifetime >= .zero && response.lifetime <= .seconds(367 * 86_400), "a lifetime")
        }
        let refusal = "\(TokenResponse.refusal(OutboundResponse(status: 400, body: input)))"
        demand(
            refusal.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "a refusal breaks a line")
        demand(refusal.utf8.count < 1000, "a refusal of \(refusal.utf8.count) bytes")
        checkMetadata(OutboundResponse(status: 200, body: input))
    }

    private static func checkMetadata(_ response: OutboundResponse) {
        do throws(ServerMetadata.Invalid) {
            let metadata = try ServerMetadata(response, issuer: issuerURL)
            demand(
                [metadata.keys, metadata.tokenEndpoint].allSatisfy { $0?.isEncrypted != false }, "plain http")
        } catch {
            let isPlain = error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            demand(isPlain, "an error breaks a line")
        }
    }
}
