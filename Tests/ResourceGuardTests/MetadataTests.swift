import Foundation
import OAuth
import Testing

@testable import ResourceGuard

struct MetadataTests {
    private func resourceGuard(_ resource: String, metadataURL: String? = nil) throws -> ResourceGuard {
        var configuration = ResourceGuard.Configuration()
        configuration.metadataURL = metadataURL
        return try ResourceGuard(
            issuer: TestIssuer.name, resource: resource, keys: .jwks(TestIssuer().keySet),
            configuration: configuration)
    }

    @Test func `the document says how to get a token (RFC 9728 §2)`() throws {
        let metadata = try resourceGuard("RESOURCE_ID_BOOK").metadata(scopes: ["write", "read"])
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(metadata.body)) as? [String: Any])
        #expect(members["resource"] as? String == "RESOURCE_ID_BOOK")
        #expect(members["authorization_servers"] as? [String] == [TestIssuer.name])
        #expect(members["scopes_supported"] as? [String] == ["read", "write"])
        #expect(members["bearer_methods_supported"] as? [String] == ["header"])
    }

    @Test(
        arguments: [
            ("RESOURCE_ID_BOOK", nil, "/.well-known/oauth-protected-resource", nil),
            (
                "RESOURCE_ID_BOOK", "http://books.example/.well-known/oauth-protected-resource/v1",
                "/.well-known/oauth-protected-resource/v1",
                "http://books.example/.well-known/oauth-protected-resource/v1"
            ),
            (
                "https://books.example/api", nil, "/.well-known/oauth-protected-resource/api",
                "https://books.example/.well-known/oauth-protected-resource/api"
            ),
        ] as [(String, String?, String, String?)])
    func `path and challenge follow from the resource id, or as configured (RFC 9728 §3.1, §5.1)`(
        resource: String, configured: String?, path: String, challenged: String?
    ) async throws {
        let resourceGuard = try resourceGuard(resource, metadataURL: configured)
        #expect(resourceGuard.metadata(scopes: []).path == path)
        let error = await #expect(throws: Refusal.self) { try await resourceGuard.authorize(nil) }
        let expected =
            "Bearer realm=\"\(resource)\"" + (challenged.map { ", resource_metadata=\"\($0)\"" } ?? "")
        #expect(error?.wwwAuthenticate == expected)
    }

    @Test func `a metadata URL that is none is a configuration error`() throws {
        #expect(throws: ResourceGuard.ConfigurationError.self) {
            try resourceGuard("RESOURCE_ID_BOOK", metadataURL: "x\r\ny")
        }
    }
}
