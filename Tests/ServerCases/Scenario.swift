package import AuthStore
internal import OAuth
internal import TestSupport

/// A registry with the clients and resources that the cases speak of, in a directory of its own.
///
/// `gateway`, `book`, `review` and `app` are those of the documentation's example; the others have something odd
/// about them, which their names say.
package struct Scenario: Sendable {
    /// A client with a secret that an administrator chose.
    private struct Brought {
        let id: String
        let secret: String
    }

    /// The registry's file.
    package let database: String
    private let directory: TemporaryDirectory
    private let secrets: [String: String]

    /// A token's life, in seconds, unless the client is `brief`, whose tokens live one second.
    package static let lifetime = 3600

    /// Makes a registry.
    /// - Parameter withBroughtSecrets: whether there are also clients whose secrets were chosen by a person; then
    ///   each failed authentication costs a derivation by scrypt.
    package init(withBroughtSecrets: Bool = true) throws {
        directory = try TemporaryDirectory()
        database = directory.file("registry.db")
        let now = WallClock.now()
        let registry = try Registry(path: database, mode: .create)
        try registry.migrate(at: now)
        try registry.ensureSigningKey(at: now)
        var secrets: [String: String] = [:]
        try registry.transaction { () throws(StoreError) in
            try Self.addServices(to: registry, secrets: &secrets, at: now)
            try Self.addOddClients(to: registry, secrets: &secrets, at: now)
            guard withBroughtSecrets else { return }
            try Self.addBroughtSecrets(to: registry, secrets: &secrets, at: now)
        }
        self.secrets = secrets
    }

    /// The secret of a client.
    package func secret(of client: String) -> String {
        guard let secret = secrets[client] else { preconditionFailure("no case has a client \(client)") }
        return secret
    }

    /// Every secret that was made, to look for them where none may be.
    package var allSecrets: [String] { Array(secrets.values) }

    /// The registry, as an administrator opens it.
    package func registry() throws -> Registry { try Registry(path: database, mode: .readWrite) }

    /// The path of another file in the same directory.
    package func file(_ name: String) -> String { directory.file(name) }

    // MARK: What is in it

    private static let services: [(client: String, grants: [String: String])] = [
        ("gateway", ["RESOURCE_ID_BOOK": "read", "RESOURCE_ID_REVIEW": "read write"]),
        ("book", ["RESOURCE_ID_REVIEW": "read"]),
        ("review", ["RESOURCE_ID_BOOK": "read"]),
        ("app", ["RESOURCE_ID_GATEWAY": "read"]),
    ]

    private static let brought = [
        Brought(id: "1PpG/Q 1", secret: "z/tZ9V+u:X2/8=%&£€"),
        Brought(id: "a b:c%/é+", secret: "p+%:&= ü"),
        Brought(id: "colons", secret: "a:b:c"),
        Brought(id: "plus", secret: "a+b"),
        Brought(id: "no-escape", secret: "5^%zz"),
        Brought(id: "percent", secret: "%"),
        Brought(id: "escape", secret: "100%41"),
        Brought(id: "umlaut", secret: "§ü"),
        Brought(id: "long", secret: String(repeating: "0123456789", count: 10)),
    ]

    private static func addServices(
        to registry: Registry, secrets: inout [String: String], at now: Milliseconds
    ) throws(StoreError) {
        for name in ["GATEWAY", "BOOK", "REVIEW"] {
            try registry.addResource(
                try resourceID("RESOURCE_ID_\(name)"), scopes: try scopeSet("read write"), at: now)
        }
        for service in services {
            try add(service.client, grants: service.grants, to: registry, secrets: &secrets, at: now)
        }
        for owner in ["gateway", "book", "review"] {
            try registry.setOwner(
                try clientID(owner), of: try resourceID("RESOURCE_ID_\(owner.uppercased())"))
        }
    }

    private static func addOddClients(
        to registry: Registry, secrets: inout [String: String], at now: Milliseconds
    ) throws(StoreError) {
        let read = ["RESOURCE_ID_BOOK": "read"]
        try add("no-grant", grants: [:], to: registry, secrets: &secrets, at: now)
        try add(
            "apart", grants: ["RESOURCE_ID_BOOK": "read", "RESOURCE_ID_REVIEW": "write"], to: registry,
            secrets: &secrets, at: now)
        try add("disabled", grants: read, to: registry, secrets: &secrets, at: now)
        try registry.setDisabled(true, client: try clientID("disabled"), at: now)
        try add("basic-only", grants: read, by: .clientSecretBasic, to: registry, secrets: &secrets, at: now)
        try add("post-only", grants: read, by: .clientSecretPost, to: registry, secrets: &secrets, at: now)
        try add("brief", grants: read, lifetime: 1, to: registry, secrets: &secrets, at: now)
    }

    private static func addBroughtSecrets(
        to registry: Registry, secrets: inout [String: String], at now: Milliseconds
    ) throws(StoreError) {
        for brought in brought {
            let id = try clientID(brought.id)
            try registry.addClient(ClientDraft(id: id), at: now)
            try registry.grant(try scopeSet("read"), at: try resourceID("RESOURCE_ID_BOOK"), to: id, at: now)
            let secret = try BroughtSecret(Array(brought.secret.utf8).span, allowingShort: true)
            try registry.addSecret(try SecretVerifier(secret), to: id, from: now, at: now)
            secrets[brought.id] = brought.secret
        }
    }

    private static func add(
        _ name: String, grants: [String: String], by method: ClientAuthenticationMethod? = nil,
        lifetime: Int64 = Int64(Scenario.lifetime), to registry: Registry, secrets: inout [String: String],
        at now: Milliseconds
    ) throws(StoreError) {
        let id = try clientID(name)
        try registry.addClient(
            ClientDraft(id: id, tokenLifetime: lifetime, authenticationMethod: method), at: now)
        for (resource, scopes) in grants {
            try registry.grant(try scopeSet(scopes), at: try resourceID(resource), to: id, at: now)
        }
        let secret = GeneratedSecret.make()
        try registry.addSecret(SecretVerifier(secret), to: id, from: now, at: now)
        secrets[name] = secret.reveal()
    }
}

// The vocabulary's words, whose form is a matter of this file.

private func clientID(_ text: String) throws(StoreError) -> ClientID {
    do { return try ClientID(text) } catch { throw StoreError(.invalid, "\(text): \(error)") }
}

private func resourceID(_ text: String) throws(StoreError) -> ResourceID {
    do { return try ResourceID(text) } catch { throw StoreError(.invalid, "\(text): \(error)") }
}

private func scopeSet(_ text: String) throws(StoreError) -> Scopes {
    do { return try Scopes(parsing: text) } catch { throw StoreError(.invalid, "\(text): \(error)") }
}
