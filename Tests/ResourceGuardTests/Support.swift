import OAuth
import Testing

@testable import ResourceGuard

/// A guard of `RESOURCE_ID_BOOK` by a clock of the test.
func bookGuard(
    _ keys: KeySource, issuer: String = TestIssuer.name, clock: FakeClock = FakeClock(),
    check: (any TokenCheck)? = nil, change: (inout ResourceGuard.Configuration) -> Void = { _ in }
) throws -> ResourceGuard {
    var configuration = ResourceGuard.Configuration()
    configuration.leeway = 0
    change(&configuration)
    return try ResourceGuard(
        issuer: issuer, resource: ResourceID("RESOURCE_ID_BOOK"), keys: keys, tokenCheck: check,
        configuration: configuration, clock: clock.clock)
}

/// Why a guard refuses a token; nil when it lets it in.
func reason(
    _ resourceGuard: ResourceGuard, _ token: String, requiring scopes: Scopes = ["read"]
) async -> RefusalReason? {
    await refusal(resourceGuard, token, requiring: scopes)?.reason
}

/// A guard's refusal of a token; nil when it lets it in.
func refusal(_ resourceGuard: ResourceGuard, _ token: String, requiring scopes: Scopes = ["read"]) async
    -> Refusal?
{
    do throws(Refusal) {
        _ = try await resourceGuard.authorize("Bearer \(token)", requiring: scopes)
        return nil
    } catch {
        return error
    }
}

/// Whether a text is in no part of the answer: what the client must not be told.
func isKept(_ text: String, from refusal: Refusal) -> Bool {
    let answer = refusal.headers.map(\.value) + [String(decoding: refusal.body, as: UTF8.self)]
    return !answer.contains { $0.contains(text) }
}
