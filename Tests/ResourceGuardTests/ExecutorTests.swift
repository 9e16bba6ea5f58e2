import EventLoop
import LocalServer
import Testing

@testable import ResourceGuard

struct ExecutorTests {
    @Test func `a request on an event loop stays on it, and the loop runs on while keys are fetched`()
        async throws
    {
        let issuer = try TestIssuer()
        let server = try KeyServer(keySet: issuer.keySet)
        let gate = Gate()
        server.hold(at: gate)
        let resourceGuard = try bookGuard(.issuerMetadata, issuer: server.url)
        let token = try issuer.token(["iss": "\"\(server.url)\""])
        let running = try EventLoop.start(name: "guard-test")
        let loop = running.loop
        let request = Task(executorPreference: loop) {
            let why = await reason(resourceGuard, token)
            return (why, loop.isCurrent)
        }
        #expect(await eventually { server.fetches == 1 })
        // The loop answers others while the request waits for the keys.
        #expect(await Task(executorPreference: loop) { loop.isCurrent }.value)
        gate.open()
        let (why, isOnLoop) = await request.value
        #expect(why == nil && isOnLoop)
        loop.stop()
        running.join()
    }

    @MainActor @Test func `a request on the main actor is served as well`() async throws {
        let issuer = try TestIssuer()
        let resourceGuard = try bookGuard(.jwks(issuer.keySet))
        #expect(await reason(resourceGuard, try issuer.token()) == nil)
    }
}
