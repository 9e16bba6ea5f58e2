import LocalServer
import Testing

@testable import ResourceGuard

/// What a guard says of itself before the first request.
struct ReadinessTests {
    private let clock = FakeClock()
    private let issuer: TestIssuer

    init() throws { issuer = try TestIssuer() }

    private func trouble(_ resourceGuard: ResourceGuard) async -> ResourceGuard.NotReady? {
        do throws(ResourceGuard.NotReady) {
            try await resourceGuard.checkReadiness()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a guard that can fetch keys is ready, and fetches them once`() async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock)
        for _ in 1...3 { #expect(await trouble(resourceGuard) == nil) }
        let token = try issuer.token(["iss": "\"\(server.url)\""])
        #expect(await reason(resourceGuard, token) == nil)
        #expect(server.fetches == 1)
    }

    @Test func `a guard with keys at hand is ready`() async throws {
        #expect(await trouble(try bookGuard(.jwks(issuer.keySet))) == nil)
    }

    @Test(arguments: [
        (
            #"{"issuer":"URL/"}"#,
            #"the issuer's metadata is for another issuer: "URL/" instead of "URL": "#
                + "give this service the issuer with the slash at the end"
        ),
        ("<html>", "the issuer's metadata is not a JSON object with an issuer"),
        (#"{"issuer":"URL"}"#, "the issuer's metadata names no jwks_uri"),
    ])
    func `metadata that is not the issuer's (RFC 8414 §3.3): the error says what is wrong and where`(
        metadata: String, cause: String
    ) async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        server.answerMetadata(.json(metadata.replacing("URL", with: server.url)))
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock)
        let place = server.url + "/.well-known/oauth-authorization-server: "
        let error = try #require(await trouble(resourceGuard))
        #expect(error.reason == place + cause.replacing("URL", with: server.url))
        #expect(error.description == "no token can be verified: " + error.reason)
    }

    @Test(arguments: [
        (
            "http", "/",
            #"is for another issuer: "ISSUER" instead of "ISSUER/": give this service the issuer without the slash"#
        ),
        ("https", "", "; perhaps it speaks http there and not https: check the URL's scheme and port"),
    ])
    func `an issuer that is nearly right: the error says what to do`(
        scheme: String, end: String, cause: String
    ) async throws {
        let server = try KeyServer(keySet: issuer.keySet)
        let name = server.url.replacing("http:", with: scheme + ":") + end
        let error = try #require(await trouble(try bookGuard(.issuerMetadata, issuer: name, clock: clock)))
        #expect(error.reason.contains(cause.replacing("ISSUER", with: server.url)), "\(error)")
    }

    @Test func `after a fetch that failed the answer comes without another for a while, as for requests`()
        async throws
    {
        let server = try KeyServer(.json("", status: 503))
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock)
        for _ in 1...100 {
            let error = try #require(await trouble(resourceGuard))
            #expect(error.reason == "\(server.url)/keys answered status 503")
            #expect((.zero)...(.seconds(1)) ~= error.retryAfter)
        }
        #expect(server.fetches == 1)
        server.answer(KeyServer.keySet(issuer.keySet))
        clock.advance(.seconds(1))
        #expect(await trouble(resourceGuard) == nil)
    }

    @Test func `a guard is ready as long as it lets requests in by earlier keys, and no longer`() async throws
    {
        let server = try KeyServer(keySet: issuer.keySet, age: 100)
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock)
        #expect(await trouble(resourceGuard) == nil)
        server.stop()
        clock.advance(.seconds(100 + 24 * 3600 - 1))
        #expect(await trouble(resourceGuard) == nil)
        clock.advance(.seconds(61))
        #expect(await trouble(resourceGuard)?.reason.contains("no answer") == true)
    }

    @Test func `an issuer that does not answer is given up at the deadline`() async throws {
        let server = try KeyServer(.silence)
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock) {
            $0.fetchDeadline = .milliseconds(100)
        }
        #expect(await trouble(resourceGuard)?.reason.hasSuffix(": no answer within the deadline") == true)
    }

    @Test func `many who ask share one fetch with requests, and one who is cancelled waits no longer`()
        async throws
    {
        let server = try KeyServer(keySet: issuer.keySet)
        let gate = Gate()
        server.hold(at: gate)
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url, clock: clock)
        let token = try issuer.token(["iss": "\"\(server.url)\""])
        let waiting = (0..<20).map { _ in Task { await trouble(resourceGuard) } }
        let request = Task { await reason(resourceGuard, token) }
        let cancelled = Task { await trouble(resourceGuard) }
        #expect(await eventually { server.fetches == 1 })
        cancelled.cancel()
        #expect(await cancelled.value?.reason == "the fetch of the issuer's keys has not ended")
        gate.open()
        for task in waiting { #expect(await task.value == nil) }
        #expect(await request.value == nil)
        #expect(server.fetches == 1)
    }
}
