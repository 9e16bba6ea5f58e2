import Foundation
import LocalServer
import OpenSSLCrypto
import Testing

@testable import ResourceGuard

/// The guard with keys from a real server. The clock is the test's, the sockets are real.
struct KeyFetchTests {
    private let clock = FakeClock()
    private let issuer: TestIssuer

    init() throws { issuer = try TestIssuer() }

    private func guarding(
        _ server: KeyServer, _ source: KeySource = .issuerMetadata,
        change: (inout ResourceGuard.Configuration) -> Void = { _ in }
    ) throws -> ResourceGuard {
        try bookGuard(source, issuer: server.url, clock: clock, change: change)
    }

    private func token(_ server: KeyServer, _ issuer: TestIssuer? = nil, _ number: Int = 0) throws -> String {
        try (issuer ?? self.issuer).token(["iss": "\"\(server.url)\"", "n": "\(number)", "exp": "2e9"])
    }

    @Test func `the keys are found through the issuer's metadata, and kept`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let resourceGuard = try guarding(server)
        for number in 1...3 { #expect(await reason(resourceGuard, try token(server, nil, number)) == nil) }
        #expect(server.requests == 2 && server.fetches == 1)
    }

    @Test func `a JWKS URL and a file serve as well`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let token = try token(server)
        #expect(await reason(try guarding(server, .jwksURL(server.url + "/keys")), token) == nil)
        #expect(server.requests == 1)
        let file = try TemporaryFile(issuer.keySet)
        #expect(await reason(try guarding(server, .jwksFile(file.path)), token) == nil)
        #expect(server.requests == 1)
    }

    @Test func `a key file that changed is read again when an unknown key appears`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let other = try TestIssuer()
        let file = try TemporaryFile(other.keySet)
        let resourceGuard = try guarding(server, .jwksFile(file.path))
        try file.write(TestIssuer.keySet([other, issuer]))
        #expect(await reason(resourceGuard, try token(server)) == nil)
    }

    @Test func `a key file that became a pipe is not waited for, and the earlier keys serve on`() async throws
    {
        let server = try KeyServer(keySet: issuer.keySet)
        let file = try TemporaryFile(issuer.keySet)
        let (resourceGuard, other) = (try guarding(server, .jwksFile(file.path)), try TestIssuer())
        try FileManager.default.removeItem(atPath: file.path)
        try #require(mkfifo(file.path, 0o600) == 0)
        let start = ContinuousClock.now
        let unknown = try other.token(["iss": "\"\(server.url)\""])
        let refusal = try #require(await refusal(resourceGuard, unknown))
        #expect(start.duration(to: .now) < .seconds(4))
        #expect(refusal.reason == .keysUnavailable)
        #expect(
            refusal.logDetail.contains(
                "the key file \(file.path) is a pipe that was not written and closed in time"), "\(refusal)")
        #expect(await reason(resourceGuard, try token(server)) == nil)
    }

    @Test(arguments: [
        #"{"issuer":"https://evil.example","jwks_uri":"URL/keys"}"#,
        #"{"issuer":"URL/","jwks_uri":"URL/keys"}"#,
        #"{"issuer":"URL"}"#, #"{"jwks_uri":"URL/keys"}"#, "<html>", "",
        #"{"issuer":"URL","jwks_uri":"http://evil.example/keys"}"#,
        #"{"issuer":"URL","jwks_uri":"file:///x"}"#,
    ])
    func `metadata of another issuer or with a bad jwks_uri gives no keys (RFC 8414 §3.3)`(
        metadata: String
    ) async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        server.answerMetadata(.json(metadata.replacing("URL", with: server.url)))
        #expect(await reason(try guarding(server), try token(server)) == .keysUnavailable)
        #expect(server.fetches == 0)
    }

    @Test(arguments: [
        (#"{"issuer":"https://evil.example\n"}"#, #"is for another issuer: "https://evil.example\n""#),
        ("<html>", "is not a JSON object with an issuer"), (#"{"issuer":"URL"}"#, "names no jwks_uri"),
        (#"{"issuer":"URL","jwks_uri":"http://127.0.0.1:1/"}"#, "http://127.0.0.1:1/: no answer:"),
    ])
    func `a refusal for want of keys tells the log why they could not be fetched, and the client not`(
        metadata: String, cause: String
    ) async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        server.answerMetadata(.json(metadata.replacing("URL", with: server.url)))
        let resourceGuard = try guarding(server)
        for _ in 1...2 {
            let refusal = try #require(await refusal(resourceGuard, token(server)))
            #expect(refusal.reason == .keysUnavailable)
            #expect(refusal.description.contains(cause), "\(refusal.description)")
            #expect(isKept(server.url, from: refusal) && isKept(cause, from: refusal))
        }
    }

    @Test func `a refusal tells of the last failed fetch, not of one before`() async throws {
        let server = try KeyServer(.json("", status: 503))
        let resourceGuard = try guarding(server)
        #expect(await refusal(resourceGuard, try token(server))?.logDetail.contains("status 503") == true)
        server.answer(.json("<html>"))
        clock.advance(.seconds(2))
        #expect(await refusal(resourceGuard, try token(server))?.logDetail.contains("not a JWK Set") == true)
        server.stop()
        clock.advance(.seconds(60))
        #expect(await refusal(resourceGuard, try token(server))?.logDetail.contains("no answer") == true)
    }

    @Test func `A28 many who need keys share one fetch`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let gate = Gate()
        server.hold(at: gate)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        let waiting = (0..<50).map { _ in Task { await reason(resourceGuard, token) } }
        #expect(await eventually { server.fetches == 1 })
        gate.open()
        for task in waiting { #expect(await task.value == nil) }
        #expect(server.fetches == 1)
    }

    @Test func `one who is cancelled does not take the fetch from the others`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let gate = Gate()
        server.hold(at: gate)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        let cancelled = Task { await reason(resourceGuard, token) }
        #expect(await eventually { server.fetches == 1 })
        let other = Task { await reason(resourceGuard, token) }
        cancelled.cancel()
        #expect(await cancelled.value == .keysUnavailable)
        gate.open()
        #expect(await other.value == nil)
        #expect(server.fetches == 1)
    }

    /// Past their age keys are trusted again only when a fetch has failed: who hangs up first must gain nothing by it.
    @Test(arguments: [true, false])
    func `one who is cancelled is not let in by keys past their age`(isRemembered: Bool) async throws {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        #expect(await reason(resourceGuard, try isRemembered ? token : self.token(server, nil, 1)) == nil)
        let gate = Gate()
        server.hold(at: gate)
        server.answer(KeyServer.keySet(try TestIssuer().keySet))
        clock.advance(.seconds(3600))
        let cancelled = Task { await reason(resourceGuard, token) }
        #expect(await eventually { server.fetches == 2 })
        cancelled.cancel()
        #expect(await cancelled.value == .keysUnavailable)
        gate.open()
        #expect(await reason(resourceGuard, token) == .unknownKey)
    }

    @Test func `a remembered token that ends while keys are waited for is expired`() async throws {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let resourceGuard = try guarding(server)
        let token = try issuer.token(["iss": "\"\(server.url)\"", "exp": "\(TestIssuer.now + 200)"])
        #expect(await reason(resourceGuard, token) == nil)
        let gate = Gate()
        server.hold(at: gate)
        clock.advance(.seconds(199))
        let waiting = Task { await reason(resourceGuard, token) }
        #expect(await eventually { server.fetches == 2 })
        clock.advance(.seconds(1))
        gate.open()
        #expect(await waiting.value == .expired)
    }

    @Test func `G12 A28 a thousand unknown kids cost one fetch, and good tokens do not wait for it`()
        async throws
    {
        let server = try KeyServer(keySet: issuer.keySet)
        let resourceGuard = try guarding(server)
        #expect(await reason(resourceGuard, try token(server, nil, 0)) == nil)
        let gate = Gate()
        server.hold(at: gate)
        let forger = try TestIssuer(.eddsa)
        let unknown = try (0..<1000).map { number in
            try forger.token(
                ["iss": "\"\(server.url)\""], header: #"{"alg":"EdDSA","typ":"at+jwt","kid":"k\#(number)"}"#)
        }
        let waiting = unknown.map { token in Task { await reason(resourceGuard, token) } }
        #expect(await eventually { server.fetches == 2 })
        #expect(await reason(resourceGuard, try token(server, nil, 1)) == nil)
        gate.open()
        for task in waiting { #expect(await task.value == .unknownKey) }
        #expect(await reason(resourceGuard, unknown[0]) == .unknownKey)
        #expect(server.fetches == 2)
        clock.advance(.seconds(10))
        #expect(await reason(resourceGuard, unknown[0]) == .unknownKey)
        #expect(server.fetches == 3)
    }

    @Test func `G15 a token of a key that was just rotated in passes, and so does one of the old key`()
        async throws
    {
        let server = try KeyServer(keySet: issuer.keySet)
        let resourceGuard = try guarding(server)
        #expect(await reason(resourceGuard, try token(server)) == nil)
        let new = try TestIssuer(.eddsa)
        server.answer(KeyServer.keySet(TestIssuer.keySet([issuer, new])))
        clock.advance(.seconds(1))
        #expect(await reason(resourceGuard, try token(server, new)) == nil)
        #expect(await reason(resourceGuard, try token(server, nil, 1)) == nil)
        #expect(server.fetches == 2)
    }

    @Test func `G19 tokens of foreign issuers cost no fetch, and a good one with a new key gets it`()
        async throws
    {
        let server = try KeyServer(keySet: issuer.keySet)
        let resourceGuard = try guarding(server)
        #expect(await reason(resourceGuard, try token(server)) == nil)
        let new = try TestIssuer()
        server.answer(KeyServer.keySet(TestIssuer.keySet([issuer, new])))
        let foreign = try TestIssuer(.eddsa)
        for number in 0..<1000 {
            let token = try foreign.token(
                ["n": "\(number)"], header: #"{"alg":"EdDSA","typ":"at+jwt","kid":"k\#(number)"}"#)
            #expect(await reason(resourceGuard, token) == .wrongIssuer)
        }
        #expect(server.fetches == 1)
        #expect(await reason(resourceGuard, try token(server, new)) == nil)
        #expect(server.fetches == 2)
    }

    @Test func `G20 a withdrawn key ends even what is remembered, at the next refresh`() async throws {
        let new = try TestIssuer()
        let server = try KeyServer(keySet: TestIssuer.keySet([issuer, new]), age: 100)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        #expect(await reason(resourceGuard, token) == nil)
        server.answer(KeyServer.keySet(new.keySet, age: 100))
        #expect(await reason(resourceGuard, token) == nil)
        clock.advance(.seconds(100))
        #expect(await reason(resourceGuard, token) == .unknownKey)
        #expect(await reason(resourceGuard, try self.token(server, new)) == nil)
    }

    @Test func `near the end of their age keys are refreshed while requests go on`() async throws {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        #expect(await reason(resourceGuard, token) == nil)
        let gate = Gate()
        server.hold(at: gate)
        clock.advance(.seconds(80))
        #expect(await reason(resourceGuard, token) == nil)
        #expect(await eventually { server.fetches == 2 })
        #expect(await reason(resourceGuard, token) == nil)
        gate.open()
    }

    @Test(arguments: [
        LocalReply.json("{}", status: 500), .json("<html>not JSON</html>"), .json(#"{"keys":[]}"#),
        .json(#"{"keys":[{"kty":"AKP","kid":"x"}]}"#),
        .json("", status: 302, fields: ["Location: file:///x"]),
        .json("", status: 301, fields: ["Location: http://127.0.0.1:1/"]), .raw("garbage"), .raw(""),
        .json(String(repeating: " ", count: 300_000)), .json("[]"), .json("null"),
        .json("{}", status: 401, fields: ["WWW-Authenticate: Basic realm=\"x\""]),
    ])
    func `G13 G21 A30 a failed fetch leaves the known keys in use and is tried again`(
        failure: LocalReply
    ) async throws {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let events = Events()
        let resourceGuard = try guarding(server) { $0.log = events.log }
        #expect(await reason(resourceGuard, try token(server)) == nil)
        server.answer(failure)
        clock.advance(.seconds(3600))
        let new = try TestIssuer()
        for number in 1...3 { #expect(await reason(resourceGuard, try token(server, nil, number)) == nil) }
        #expect(server.fetches == 2)
        #expect(events.failures(usingEarlierKeys: true) == 1)
        #expect(await reason(resourceGuard, try token(server, new)) == .keysUnavailable)
        server.answer(KeyServer.keySet(new.keySet))
        clock.advance(.seconds(2))
        #expect(await reason(resourceGuard, try token(server, new)) == nil)
        #expect(await reason(resourceGuard, try token(server)) == .unknownKey)
    }

    @Test func `G13 keys that stay stale beyond the bound are given up: 503 with Retry-After`() async throws {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let resourceGuard = try guarding(server)
        let token = try token(server)
        #expect(await reason(resourceGuard, token) == nil)
        server.stop()
        clock.advance(.seconds(100 + 24 * 3600 - 1))
        #expect(await reason(resourceGuard, token) == nil)
        clock.advance(.seconds(61))
        let error = await #expect(throws: Refusal.self) {
            try await resourceGuard.authorize("Bearer \(token)")
        }
        #expect(error?.reason == .keysUnavailable && error?.status == 503)
        #expect(error?.headers.contains { $0.name == "Retry-After" } == true)
    }

    @Test func `without keys the answer is 503, and 200 as soon as they are there`() async throws {
        let server = try KeyServer(.json("", status: 503))
        let resourceGuard = try guarding(server)
        let token = try token(server)
        #expect(await reason(resourceGuard, token) == .keysUnavailable)
        let fetches = server.fetches
        for _ in 1...100 { #expect(await reason(resourceGuard, token) == .keysUnavailable) }
        #expect(server.fetches == fetches)
        server.answer(KeyServer.keySet(issuer.keySet))
        clock.advance(.seconds(1))
        #expect(await reason(resourceGuard, token) == nil)
    }

    @Test func `a key server that does not answer is given up at the deadline`() async throws {
        let server = try KeyServer(.silence)
        let resourceGuard = try guarding(server) { $0.fetchDeadline = .milliseconds(100) }
        #expect(await reason(resourceGuard, try token(server)) == .keysUnavailable)
    }

    @Test func `G14 A27 keys that cannot be used are skipped and named in the log, the good one serves`()
        async throws
    {
        let good = issuer.keySet.dropFirst(#"{"keys":["#.count).dropLast(2)
        let set = #"""
            {"keys":[{"kty":"AKP","kid":"a"},{"kty":"OKP","crv":"Ed448","x":"AA","kid":"b"},
            {"kty":"EC","crv":"secp256k1","x":"AA","y":"AA","kid":"c"},{"kty":"RSA","e":"AQAB","kid":"d"},
            "text",null,5,\#(good)]}
            """#
        let server = try KeyServer(keySet: set)
        let events = Events()
        let resourceGuard = try guarding(server) { $0.log = events.log }
        #expect(await reason(resourceGuard, try token(server)) == nil)
        #expect(events.skipped == 7)
    }
}
