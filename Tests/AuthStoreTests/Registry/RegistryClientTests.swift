import OAuth
import Testing

@testable import AuthStore

@Suite struct RegistryClientTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? StoreError)?.code }
    }

    @Test("A client has the defaults unless told otherwise")
    func defaults() throws {
        let client = try registry.client("gateway")
        #expect(client.name == "gateway")
        #expect(client.tokenLifetime == 3600)
        #expect(client.authenticationMethod == nil)
        #expect(client.createdAt == start && client.updatedAt == start)
        #expect(client.disabledAt == nil && client.tokensRevokedAt == nil)
        #expect(client.grants.isEmpty && client.secrets.isEmpty && client.ownedResources.isEmpty)
    }

    @Test("What a draft says is kept")
    func draft() throws {
        try registry.addClient(
            ClientDraft(
                id: "a b:c%/é+", name: "All of it", tokenLifetime: 86_400,
                authenticationMethod: .clientSecretPost),
            at: start)
        let client = try registry.client("a b:c%/é+")
        #expect(client.name == "All of it")
        #expect(client.tokenLifetime == 86_400)
        #expect(client.authenticationMethod == .clientSecretPost)
    }

    @Test("A client id is registered once")
    func duplicate() {
        #expect(code { try registry.addClient(ClientDraft(id: "gateway"), at: start) } == .alreadyExists)
    }

    @Test("A lifetime is 1 to 86,400 seconds", arguments: [-1, 0, 86_401, Int64.max])
    func lifetime(seconds: Int64) {
        #expect(
            code { try registry.addClient(ClientDraft(id: "x", tokenLifetime: seconds), at: start) }
                == .invalid)
        #expect(code { try registry.setTokenLifetime(seconds, of: "gateway", at: start) } == .invalid)
    }

    @Test(
        "A name holds no control characters",
        arguments: ["", "a\nb", "a\u{1B}[31mb", String(repeating: "n", count: 256)])
    func name(name: String) {
        #expect(code { try registry.addClient(ClientDraft(id: "x", name: name), at: start) } == .invalid)
    }

    @Test("An unknown client is an error that names the command, in every call")
    func unknown() {
        let calls: [() throws -> Void] = [
            { _ = try registry.client("nobody") },
            { try registry.setTokenLifetime(60, of: "nobody", at: start) },
            { try registry.setDisabled(true, client: "nobody", at: start) },
            { try registry.removeClient("nobody", at: start) },
            { try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "nobody", at: start) },
            { try registry.revokeGrant(at: "RESOURCE_ID_BOOK", from: "nobody", at: start) },
            { try registry.addSecret(.decoy(.sha256), to: "nobody", from: start, at: start) },
            { try registry.rotateSecret(of: "nobody", to: .decoy(.sha256), overlap: 0, at: start) },
            { try registry.removeSecret("00", of: "nobody", at: start) },
            { try registry.recordRevocation(of: "nobody", at: start) },
            { try registry.addResource("RESOURCE_ID_NEW", scopes: "read", owner: "nobody", at: start) },
            { try registry.setOwner("nobody", of: "RESOURCE_ID_BOOK") },
        ]
        for call in calls { #expect(code(call) == .notFound) }
    }

    @Test(
        "Disabling a client ends its tokens at that moment, and enabling it does not bring them back (T23, B14)"
    )
    func disable() throws {
        #expect(try registry.setDisabled(true, client: "gateway", at: start + 5000))
        #expect(try registry.client("gateway").disabledAt == start + 5000)
        #expect(try registry.client("gateway").tokensRevokedAt == start + 5000)
        #expect(try !registry.setDisabled(true, client: "gateway", at: start + 6000))
        #expect(try registry.client("gateway").disabledAt == start + 5000)
        #expect(try registry.setDisabled(false, client: "gateway", at: start + 7000))
        #expect(try registry.client("gateway").disabledAt == nil)
        #expect(try registry.client("gateway").tokensRevokedAt == start + 5000)
    }

    @Test("A removed client takes its secrets and grants along, and its revocation outlives it")
    func remove() throws {
        try registry.addSecret(.decoy(.sha256), to: "gateway", from: start, at: start)
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.setOwner("gateway", of: "RESOURCE_ID_REVIEW")
        #expect(try registry.removeClient("gateway", at: start + 1000) == ["RESOURCE_ID_REVIEW"])
        #expect(code { _ = try registry.client("gateway") } == .notFound)
        #expect(try registry.resource("RESOURCE_ID_REVIEW").owner == nil)
        #expect(try registry.resource("RESOURCE_ID_BOOK").grants.isEmpty)
        let revocation = try #require(try registry.revocations(at: start + 1000).first)
        #expect(revocation.client == "gateway" && revocation.revokedAt == start + 1000)

        try registry.addClient(ClientDraft(id: "gateway"), at: start + 2000)
        #expect(try registry.client("gateway").tokensRevokedAt == start + 1000)
        #expect(try registry.client("gateway").secrets.isEmpty)
    }

    @Test("A transaction that throws leaves nothing: a typo in the second grant makes no client")
    func atomic() throws {
        #expect(throws: StoreError.self) {
            try registry.transaction { () throws(StoreError) in
                try registry.addClient(ClientDraft(id: "app"), at: start)
                try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "app", at: start)
                try registry.grant("read", at: "RESOURCE_ID_BOK", to: "app", at: start)
            }
        }
        #expect(try registry.listClients().map(\.id) == ["gateway"])
    }

    @Test("A list tells each client's own secrets and grants")
    func list() throws {
        try registry.addClient(ClientDraft(id: "app"), at: start)
        try registry.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.grant("read", at: "RESOURCE_ID_REVIEW", to: "app", at: start)
        let secret = try registry.addSecret(.decoy(.scrypt), to: "app", from: start, at: start)
        let clients = try registry.listClients()
        #expect(clients.map(\.id) == ["app", "gateway"])
        #expect(clients[0].grants == ["RESOURCE_ID_REVIEW": "read"])
        #expect(clients[0].secrets.map(\.id) == [secret])
        #expect(clients[0].secrets.map(\.kind) == [.scrypt])
        #expect(clients[1].grants == ["RESOURCE_ID_BOOK": "read write"])
        #expect(clients[1].secrets.isEmpty)
    }
}
