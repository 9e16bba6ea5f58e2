import Testing

@testable import AuthServer

@Suite("A configuration that is read again")
struct RereadConfigurationTests {
    private static func resolved(_ flags: [String]) throws -> ResolvedSettings {
        try settings(flags, environment: ["AUTHSERVER_THREADS": "2"])
    }

    /// What is bound at the start stays, and is named; all else is followed.
    @Test(
        "What takes a restart stays as it is, and is named",
        arguments: [
            (["--listen=127.0.0.1:9"], [.listen]), (["--issuer=https://a.example"], [.issuer]),
            (["--threads=7"], [.threads]), (["--redis=redis://a"], [.redis]),
            (["--redis-prefix=b:"], [.redisPrefix]), (["--sqlite-synchronous=normal"], [.sqliteSynchronous]),
            (["--database=other.db"], [.database]), (["--log-format=text"], [.logFormat]),
            (["--tls-certificate=c", "--tls-key=k"], [.tlsCertificate]),
            (["--metrics-listen=127.0.0.1:9"], [.metricsListen]),
        ] as [([String], [Setting])])
    func kept(flags: [String], names: [Setting]) throws {
        let serving = try ServerConfiguration(Self.resolved([]))
        let given = try ServerConfiguration(Self.resolved(flags))
        #expect(given != serving)
        #expect(serving.followed(by: given) == serving)
        #expect(serving.settingsNeedingRestart(for: given) == names)
        #expect(given.followed(by: serving) == given)
        #expect(given.settingsNeedingRestart(for: serving) == names)
    }

    @Test(
        "All else is followed at once",
        arguments: [
            "--jwks-max-age=7s", "--request-deadline=7s", "--max-connections=7", "--max-failures=7",
            "--trust-forwarded-for", "--master-key-file=m", "--max-connections-per-address=7",
            "--max-clients-in-memory=7",
        ])
    func followed(flag: String) throws {
        let serving = try ServerConfiguration(Self.resolved([]))
        let given = try ServerConfiguration(Self.resolved([flag]))
        #expect(given != serving)
        #expect(serving.followed(by: given) == given)
        #expect(serving.settingsNeedingRestart(for: given) == [])
    }

    @Test("Another certificate is followed where TLS is served")
    func otherCertificate() throws {
        let serving = try ServerConfiguration(settings(["--tls-certificate=c", "--tls-key=k"]))
        let given = try ServerConfiguration(settings(["--tls-certificate=d", "--tls-key=l"]))
        #expect(serving.followed(by: given) == given)
        #expect(serving.settingsNeedingRestart(for: given) == [])
    }
}
