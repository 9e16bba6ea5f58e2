// Without `import OAuth`: a program of a user has this one import.
import AuthStore
import TestSupport
import Testing

@Suite struct RegistryGuideTests {
    @Test("The program of docs/registry.md makes a resource and a client with a good secret")
    func guide() throws {
        let directory = try TemporaryDirectory()
        let now = WallClock.now()
        let registry = try Registry(path: directory.file("authserver.db"), mode: .create)
        try registry.migrate(at: now)

        let (book, gateway): (ResourceID, ClientID) = ("RESOURCE_ID_BOOK", "gateway")
        let secret = GeneratedSecret.make()
        try registry.transaction { () throws(StoreError) in
            try registry.addResource(book, scopes: ["read", "write"], at: now)
            try registry.addClient(ClientDraft(id: gateway), at: now)
            try registry.grant(["read"], at: book, to: gateway, at: now)
            try registry.addSecret(SecretVerifier(secret), to: gateway, from: now, at: now)
        }

        let client = try #require(try registry.listClients().first)
        #expect(client.id == gateway && client.grants == [book: ["read"]])
        #expect(client.secrets.count == 1 && client.secrets.first?.isValid(at: now) == true)
    }
}
