// Without `import OAuth`: a program of a user has this one import.
import AuthStore
import TestSupport
import Testing

@Suite struct RegistryGuideTests {
    @Test("The program of docs/registry.md makes a resource and a client with a good secret, once")
    func guide() throws {
        let directory = try TemporaryDirectory()
        let now = WallClock.now()
        let registry = try Registry(path: directory.file("authserver.db"), mode: .create)
        try registry.migrate(at: now)

        #expect(Self.register(in: registry, at: now) == nil)
        #expect(Self.register(in: registry, at: now) == .alreadyExists)

        let client = try #require(try registry.listClients().first)
        #expect(client.id == "gateway" && client.grants == ["RESOURCE_ID_BOOK": ["read"]])
        #expect(client.secrets.count == 1 && client.secrets.first?.isValid(at: now) == true)
    }

    @Test("What docs/registry.md names for signing keys and for a client's tokens is there")
    func keysAndTokens() throws {
        let directory = try TemporaryDirectory()
        let now = WallClock.now()
        let registry = try Registry(path: directory.file("authserver.db"), mode: .create)
        try registry.migrate(at: now)

        let first = try registry.rotateSigningKey(publishedFor: 300, at: now)
        let second = try registry.rotateSigningKey(
            publishedFor: try registry.server()?.secondsKept(at: now) ?? 300, at: now)
        #expect(second.activatesAt == now + 300_000)
        try registry.retireSigningKey(second.keyID, at: now)
        #expect(try registry.keySchedule().published(at: now).map(\.keyID) == [first.keyID])

        try registry.addClient(ClientDraft(id: "gateway"), at: now)
        try registry.recordRevocation(of: "gateway", at: now)
        #expect(try registry.revocations(at: now).map(\.client) == ["gateway"])
    }

    @Test("What docs/registry.md says of the record of changes is so")
    func changes() throws {
        let directory = try TemporaryDirectory()
        let now = WallClock.now()
        let path = directory.file("authserver.db")
        try Registry(path: path, mode: .create).migrate(at: now)
        let registry = try Registry(path: path, mode: .readWrite, by: "billing pipeline")
        try registry.addClient(ClientDraft(id: "gateway"), at: now)
        let change = try #require(try registry.changes(about: "gateway", since: now, limit: 1).first)
        #expect(change.who == "billing pipeline" && change.what == "client.add" && change.moment == now)
    }

    /// - Returns: why nothing was changed.
    private static func register(in registry: Registry, at now: Int64) -> StoreError.Code? {
        let (book, gateway): (ResourceID, ClientID) = ("RESOURCE_ID_BOOK", "gateway")
        let secret = GeneratedSecret.make()
        do throws(StoreError) {
            try registry.transaction { () throws(StoreError) in
                try registry.addResource(book, scopes: ["read", "write"], at: now)
                try registry.addClient(ClientDraft(id: gateway), at: now)
                try registry.grant(["read"], at: book, to: gateway, at: now)
                try registry.addSecret(SecretVerifier(secret), to: gateway, from: now, at: now)
            }
            return nil
        } catch {
            return error.code
        }
    }
}
