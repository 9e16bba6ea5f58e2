import OAuth
import SQLite
import Testing

@testable import AuthStore

@Suite("Times that no clock shows, in a registry that is damaged")
struct DamagedTimesTests {
    static let columns = [
        "longest_token_lifetime SET seconds", "server SET jwks_max_age", "server SET kept_until",
        "signing_keys SET created_at", "signing_keys SET activates_at", "clients SET created_at",
        "clients SET updated_at", "clients SET disabled_at", "client_secrets SET created_at",
        "client_secrets SET not_before", "client_secrets SET expires_at", "client_revocations SET revoked_at",
        "client_revocations SET keep_until", "resources SET created_at",
    ]
    static let times: [Int64] = [
        .min, .min + 1, -1, 0, 9_223_372_036_854_775, 253_402_300_800_000, .max / 1000 + 1, .max - 1, .max,
    ]

    @Test(
        "end no program, and keep no administrator from disabling a client and rotating keys",
        arguments: columns)
    func reckoned(column: String) throws {
        for time in Self.times {
            let fixture = try RegistryFixture()
            let (registry, now) = (fixture.registry, fixture.start)
            let client: ClientID = "gateway"
            try registry.addClient(ClientDraft(id: client), at: now)
            try registry.addSecret(SecretVerifier(GeneratedSecret.make()), to: client, from: now, at: now)
            try registry.addResource("BOOK", scopes: "read", at: now)
            try registry.ensureSigningKey(at: now)
            try registry.rotateSigningKey(publishedFor: 60, at: now)
            try registry.recordRevocation(of: client, at: now)
            try registry.recordServer(issuer: "https://a.example", jwksMaxAge: 60, at: now)
            try registry.connection.execute("PRAGMA ignore_check_constraints = ON")
            try registry.connection.change("UPDATE \(column) = ?", [.integer(time)])

            let reader = try RegistryReader(path: fixture.path) { _ in }
            _ = try reader.client(client)
            _ = reader.keyRing().published(at: now)
            _ = reader.revocations()
            let maxAge = try registry.server()?.secondsKept(at: now) ?? 0
            let schedule = try registry.keySchedule()
            for key in schedule.keys { _ = schedule.status(of: key, at: now) }
            try registry.rotateSigningKey(publishedFor: maxAge, at: now)
            try registry.recordServer(issuer: "https://b.example", jwksMaxAge: 30, at: now)
            _ = try registry.listClients()
            _ = try registry.listResources()
            try registry.setDisabled(true, client: client, at: now)
            #expect(try registry.client(client).disabledAt != nil, "\(column) = \(time)")
            try registry.removeClient(client, at: now)
        }
    }
}
