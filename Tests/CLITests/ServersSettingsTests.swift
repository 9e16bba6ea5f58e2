import AuthStore
import JOSE
import TestSupport
import Testing

@testable import AuthServer

@Suite("Commands and what the server runs with")
struct ServersSettingsTests {
    private static let issuer = "https://auth.example.com"

    /// A registry with a client and a key, of a server that was started with an issuer and a max-age.
    private func workplace(issuer: String? = issuer, maxAge: Int64 = 3600) async throws -> Workplace {
        let workplace = try Workplace()
        try await workplace.run("resource add RESOURCE_ID_BOOK --scopes read")
        try await workplace.run("client add gateway --grant RESOURCE_ID_BOOK=read")
        try await workplace.run("key rotate")
        if let issuer {
            let registry = try Registry(path: workplace.directory.file("registry.db"), mode: .readWrite)
            try registry.recordServer(issuer: issuer, jwksMaxAge: maxAge, at: workplace.program.now * 1000)
        }
        return workplace
    }

    @Test(
        "The issuer is the server's, else the one that is given, else that of a server here",
        arguments: [
            ([], nil, "http://127.0.0.1:8083"), (["--listen", "127.0.0.1:1"], nil, "http://127.0.0.1:1"),
            (["--issuer", "https://a"], nil, "https://a"), ([], "https://b/c", "https://b/c"),
            (["--listen", "0.0.0.0:0"], "http://[::1]:4711", "http://[::1]:4711"),
            (["--issuer", "https://b"], "https://b", "https://b"),
        ] as [([String], String?, String)])
    func issuer(flags: [String], noted: String?, issuer: String) throws {
        #expect(try settings(flags).issuerOfTokens(noted: noted).value == issuer)
    }

    @Test("Another issuer than the server's is refused, with the flag that fits and where the other is from")
    func otherIssuer() throws {
        let settings = try settings(environment: ["AUTHSERVER_ISSUER": "https://a"])
        #expect(
            throws: CommandError(
                .refused, "the server issues tokens as \(Self.issuer), and not as https://a",
                hint: "give --issuer \(Self.issuer), or leave out the other, which is from: "
                    + "environment AUTHSERVER_ISSUER")
        ) { try settings.issuerOfTokens(noted: Self.issuer) }
    }

    @Test("A noted issuer that this version cannot read is an error, and no guess")
    func unknownIssuer() throws {
        let error = #expect(throws: CommandError.self) { try settings().issuerOfTokens(noted: "no URL") }
        #expect(error?.code == .failed)
    }

    @Test("A token of the server's issuer is issued and inspected without a flag; with another it is refused")
    func token() async throws {
        let place = try await workplace()
        let token = try await place.run("token issue --client gateway").output
        let inspected = try await place.document("token inspect", input: token)
        #expect(inspected["active"] == true)
        #expect(inspected["claims"]?.object?["iss"]?.string == Self.issuer)
        for line in ["token issue --client gateway", "token inspect"] {
            try await place.run("\(line) --issuer \(Self.issuer)", input: token)
            let outcome = await place.attempt("\(line) --issuer http://127.0.0.1:8083", input: token)
            #expect(outcome.exitCode == .failed && outcome.output.isEmpty)
            #expect(outcome.messages.contains("give --issuer \(Self.issuer), or leave out the other"))
        }
    }

    @Test(
        "Where no server noted its issuer and nobody says it, a token of the usual one is issued with a warning",
        arguments: [("", "warning: \(warning)\n"), (" --json", "{\"warning\":\"\(warning)\"}\n")])
    func guess(flags: String, message: String) async throws {
        var place = try await workplace(issuer: nil)
        let line = "token issue --client gateway" + flags
        let outcome = try await place.run(line)
        #expect(outcome.messages.hasPrefix(message), "\(outcome.messages)")
        #expect(try await !place.run(line + " --issuer http://127.0.0.1:8083").messages.contains("warning"))
        place.program.environment["AUTHSERVER_LISTEN"] = "127.0.0.1:9000"
        #expect(try await !place.run(line).messages.contains("warning"), "the server is told the same")
        #expect(try await !(workplace()).run(line).messages.contains("warning"))
    }

    private static let warning =
        "no server has noted its issuer yet: the token is of http://127.0.0.1:8083; give --issuer where that is another"

    @Test(
        "A new key waits as long as the server's key set may be kept, or longer where that is asked for",
        arguments: [
            (nil, 3600, 3600, false), (600, 3600, 3600, true), (7200, 3600, 7200, false),
            (3600, 3600, 3600, false), (nil, nil, 300, false), (10, nil, 10, false), (nil, 0, 0, false),
            (0, 10, 10, true),
        ] as [(Int64?, Int64?, Int64, Bool)])
    func publication(given: Int64?, kept: Int64?, seconds: Int64, isProlonged: Bool) {
        let publication = KeyPublication(given: given, kept: kept, preset: 300)
        #expect(publication.seconds == seconds && publication.isProlonged == isProlonged)
    }

    @Test(
        "key retire says for how long guards may keep the key, by the max-age that the server noted",
        arguments: [(3600, "1h"), (0, "10s")] as [(Int64, String)])
    func retirement(maxAge: Int64, text: String) async throws {
        let place = try await workplace(maxAge: maxAge)
        let first = try await place.document("key list")["keys"]?.array?.first?.object?["kid"]?.string
        try await place.run("key rotate --now")
        let outcome = try await place.run("key retire --yes -- \(try #require(first))")
        #expect(
            outcome.messages.hasSuffix(
                "\nguards refuse the tokens that it signed when they look for keys again: within \(text)\n"))
    }

    @Test(
        "A key that is to sign within ten seconds of another's publication is made, with a warning of refused tokens",
        arguments: [
            (0, "key rotate --now", true), (9, "key rotate --now", true), (10, "key rotate --now", false),
            (9, "key rotate", false),
        ] as [(Int64, String, Bool)])
    func twoAtOnce(seconds: Int64, line: String, isWarned: Bool) async throws {
        var place = try await workplace()
        place.program.now += 60
        let calm = try await place.run("key rotate --now")
        #expect(!calm.messages.contains("warning: "))
        place.program.now += seconds
        let outcome = try await place.run(line)
        #expect(outcome.messages.contains("warning: ") == isWarned, "\(outcome)")
        if isWarned {
            #expect(outcome.messages.contains("for up to \(10 - seconds)s: "), "\(outcome)")
            #expect(outcome.messages.contains("401"), "\(outcome)")
        }
    }

    @Test("A key that waited, or that was retired before, counts only where it signed")
    func twoOfWhichOneSigned() async throws {
        var place = try await workplace()
        place.program.now += 60
        try await place.run("key rotate")
        #expect(try await !place.run("key rotate --now").messages.contains("warning: "), "it never signed")
        let kid = try await place.document("key list")["keys"]?.array?.compactMap(\.object)
            .first { $0["status"] == "signing" }?["kid"]?.string
        try await place.run("key retire --yes -- \(try #require(kid))")
        #expect(try await place.run("key rotate --now").messages.contains("warning: "), "guards have seen it")
    }

    @Test(
        "key rotate waits for the max-age that the server noted, and says so where less was asked for",
        arguments: [
            ("", 3600, false), (" --jwks-max-age 5m", 3600, true), (" --jwks-max-age 2h", 7200, false),
            (" --now --jwks-max-age 5m", 0, false),
        ] as [(String, Int64, Bool)])
    func rotation(flags: String, seconds: Int64, isSaid: Bool) async throws {
        let place = try await workplace()
        let outcome = try await place.run("key rotate" + flags)
        let said = "guards may keep the server's key set for 1h, which is longer than 5m"
        #expect(outcome.messages.contains(said) == isSaid)
        let keys = try await place.document("key list")["keys"]?.array?.compactMap(\.object) ?? []
        let key = try #require(keys.first { outcome.output == ($0["kid"]?.string ?? "") + "\n" })
        #expect(key["activates_at"] == .integer(place.program.now + seconds))
    }
}
