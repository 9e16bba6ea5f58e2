import Testing

@testable import AuthStore

@Suite struct RegistryServerTests {
    private static let issuer = "https://auth.example.com"

    @Test("Nothing is known of a server before one was started; the last one counts")
    func recorded() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.registry.server() == nil)
        for (issuer, maxAge) in [(Self.issuer, 300), (Self.issuer, 300), ("http://127.0.0.1:1", 3600)] {
            try fixture.registry.recordServer(issuer: issuer, jwksMaxAge: Int64(maxAge), at: fixture.start)
            let server = try fixture.registry.server()
            #expect(server?.issuer == issuer && server?.jwksMaxAge == Int64(maxAge))
        }
    }

    @Test("What is known already is not written again, so that no server reads its registry anew")
    func unchanged() throws {
        let fixture = try RegistryFixture()
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 300, at: fixture.start)
        let other = try Registry(path: fixture.path, mode: .readOnly)
        _ = try other.server()
        let version = try other.connection.integer("PRAGMA data_version")
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 300, at: fixture.start + 1)
        #expect(try other.connection.integer("PRAGMA data_version") == version)
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 301, at: fixture.start + 1)
        #expect(try other.connection.integer("PRAGMA data_version") != version)
    }

    @Test("A key set that was fetched before the max-age became shorter may be kept for the longer one")
    func shortened() throws {
        let fixture = try RegistryFixture()
        let start = fixture.start
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 3600, at: start)
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 300, at: start)
        try fixture.registry.recordServer(issuer: Self.issuer, jwksMaxAge: 60, at: start + 1000)
        let server = try #require(try fixture.registry.server())
        for (second, kept) in [(0, 3600), (1, 3599), (3539, 61), (3540, 60), (9999, 60)] as [(Int64, Int64)] {
            #expect(server.secondsKept(at: start + second * 1000) == kept, "second \(second)")
        }
        #expect(server.secondsKept(at: start + 1) == 3600, "rounded up")
    }

    @Test("A max-age that became longer counts at once, and what was kept before it still does")
    func prolonged() {
        let first = ServerRecord(issuer: Self.issuer, jwksMaxAge: 3600)
        let short = first.followed(byIssuer: Self.issuer, jwksMaxAge: 10, at: 0)
        let longer = short.followed(byIssuer: Self.issuer, jwksMaxAge: 600, at: 0)
        #expect(longer.secondsKept(at: 0) == 3600)
        #expect(longer.secondsKept(at: 3_600_000) == 600)
        #expect(first.followed(byIssuer: Self.issuer, jwksMaxAge: 7200, at: 0).secondsKept(at: 0) == 7200)
    }
}
