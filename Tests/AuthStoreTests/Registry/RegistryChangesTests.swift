import OAuth
import OpenSSLCrypto
import SQLite
import TestSupport
import Testing

@testable import AuthStore

/// The latest records as a person would note them, the earliest first, without the ids that chance chose.
extension Registry {
    fileprivate func latest(_ count: Int) throws -> [String] {
        try changes(limit: count).reversed().map { change in
            [change.what, change.client, change.resource, change.detail].compactMap(\.self).joined(
                separator: " ")
        }
    }
}

@Suite("The record of changes") struct RegistryChangesTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }
    private var later: Milliseconds { fixture.start + 60_000 }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
    }

    private struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (Registry, Milliseconds) throws -> Void
        let records: [String]

        init(
            _ name: String, _ records: String...,
            body: @escaping @Sendable (Registry, Milliseconds) throws -> Void
        ) {
            testDescription = name
            self.records = records
            self.body = body
        }
    }

    private static let clientCalls: [Call] = [
        Call("addClient", "client.add app") { try $0.addClient(ClientDraft(id: "app"), at: $1) },
        Call(
            "addClient with all that can be set",
            #"client.add app {"name":"An \"app\"","token_lifetime":60,"auth_method":"client_secret_post"}"#
        ) {
            try $0.addClient(
                ClientDraft(
                    id: "app", name: "An \"app\"", tokenLifetime: 60, authenticationMethod: .clientSecretPost),
                at: $1)
        },
        Call("setTokenLifetime", #"client.set gateway {"token_lifetime":{"from":3600,"to":900}}"#) {
            try $0.setTokenLifetime(900, of: "gateway", at: $1)
        },
        Call("setName", #"client.set gateway {"name":{"from":"gateway","to":"The gateway"}}"#) {
            try $0.setName("The gateway", of: "gateway", at: $1)
        },
        Call(
            "setAuthenticationMethod",
            #"client.set gateway {"auth_method":{"from":null,"to":"client_secret_basic"}}"#
        ) { try $0.setAuthenticationMethod(.clientSecretBasic, of: "gateway", at: $1) },
        Call("setDisabled", "client.disable gateway", "client.enable gateway") {
            try $0.setDisabled(true, client: "gateway", at: $1)
            try $0.setDisabled(false, client: "gateway", at: $1)
        },
        Call("recordRevocation", "token.revoke-all gateway") {
            try $0.recordRevocation(of: "gateway", at: $1)
            try $0.completeRevocation(of: "gateway", at: $1 + 1)
        },
        Call(
            "removeClient", #"grant.remove gateway RESOURCE_ID_BOOK {"scopes":["read","write"]}"#,
            "owner.remove gateway RESOURCE_ID_REVIEW", "client.remove gateway"
        ) {
            try $0.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
            try $0.setOwner("gateway", of: "RESOURCE_ID_REVIEW", at: $1)
            try $0.removeClient("gateway", at: $1)
        },
        Call(
            "grant", #"grant.add gateway RESOURCE_ID_BOOK {"scopes":["read"]}"#,
            #"grant.add gateway RESOURCE_ID_BOOK {"scopes":["write"]}"#
        ) {
            try $0.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
            try $0.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
        },
        Call("revokeGrant", #"grant.remove gateway RESOURCE_ID_BOOK {"scopes":["write"]}"#) {
            try $0.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
            try $0.revokeGrant("write", at: "RESOURCE_ID_BOOK", from: "gateway", at: $1)
        },
        Call("addSecret", "secret.add gateway") {
            try $0.addSecret(.decoy(.sha256), to: "gateway", from: $1, at: $1)
        },
        Call(
            "addSecret that begins later and ends",
            #"secret.add gateway {"kind":"scrypt","not_before":1767225720,"expires_at":1767225780}"#
        ) {
            try $0.addSecret(.decoy(.scrypt), to: "gateway", from: $1 + 60_000, until: $1 + 120_000, at: $1)
        },
        Call(
            "rotateSecret and removeSecret", #"secret.rotate gateway {"older_expire_at":1767225670}"#,
            "secret.remove gateway"
        ) {
            let id = try $0.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 10, at: $1)
            try $0.removeSecret(id, of: "gateway", at: $1)
        },
    ]

    private static let resourceCalls: [Call] = [
        Call(
            "addResource", #"resource.add BOOK {"scopes":["read","write"]}"#, "owner.add gateway BOOK"
        ) { try $0.addResource("BOOK", scopes: "write read", owner: "gateway", at: $1) },
        Call("addScopes", #"scope.add RESOURCE_ID_BOOK {"scopes":["admin"]}"#) {
            try $0.addScopes("admin read", to: "RESOURCE_ID_BOOK", at: $1)
        },
        Call(
            "removeScopes with grants", #"grant.remove gateway RESOURCE_ID_BOOK {"scopes":["read"]}"#,
            #"scope.remove RESOURCE_ID_BOOK {"scopes":["read"]}"#
        ) {
            try $0.grant("read write", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
            try $0.removeScopes("read", from: "RESOURCE_ID_BOOK", withGrants: true, at: $1)
        },
        Call(
            "setOwner", "owner.add gateway RESOURCE_ID_BOOK", "owner.remove gateway RESOURCE_ID_BOOK",
            "owner.add app RESOURCE_ID_BOOK", "owner.remove app RESOURCE_ID_BOOK"
        ) {
            try $0.addClient(ClientDraft(id: "app"), at: $1)
            for owner: ClientID? in ["gateway", "app", nil] {
                try $0.setOwner(owner, of: "RESOURCE_ID_BOOK", at: $1)
            }
        },
        Call(
            "removeResource with grants", #"grant.remove gateway RESOURCE_ID_BOOK {"scopes":["read"]}"#,
            #"grant.remove app RESOURCE_ID_BOOK {"scopes":["write"]}"#,
            "owner.remove gateway RESOURCE_ID_BOOK", "resource.remove RESOURCE_ID_BOOK"
        ) {
            try $0.addClient(ClientDraft(id: "app"), at: $1)
            try $0.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: $1)
            try $0.grant("write", at: "RESOURCE_ID_BOOK", to: "app", at: $1)
            try $0.setOwner("gateway", of: "RESOURCE_ID_BOOK", at: $1)
            try $0.removeResource("RESOURCE_ID_BOOK", withGrants: true, at: $1)
        },
        Call("ensureSigningKey", #"key.add {"alg":"ES256"}"#) { try $0.ensureSigningKey(at: $1) },
        Call(
            "rotateSigningKey and retireSigningKey", #"key.rotate {"alg":"EdDSA"}"#,
            #"key.rotate {"alg":"ES256","activates_at":1767225720}"#, "key.retire",
            #"key.rotate {"alg":"EdDSA"}"#, "key.retire"
        ) {
            let first = try $0.rotateSigningKey(to: .eddsa, publishedFor: 60, at: $1)
            try $0.rotateSigningKey(to: .es256, publishedFor: 60, at: $1)
            try $0.rotateSigningKey(publishedFor: 60, immediately: true, at: $1)
            try $0.retireSigningKey(first.keyID, at: $1)
        },
        Call(
            "recordServer", #"server.set {"issuer":{"from":null,"to":"https://a.example"}}"#,
            #"server.set {"jwks_max_age":{"from":null,"to":60}}"#,
            #"server.set {"jwks_max_age":{"from":60,"to":30}}"#,
            #"server.set {"token_store":{"from":null,"to":"sqlite"}}"#
        ) {
            try $0.recordServer(issuer: "https://a.example", jwksMaxAge: 60, at: $1)
            try $0.recordServer(issuer: "https://a.example", jwksMaxAge: 30, at: $1)
            try $0.recordTokenStore("sqlite", at: $1)
        },
    ]

    @Test("tells of each call that changes something", arguments: clientCalls + resourceCalls)
    private func each(call: Call) throws {
        try call.body(registry, later)
        #expect(try registry.latest(call.records.count) == call.records)
        let changes = try registry.changes(limit: call.records.count)
        #expect(changes.allSatisfy { $0.moment == later && !$0.who.isEmpty })
        #expect(Set(RegistryChange.Kind.allCases.map(\.rawValue)).isSuperset(of: changes.map(\.what)))
    }

    @Test("begins with the making of the database, and counts on from there")
    func first() throws {
        let changes = try registry.changes().reversed()
        #expect(changes.map(\.number) == Array(1...Int64(changes.count)))
        #expect(changes.first?.what == "registry.migrate" && changes.first?.moment == start)
        #expect(
            changes.first?.detail
                == #"{"applied":["0001_registry.sql","0002_token_store.sql","0003_server.sql","0004_changes.sql"]}"#
        )
    }

    @Test("names the secret, the key and the token, and holds no secret and no hash")
    func objects() throws {
        let secret = GeneratedSecret.make()
        let id = try registry.addSecret(SecretVerifier(secret), to: "gateway", from: later, at: later)
        #expect(try registry.changes(limit: 1).first?.object == id)
        let key = try registry.rotateSigningKey(publishedFor: 60, at: later)
        #expect(try registry.changes(limit: 1).first?.object == key.keyID)
        let tokenID = try TokenID("AAAAAAAAAAAAAAAAAAAAAA")
        try registry.recordIssue(
            of: AccessTokenClaims(
                issuer: "https://a.example", audience: ["RESOURCE_ID_BOOK", "RESOURCE_ID_REVIEW"],
                clientID: "gateway", issuedAt: 1, expiresAt: 3601, tokenID: tokenID, scopes: "read write"),
            at: later)
        let issue = try #require(try registry.changes(limit: 1).first)
        #expect(issue.what == "token.issue" && issue.client == "gateway" && issue.object == tokenID.value)
        #expect(
            issue.detail
                == #"{"aud":["RESOURCE_ID_BOOK","RESOURCE_ID_REVIEW"],"scopes":["read","write"],"expires_at":3601}"#
        )
        try registry.recordRevocation(of: tokenID, at: later)
        #expect(try registry.changes(limit: 1).first?.object == tokenID.value)
        try registry.rotateSecret(of: "gateway", to: .decoy(.sha256), overlap: 60, at: later)
        let text = try registry.changes().map { "\($0)" }.joined()
        #expect(!text.contains(secret.reveal()))
        let kept = try registry.connection.rows(
            "SELECT hex(hash) FROM client_secrets UNION ALL SELECT hex(salt) FROM client_secrets"
        ) { $0.text(0) }
        #expect(kept.count == 4 && kept.allSatisfy { !text.uppercased().contains($0) })
    }

    @Test("says who: whom the program names, else the user that runs it")
    func who() throws {
        let named = try Registry(path: fixture.path, mode: .readWrite, by: "pipeline 7")
        try named.setDisabled(true, client: "gateway", at: later)
        #expect(try registry.changes(limit: 1).first?.who == "pipeline 7")
        try registry.setDisabled(false, client: "gateway", at: later)
        #expect(try registry.changes(limit: 1).first?.who.contains("uid ") == true)
        for name in ["", "a\nb", String(repeating: "n", count: 256)] {
            let error = #expect(throws: StoreError.self) {
                try Registry(path: fixture.path, mode: .readWrite, by: name)
            }
            #expect(error?.code == .invalid)
        }
    }

    @Test("is asked for a client, a resource and a time, and answers the latest first")
    func filters() throws {
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: later)
        try registry.addClient(ClientDraft(id: "app"), at: later)
        #expect(try registry.changes(about: "gateway").map(\.what) == ["grant.add", "client.add"])
        #expect(try registry.changes(at: "RESOURCE_ID_BOOK").map(\.what) == ["grant.add", "resource.add"])
        #expect(try registry.changes(about: "gateway", at: "RESOURCE_ID_BOOK").map(\.what) == ["grant.add"])
        #expect(try registry.changes(since: later).map(\.what) == ["client.add", "grant.add"])
        #expect(try registry.changes(since: later, limit: 1).map(\.client) == ["app"])
        #expect(try registry.changes(since: later + 1) == [])
        #expect(try registry.changes(about: "nobody") == [])
    }
}
