import OAuth
import SQLite
import Testing

@testable import AuthStore

/// A call that finds all as it should be.
@Suite("What changes nothing") struct UnchangedTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var later: Milliseconds { fixture.start + 60_000 }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
        let (registry, start) = (fixture.registry, fixture.start)
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.setOwner("gateway", of: "RESOURCE_ID_BOOK", at: start)
        try registry.ensureSigningKey(at: start)
        try registry.rotateSigningKey(publishedFor: 60, at: start)
        try registry.rotateSigningKey(publishedFor: 0, immediately: true, at: start)
        try registry.recordServer(issuer: "https://a.example", jwksMaxAge: 60, at: start)
        try registry.recordTokenStore("sqlite", at: start)
        try registry.recordRevocation(of: "gateway", at: start)
    }

    private static let calls: [(String, @Sendable (Registry, Milliseconds) throws -> Void)] = [
        ("grant", { try $0.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1) }),
        ("revokeGrant", { try $0.revokeGrant("", at: "RESOURCE_ID_BOOK", from: "gateway", at: $1) }),
        ("setTokenLifetime", { try $0.setTokenLifetime(3600, of: "gateway", at: $1) }),
        ("setName", { try $0.setName("gateway", of: "gateway", at: $1) }),
        ("setAuthenticationMethod", { try $0.setAuthenticationMethod(nil, of: "gateway", at: $1) }),
        ("setDisabled", { try $0.setDisabled(false, client: "gateway", at: $1) }),
        ("addScopes", { try $0.addScopes("read write", to: "RESOURCE_ID_BOOK", at: $1) }),
        ("removeScopes", { try $0.removeScopes("", from: "RESOURCE_ID_BOOK", at: $1) }),
        ("setOwner", { try $0.setOwner("gateway", of: "RESOURCE_ID_BOOK", at: $1) }),
        ("setOwner of none", { try $0.setOwner(nil, of: "RESOURCE_ID_REVIEW", at: $1) }),
        ("ensureSigningKey", { try $0.ensureSigningKey(at: $1) }),
        ("retireSigningKey", { try retireRetired(in: $0, at: $1) }),
        ("recordServer", { try $0.recordServer(issuer: "https://a.example", jwksMaxAge: 60, at: $1) }),
        ("recordTokenStore", { try $0.recordTokenStore("sqlite", at: $1) }),
        ("recordRevocation", { try $0.recordRevocation(of: "gateway", at: $1 - 120_000) }),
        ("migrate", { try $0.migrate(at: $1) }),
    ]

    private static func retireRetired(in registry: Registry, at now: Milliseconds) throws {
        let retired = try registry.keySchedule().keys.filter { $0.retiredAt != nil }
        try registry.retireSigningKey(try #require(retired.first).keyID, at: now)
    }

    @Test(
        "leaves the moment of a client's last change as it was, and is not recorded",
        arguments: calls.map(\.0))
    func moment(name: String) throws {
        let call = try #require(Self.calls.first { $0.0 == name }?.1)
        let before = try registry.changes()
        try call(registry, later)
        #expect(try registry.client("gateway").updatedAt == fixture.start)
        #expect(try registry.changes() == before)
    }

    @Test("A lifetime out of range that damage left is set right, though it is read as the longest")
    func damaged() throws {
        try registry.connection.execute(
            "PRAGMA ignore_check_constraints = ON; UPDATE clients SET token_lifetime = 900000")
        try registry.setTokenLifetime(86_400, of: "gateway", at: later)
        #expect(try registry.client("gateway").updatedAt == later)
        #expect(try registry.connection.integer("SELECT token_lifetime FROM clients") == 86_400)
    }
}
