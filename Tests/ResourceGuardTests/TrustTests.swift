import Foundation
import LocalServer
import OAuth
import TestSupport
import Testing

@testable import ResourceGuard

/// TLS with the issuer.
struct TrustTests {
    private let authority: TestAuthority
    private let issuer: TestIssuer

    init() throws {
        authority = try TestAuthority()
        issuer = try TestIssuer()
    }

    private func serve(_ body: (SecureServer) async throws -> Void) async throws {
        let keySet = issuer.keySet
        try await SecureServer.serve(
            as: authority.identity(for: "localhost"),
            answer: { path in
                switch path {
                case "/keys": keySet
                case "/introspect": #"{"active":true}"#
                default: #"{"issuer":"URL","jwks_uri":"URL/keys"}"#
                }
            }, body)
    }

    @Test func `an issuer of a private authority is trusted by the authority's file`() async throws {
        try await serve { server in
            let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url) {
                $0.trustedCertificates = .file(authority.certificateFile)
            }
            let token = try issuer.token(["iss": "\"\(server.url)\""])
            #expect(await reason(resourceGuard, token) == nil)
        }
    }

    @Test func `an issuer that is not trusted gives no keys, and the log says what to do`() async throws {
        try await serve { server in
            let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url)
            let refusal = try #require(
                await refusal(resourceGuard, issuer.token(["iss": "\"\(server.url)\""])))
            #expect(refusal.reason == .keysUnavailable)
            #expect(
                refusal.logDetail.contains("name that authority's file in trustedCertificates"), "\(refusal)")
            #expect(isKept("trustedCertificates", from: refusal) && server.requests.isEmpty)
        }
    }

    @Test func `introspection has trusted certificates of its own`() async throws {
        let (id, client) = (try TokenID("AAAAAAAAAAAAAAAAAAAAAA"), try ClientID("gateway"))
        try await serve { server in
            for (trusted, isTrusted) in [
                (TrustedCertificates.file(authority.certificateFile), true), (.system, false),
            ] {
                let check = try IntrospectionCheck(
                    endpoint: server.url + "/introspect", clientID: "book", clientSecret: "s",
                    deadline: .seconds(10), trustedCertificates: trusted)
                let answer = try? await check.isActive(tokenID: id, clientID: client, token: [])
                #expect(answer == (isTrusted ? true : nil))
            }
            #expect(server.requests == ["/introspect"])
        }
    }

    @Test func `a file that is no good any more is named to the log, by guard and introspection`()
        async throws
    {
        let folder = try TemporaryDirectory()
        let file = folder.file("ca.pem")
        try FileManager.default.copyItem(atPath: authority.certificateFile, toPath: file)
        let (id, client) = (try TokenID("AAAAAAAAAAAAAAAAAAAAAA"), try ClientID("gateway"))
        try await serve { server in
            let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url) {
                $0.trustedCertificates = .file(file)
            }
            let check = try IntrospectionCheck(
                endpoint: server.url + "/introspect", clientID: "book", clientSecret: "s",
                deadline: .seconds(10), trustedCertificates: .file(file))
            try FileManager.default.removeItem(atPath: file)
            let trouble = ": trustedCertificates: the file \(file) cannot be read: No such file or directory"
            let token = try issuer.token(["iss": "\"\(server.url)\""])
            let refusal = try #require(await refusal(resourceGuard, token))
            #expect(refusal.reason == .keysUnavailable && refusal.logDetail.contains(trouble), "\(refusal)")
            #expect(isKept(file, from: refusal))
            await #expect(throws: TokenCheckError.unavailable(server.url + "/introspect" + trouble)) {
                try await check.isActive(tokenID: id, clientID: client, token: [])
            }
        }
    }

    @Test func `a file that cannot vouch for anything is a configuration error, also where keys are at hand`()
        throws
    {
        let text =
            "trustedCertificates: the file /nonexistent/ca.pem cannot be read: No such file or directory"
        for keys in [KeySource.issuerMetadata, .jwks(issuer.keySet)] {
            let error = #expect(throws: ResourceGuard.ConfigurationError.self) {
                try bookGuard(keys) { $0.trustedCertificates = .file("/nonexistent/ca.pem") }
            }
            #expect(error?.description == text)
        }
        let error = #expect(throws: ResourceGuard.ConfigurationError.self) {
            try IntrospectionCheck(
                endpoint: "https://auth.example", clientID: "c", clientSecret: "s",
                trustedCertificates: .file("/nonexistent/ca.pem"))
        }
        #expect(error?.description == text)
    }
}
