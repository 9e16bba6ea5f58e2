import OAuth
import SQLite
import Testing

@testable import AuthStore

@Suite struct RegistryGrantTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    private func error(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }

    @Test("Grants add up, and can be given twice")
    func grant() throws {
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: start + 1)
        #expect(try registry.client("gateway").grants == ["RESOURCE_ID_BOOK": "read write"])
        #expect(try registry.client("gateway").updatedAt == start + 1)
        #expect(try registry.resource("RESOURCE_ID_BOOK").grants == ["gateway": "read write"])
    }

    @Test("A grant of an unknown resource names the command that adds it")
    func unknownResource() {
        let error = error { try registry.grant("read", at: "RESOURCE_ID_BOK", to: "gateway", at: start) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("`authserver resource add` adds one") == true)
    }

    @Test("A grant of an unknown scope names the scopes that there are, and grants nothing")
    func unknownScope() throws {
        let error = error {
            try registry.grant("read wrte", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("has no scope wrte; it has read write") == true)
        #expect(try registry.client("gateway").grants.isEmpty)
    }

    @Test("The database itself refuses a grant without its scope")
    func foreignKey() {
        #expect(throws: SQLiteError.self) {
            try registry.connection.run("INSERT INTO grants SELECT id, 1, 'delete' FROM clients")
        }
    }

    @Test("A grant of no scope is refused")
    func empty() {
        #expect(
            error { try registry.grant("", at: "RESOURCE_ID_BOOK", to: "gateway", at: start) }?.code
                == .invalid)
        #expect(error { try registry.addResource("R", scopes: "", at: start) }?.code == .invalid)
    }

    @Test(
        "Grants are taken back in part or altogether",
        arguments: [("read", ["RESOURCE_ID_BOOK": "write"]), ("read write", [:]), (nil, [:])]
            as [(Scopes?, [ResourceID: Scopes])])
    func revoke(scopes: Scopes?, left: [ResourceID: Scopes]) throws {
        try registry.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.revokeGrant(scopes, at: "RESOURCE_ID_BOOK", from: "gateway", at: start)
        #expect(try registry.client("gateway").grants == left)
    }

    @Test("A grant that is not held cannot be taken back, nor can a part of what was named")
    func revokeUnheld() throws {
        #expect(
            error { try registry.revokeGrant(at: "RESOURCE_ID_BOOK", from: "gateway", at: start) }?.code
                == .notFound)
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        let error = error {
            try registry.revokeGrant("read write", at: "RESOURCE_ID_BOOK", from: "gateway", at: start)
        }
        #expect(error?.message.contains("holds only read") == true)
        #expect(try registry.client("gateway").grants == ["RESOURCE_ID_BOOK": "read"])
    }

    @Test("A resource that is granted is not removed by mistake")
    func removeResource() throws {
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        let error = error { try registry.removeResource("RESOURCE_ID_BOOK") }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("granted to gateway") == true)
        try registry.removeResource("RESOURCE_ID_BOOK", withGrants: true)
        #expect(try registry.client("gateway").grants.isEmpty)
        #expect(try registry.listResources().map(\.id) == ["RESOURCE_ID_REVIEW"])
    }

    @Test("A scope that is granted is not removed by mistake, and a resource keeps one")
    func removeScopes() throws {
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        try registry.addScopes("admin", to: "RESOURCE_ID_BOOK")
        let granted = error { try registry.removeScopes("admin read", from: "RESOURCE_ID_BOOK") }
        #expect(granted?.code == .invalid && granted?.message.contains("granted to gateway") == true)
        #expect(error { try registry.removeScopes("delete", from: "RESOURCE_ID_BOOK") }?.code == .notFound)
        let last = error {
            try registry.removeScopes("admin read write", from: "RESOURCE_ID_BOOK", withGrants: true)
        }
        #expect(last?.code == .invalid)
        #expect(try registry.resource("RESOURCE_ID_BOOK").scopes == "admin read write")
        try registry.removeScopes("admin", from: "RESOURCE_ID_BOOK")
        #expect(try registry.client("gateway").grants == ["RESOURCE_ID_BOOK": "read"])
        try registry.removeScopes("read", from: "RESOURCE_ID_BOOK", withGrants: true)
        #expect(try registry.client("gateway").grants.isEmpty)
        #expect(try registry.resource("RESOURCE_ID_BOOK").scopes == "write")
        #expect(try registry.resource("RESOURCE_ID_REVIEW").scopes == "read write")
    }

    @Test("A resource gets scopes and an owner later")
    func changeResource() throws {
        try registry.addScopes("read delete", to: "RESOURCE_ID_BOOK")
        try registry.setOwner("gateway", of: "RESOURCE_ID_BOOK")
        let resource = try registry.resource("RESOURCE_ID_BOOK")
        #expect(resource.scopes == "delete read write")
        #expect(resource.owner == "gateway")
        #expect(try registry.client("gateway").ownedResources == ["RESOURCE_ID_BOOK"])
        try registry.setOwner(nil, of: "RESOURCE_ID_BOOK")
        #expect(try registry.resource("RESOURCE_ID_BOOK").owner == nil)
        #expect(
            error { try registry.addResource("RESOURCE_ID_BOOK", scopes: "read", at: start) }?.code
                == .alreadyExists)
    }
}
