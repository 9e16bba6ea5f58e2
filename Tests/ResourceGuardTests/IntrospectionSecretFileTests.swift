import Foundation
import LocalServer
import OAuth
import TestSupport
import Testing

@testable import ResourceGuard

/// A check whose secret is in a file.
struct IntrospectionSecretFileTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("secret")
    }

    private static func write(_ secret: String, to path: String) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(secret.utf8)))
    }

    private func check(_ server: LocalServer) throws -> IntrospectionCheck {
        try IntrospectionCheck(
            endpoint: server.url, clientID: "book", clientSecretFile: path, deadline: .seconds(10))
    }

    private func isActive(_ check: IntrospectionCheck) async throws -> Bool {
        try await check.isActive(
            tokenID: TokenID("AAAAAAAAAAAAAAAAAAAAAA"), clientID: ClientID("gateway"),
            token: Array("a.b.c".utf8))
    }

    private static func secret(_ request: LocalRequest) -> String? {
        let basic = request.fields["authorization"]?.first?.dropFirst("Basic ".count)
        let joined = basic.flatMap { Data(base64Encoded: String($0)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        return joined?.split(separator: ":").last.map(String.init)
    }

    @Test func `the file is read at each question`() async throws {
        let server = try LocalServer { _ in .json(#"{"active":true}"#) }
        Self.write("first\n", to: path)
        let check = try check(server)
        #expect(try await isActive(check))
        Self.write("second\n", to: path)
        #expect(try await isActive(check))
        #expect(server.requests.map(Self.secret) == ["first", "second"])
    }

    @Test func `a secret that was replaced while it was sent is sent at once`() async throws {
        let path = path
        let server = try LocalServer { request in
            guard Self.secret(request) == "first" else { return .json(#"{"active":true}"#) }
            Self.write("second", to: path)
            return .json("{}", status: 401)
        }
        Self.write("first", to: path)
        #expect(try await isActive(try check(server)))
        #expect(server.requests.map(Self.secret) == ["first", "second"])
    }

    @Test func `a secret that stays refused is sent once`() async throws {
        let server = try LocalServer { _ in .json("{}", status: 401) }
        Self.write("first", to: path)
        let check = try check(server)
        await #expect(throws: TokenCheckError.self) { try await isActive(check) }
        #expect(server.requests.count == 1)
    }

    @Test func `without a secret there is no answer, and the reason names the file and nothing of it`()
        async throws
    {
        let server = try LocalServer { _ in .json(#"{"active":true}"#) }
        Self.write("first", to: path)
        let check = try check(server)
        Self.write("a-secret\nand-more", to: path)
        let error = await #expect(throws: TokenCheckError.self) { try await isActive(check) }
        #expect(error == .unavailable("clientSecretFile: the file \(path) is not one line of text in UTF-8"))
        #expect(server.requests.isEmpty)
    }

    @Test func `a check that begins without a secret is refused`() throws {
        let server = try LocalServer { _ in .json("{}") }
        let error = #expect(throws: ResourceGuard.ConfigurationError.self) { try check(server) }
        #expect(error?.description.contains("clientSecretFile: the file \(path)") == true)
    }
}
