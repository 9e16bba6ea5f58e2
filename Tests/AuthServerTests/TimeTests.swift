import AuthStore
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing

@testable import AuthServer

/// What depends on the clock, to the second.
@Suite("Time")
struct TimeTests {
    @Test("C15 A12: active one second before exp, inactive at exp")
    func expiry() async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: false))
        let dialogue = Dialogue(server: server)
        let token = try await dialogue.issue()
        let end = IssuedToken(token)?.seconds("exp") ?? 0
        try await server.wait(until: end - 2)
        try await dialogue.introspect(token).isActive()
        try await server.wait(until: end)
        try await dialogue.introspect(token).isInactive()
        #expect(dialogue.problems == [])
        await server.stop()
    }

    @Test("T24: two secrets in overlap are good, then the newer one alone")
    func overlap() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        let new = GeneratedSecret.make()
        try scenario.registry().rotateSecret(
            of: try ClientID("gateway"), to: SecretVerifier(new), overlap: 3600, at: server.now)
        let second = Credentials.basic("gateway", secret: new.reveal())
        let end = server.now / 1000 + 3600
        try await dialogue.token().has(status: 200)
        try await dialogue.token(by: second).has(status: 200)
        try await server.wait(until: end - 5)
        try await dialogue.token().has(status: 200)
        try await server.wait(until: end + 1)
        try await dialogue.token().isUnauthenticated()
        try await dialogue.token(by: second).has(status: 200)
        #expect(dialogue.problems == [])
        await server.stop()
    }

    @Test(
        "T30: a planned key signs after max-age; the one before is published until its last token has ended")
    func keys() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        let first = try await dialogue.issue()
        let start = server.now / 1000
        let key = try scenario.registry().rotateSigningKey(publishedFor: 300, at: server.now)
        #expect(try await Self.published(dialogue).count == 2)
        try await server.wait(until: start + 290)
        #expect(IssuedToken(try await dialogue.issue())?.header["kid"] != .string(key.keyID))
        try await server.wait(until: start + 301)
        #expect(IssuedToken(try await dialogue.issue())?.header["kid"] == .string(key.keyID))
        try await dialogue.introspect(first).isActive()
        try await server.wait(until: start + 301 + 3600)
        #expect(try await Self.published(dialogue).count == 2)
        try await server.wait(until: start + 302 + 3600 + KeySchedule.margin)
        #expect(try await Self.published(dialogue) == [key.keyID])
        #expect(dialogue.problems == [])
        await server.stop()
    }

    @Test("R5: a token that was verified before is looked at anew: its time, its key, each of its bytes")
    func verifiedBefore() async throws {
        let scenario = try Scenario(withBroughtSecrets: false)
        let server = try await InProcessServer.start(scenario)
        let dialogue = Dialogue(server: server)
        let token = try await dialogue.issue()
        for _ in 0..<3 { try await dialogue.introspect(token).isActive() }
        for index in stride(from: 0, to: token.utf8.count, by: 7) {
            var altered = Array(token.utf8)
            altered[index] = altered[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            guard altered != Array(token.utf8) else { continue }
            try await dialogue.introspect(String(decoding: altered, as: UTF8.self)).isInactive()
        }
        try await dialogue.introspect(token + "A").isInactive()
        try await dialogue.introspect(token).isActive()
        let key = try #require(try await Self.published(dialogue).first)
        _ = try scenario.registry().rotateSigningKey(
            publishedFor: 0, immediately: true, at: server.now)
        try scenario.registry().retireSigningKey(key, at: server.now)
        try await dialogue.introspect(token).isInactive()
        #expect(dialogue.problems == [])
        await server.stop()
    }

    @Test("R5: a token that was verified before ends with its exp")
    func verifiedBeforeItsEnd() async throws {
        let server = try await InProcessServer.start(try Scenario(withBroughtSecrets: false))
        let dialogue = Dialogue(server: server)
        let token = try await dialogue.issue()
        let end = try #require(IssuedToken(token)?.seconds("exp"))
        try await server.wait(until: end - 1)
        for _ in 0..<2 { try await dialogue.introspect(token).isActive() }
        try await server.wait(until: end)
        try await dialogue.introspect(token).isInactive()
        #expect(dialogue.problems == [])
        await server.stop()
    }

    private static func published(_ dialogue: Dialogue) async throws -> [String] {
        let keys = try await dialogue.get("/.well-known/jwks.json").response.json?["keys"]?.array ?? []
        return keys.compactMap { $0.object?["kid"]?.string }
    }
}
