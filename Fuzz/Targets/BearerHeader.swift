import JOSE
import OAuth
import OpenSSLCrypto

@testable import AccessToken
@testable import ResourceGuard

extension FuzzTarget {
    /// The guard's whole decision over Authorization values, a line each: nothing gets in but the one token that
    /// was signed.
    static let bearerHeader = FuzzTarget(name: "bearer-header", isCostly: true) { input in
        let lines = input.texts()
        checkReading(lines[0])
        // A token cannot stand in a seed: its key is made anew in each process.
        for values in [lines, lines.map { $0.replacing("TOKEN", with: GuardedService.token) }] {
            let outcome = waiting { await GuardedService.outcome(of: values) }
            check(outcome, values)
        }
    }

    private static func check(_ outcome: Result<String, Refusal>, _ values: [String]) {
        switch outcome {
        case .success(let client):
            demand(client == "gateway" && values.count == 1, "somebody else gets in")
            let value = values[0]
            demand(value.lowercased().hasPrefix("bearer "), "another scheme gets in")
            let rest = value.dropFirst(7).drop { $0 == " " }
            demand(String(rest).isSame(as: GuardedService.token), "another token gets in")
        case .failure(let refusal):
            demand([400, 401].contains(refusal.status), "a refusal with \(refusal.status)")
            let texts = refusal.headers.map(\.value) + [refusal.description, refusal.body.text]
            let isPrintable = texts.allSatisfy {
                $0.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
            }
            demand(isPrintable, "a refusal with control characters")
            demand((try? JSON.parse(refusal.body)) != nil, "a refusal that is no JSON")
        }
    }

    /// The fast way to a token finds no other than the strict one.
    private static func checkReading(_ value: String) {
        let bytes = Array(value.utf8)
        let reading = BearerHeader.read(bytes.span)
        if let offset = BearerHeader.usualOffset(bytes.span) {
            demand(reading != .anotherScheme && reading != .noScheme, "the usual spelling is no Bearer")
            if case .token(let start) = reading { demand(start >= offset, "two places of one token") }
        }
        guard case .token(let start) = reading else { return }
        demand(bytes[..<start].allSatisfy { $0 < 0x7F } && start < bytes.count, "an empty token")
        demand(bytes[start...].allSatisfy { (0x21...0x7E).contains($0) }, "a token with other characters")
    }
}

/// A guard, and the one token that it lets in.
private enum GuardedService {
    private static let issuer = "https://auth.example"

    private static let made: (guard: ResourceGuard, token: String) = {
        do {
            let key = try PrivateKey.generate(.eddsa)
            let claims = AccessTokenClaims(
                issuer: issuer, audience: [try ResourceID("RESOURCE_ID_BOOK")],
                clientID: try ClientID("gateway"), issuedAt: 1000, expiresAt: 5000,
                tokenID: try TokenID("AAAAAAAAAAAAAAAAAAAAAA"), scopes: ["read"])
            let token = try AccessTokenEncoder(key: key, keyID: "k").encode(claims)
            let keys = JWKSet([JWK(key: key.publicKey, keyID: "k")]).json().text
            let service = try ResourceGuard(
                issuer: issuer, resource: try ResourceID("RESOURCE_ID_BOOK"), keys: .jwks(keys),
                tokenCheck: nil, configuration: ResourceGuard.Configuration(),
                clock: GuardClock(date: { 2000 }, now: { .now }))
            return (service, token.text)
        } catch { fatalError("no guard: \(error)") }
    }()

    static var token: String { made.token }

    static func outcome(of values: [String]) async -> Result<String, Refusal> {
        do throws(Refusal) {
            return .success(try await made.guard.authorize(values, requiring: ["read"]).clientID.value)
        } catch { return .failure(error) }
    }
}
