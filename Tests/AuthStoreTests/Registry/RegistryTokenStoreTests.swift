import Testing

@testable import AuthStore

@Suite struct RegistryTokenStoreTests {
    @Test("The place of the token store is not known before a server was started; the last one counts")
    func recorded() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.registry.tokenStore() == nil)
        for place in ["sqlite", "sqlite", "redis://127.0.0.1:6379/0 prefix=auth:"] {
            try fixture.registry.recordTokenStore(place)
            #expect(try fixture.registry.tokenStore() == place)
        }
    }

    @Test("What is known already is not written again, so that no server reads its registry anew")
    func unchanged() throws {
        let fixture = try RegistryFixture()
        try fixture.registry.recordTokenStore("sqlite")
        let other = try Registry(path: fixture.path, mode: .readOnly)
        _ = try other.tokenStore()
        let version = try other.connection.integer("PRAGMA data_version")
        try fixture.registry.recordTokenStore("sqlite")
        #expect(try other.connection.integer("PRAGMA data_version") == version)
        try fixture.registry.recordTokenStore("elsewhere")
        #expect(try other.connection.integer("PRAGMA data_version") != version)
    }
}
