import OAuth
import SQLite

@testable import AuthStore

/// Changes of a registry, by its own calls and by statements that know nothing of what they must keep right; the same
/// for the same seed.
struct RandomChanges {
    static let clients: [ClientID] = ["gateway", "app", "book", "r\u{E9}sum\u{E9} +"]
    private static let resources: [ResourceID] = [
        "RESOURCE_ID_BOOK", "RESOURCE_ID_REVIEW", "https://api.example/a",
    ]
    private static let scopes: [Scopes] = ["read", "write", "read write", "admin"]

    private var generator: Numbers
    private let registry: Registry
    private let connection: Connection
    private var moment: Milliseconds = 1_767_225_600_000

    init(seed: UInt64, registry: Registry, connection: Connection) {
        generator = Numbers(state: seed)
        self.registry = registry
        self.connection = connection
    }

    /// Makes a change, or tries to: one that the registry refuses changes nothing.
    /// - Returns: what it was.
    mutating func next() throws -> String {
        moment += 1000
        let number = Int.random(in: 0..<24, using: &generator)
        do {
            try number < 15 ? byRegistry(number) : byHand(number - 15)
            return "change \(number)"
        } catch is StoreError { return "refused change \(number)" } catch let error as SQLiteError
            where error.kind == .constraint
        { return "impossible change \(number)" }
    }

    private mutating func byRegistry(_ number: Int) throws {
        let (client, resource, scopes) = (pick(Self.clients), pick(Self.resources), pick(Self.scopes))
        switch number {
        case 0, 1: try registry.addClient(ClientDraft(id: client), at: moment)
        case 2:
            try registry.setTokenLifetime(Int64.random(in: 1...9, using: &generator), of: client, at: moment)
        case 3: try registry.setDisabled(Bool.random(using: &generator), client: client, at: moment)
        case 4: try registry.setAuthenticationMethod(pick([nil, .clientSecretBasic]), of: client, at: moment)
        case 5: try registry.removeClient(client, at: moment)
        case 6: try registry.addResource(resource, scopes: scopes, owner: client, at: moment)
        case 7: try registry.setOwner(pick([client, nil]), of: resource)
        case 8: try registry.removeScopes(scopes, from: resource, withGrants: true)
        case 9: try registry.removeResource(resource, withGrants: true)
        case 10: try registry.revokeGrant(at: resource, from: client, at: moment)
        case 11: try registry.rotateSecret(of: client, to: .decoy(.sha256), overlap: 2, at: moment)
        case 12:
            try registry.addSecret(
                .decoy(.scrypt), to: client, from: moment + 1, until: moment + 9, at: moment)
        default: try registry.grant(scopes, at: resource, to: client, at: moment)
        }
    }

    private mutating func byHand(_ number: Int) throws {
        let (client, other) = (pick(Self.clients).value, pick(Self.clients).value)
        let row = "(SELECT id FROM clients WHERE client_id = ?1)"
        switch number {
        case 0:
            try connection.run(
                "UPDATE clients SET client_id = ?2 WHERE client_id = ?1", [.text(client), .text(other)])
        case 1: try connection.run("DELETE FROM clients WHERE client_id = ?1", [.text(client)])
        case 2:
            try connection.run("UPDATE client_secrets SET client = \(row) WHERE id % 2 = 0", [.text(client)])
        case 3:
            try connection.run(
                "UPDATE OR IGNORE grants SET client = \(row) WHERE scope = 'read'", [.text(client)])
        case 4: try connection.run("DELETE FROM client_secrets WHERE id % 3 = 0")
        case 5: try connection.run("DELETE FROM grants WHERE scope = 'write'")
        case 6: try connection.run("UPDATE resources SET resource_id = resource_id || 'X' WHERE id = 1")
        case 7:
            try connection.run(
                "INSERT OR IGNORE INTO grants SELECT \(row), resource, scope FROM resource_scopes",
                [.text(client)])
        default:
            try connection.run(
                "UPDATE clients SET id = id + 50, token_lifetime = 77 WHERE client_id = ?1", [.text(client)])
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }
}

/// SplitMix64.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
