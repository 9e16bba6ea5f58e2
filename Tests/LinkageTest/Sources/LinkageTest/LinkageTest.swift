import ResourceGuard

/// Uses the guard as a service does, so that the linker keeps all of it: a request without a token, and one whose
/// token is none, get the answers that they should.
@main
struct LinkageTest {
    static func main() async throws {
        var configuration = ResourceGuard.Configuration()
        configuration.trustedCertificates = TrustedCertificates.system
        let resourceGuard = try ResourceGuard(
            issuer: "https://auth.example", resource: "RESOURCE_ID_BOOK", keys: .jwks(keySet),
            configuration: configuration)
        try await resourceGuard.checkReadiness()
        let check = try IntrospectionCheck(
            endpoint: "https://auth.example/oauth/introspect", clientID: "book", clientSecret: "secret")
        _ = try ResourceGuard(
            issuer: "https://auth.example", resource: "RESOURCE_ID_BOOK", tokenCheck: check)
        let statuses = await [status(resourceGuard, nil), status(resourceGuard, "Bearer abc")]
        guard statuses == [401, 401] else { fatalError("answered \(statuses)") }
        print("the guard refuses as it should")
    }

    static func status(_ resourceGuard: ResourceGuard, _ authorization: String?) async -> Int {
        do throws(Refusal) {
            _ = try await resourceGuard.authorize(authorization, requiring: ["read"])
            return 200
        } catch {
            return error.status
        }
    }

    /// The public key of RFC 7517 appendix A.1.
    static let keySet = """
        {"keys":[{"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"1",
        "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
        """
}
