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

@Suite("The longest lifetime that a token may have, in a registry that is damaged")
struct DamagedLifetimeTests {
    @Test(
        "counts as the longest that any can be: a revocation is not over while a token lives",
        arguments: [
            ("UPDATE longest_token_lifetime SET seconds = 0", 86_400),
            ("UPDATE longest_token_lifetime SET seconds = -999", 86_400),
            ("UPDATE longest_token_lifetime SET seconds = 9000000000", 86_400),
            ("DELETE FROM longest_token_lifetime", 86_400),
            ("UPDATE longest_token_lifetime SET seconds = 7200", 7200),
        ])
    func revocation(damage: String, seconds: Int64) throws {
        let fixture = try RegistryFixture()
        try fixture.registry.addClient(ClientDraft(id: "gateway"), at: fixture.start)
        try fixture.registry.connection.execute(damage)
        let revocation = try fixture.registry.recordRevocation(of: "gateway", at: fixture.start)
        #expect(revocation.keepUntil == fixture.start + (seconds + 60) * 1000)
        #expect(try fixture.registry.longestTokenLifetime() == seconds)
    }
}

@Suite("A registry from which rows were deleted with foreign keys off")
struct OrphanTests {
    @Test("gives a new client no secret, no grant and no resource of another, whose row's number it gets")
    func client() throws {
        let fixture = try RegistryFixture()
        let (registry, now) = (fixture.registry, fixture.start)
        try fixture.addScenario(client: "old")
        try registry.addSecret(SecretVerifier(GeneratedSecret.make()), to: "old", from: now, at: now)
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "old", at: now)
        try registry.setOwner("old", of: "RESOURCE_ID_BOOK")
        try deleting("clients", from: registry)
        try registry.addClient(ClientDraft(id: "new"), at: now)
        let client = try #require(try fixture.reader().client("new"))
        #expect(client.secrets.isEmpty && client.grants.isEmpty && client.ownedResources.isEmpty)
        #expect(try registry.connection.integer("SELECT count(*) FROM client_secrets") == 0)
    }

    @Test("gives a new resource no scope and no grant of another")
    func resource() throws {
        let fixture = try RegistryFixture()
        let (registry, now) = (fixture.registry, fixture.start)
        try fixture.addScenario(client: "gateway")
        try registry.grant("read write", at: "RESOURCE_ID_REVIEW", to: "gateway", at: now)
        try deleting("resources", from: registry)
        try registry.addResource("OTHER", scopes: "read", at: now)
        try registry.addResource("ANOTHER", scopes: "read", at: now)
        #expect(try fixture.reader().client("gateway")?.grants.isEmpty == true)
        #expect(try registry.listResources().map(\.scopes) == ["read", "read"])
    }

    private func deleting(_ table: String, from registry: Registry) throws {
        try registry.connection.execute(
            "PRAGMA foreign_keys = OFF; DELETE FROM \(table); PRAGMA foreign_keys = ON")
    }
}
