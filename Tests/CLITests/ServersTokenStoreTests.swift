import AuthStore
import JOSE
import OAuth
import TestSupport
import Testing

@testable import AuthServer

@Suite("Commands and the server's token store")
struct ServersTokenStoreTests {
    private static let redis = "redis://127.0.0.1:1/0 prefix=auth:"

    private static let mistakenServer =
        "; where that server is the mistaken one, restart the right one or send it SIGHUP: it notes its store again"

    /// A registry with a client and a key, of a server that keeps tokens somewhere.
    private func workplace(_ place: String?) async throws -> Workplace {
        let workplace = try Workplace()
        try await workplace.run("resource add RESOURCE_ID_BOOK --scopes read")
        try await workplace.run("client add gateway --grant RESOURCE_ID_BOOK=read")
        try await workplace.run("key rotate")
        if let place {
            let registry = try Registry(path: workplace.directory.file("registry.db"), mode: .readWrite)
            try registry.recordTokenStore(place)
        }
        return workplace
    }

    @Test(
        "Another store than the server's is refused, with where that is, and no file is made",
        arguments: ["token issue --client gateway", "token revoke --id AAAAAAAAAAAAAAAAAAAAAA"])
    func refused(line: String) async throws {
        let place = try await workplace(Self.redis)
        let outcome = await place.attempt(line)
        #expect(outcome.exitCode == .failed && outcome.output.isEmpty)
        #expect(outcome.messages.contains("the server keeps tokens in redis://127.0.0.1:1/0"))
        #expect(outcome.messages.contains("--redis URL, or set AUTHSERVER_REDIS"))
        #expect(outcome.messages.contains(Self.mistakenServer))
        #expect(await place.attempt(line + " --redis redis://me:s3cret@127.0.0.1:1/1").exitCode == .failed)
    }

    @Test("Redis is refused where the server uses SQLite, with where the URL is from")
    func redisRefused() async throws {
        let place = try await workplace("sqlite")
        let outcome = await place.attempt("token issue --client gateway --redis redis://u:s3cret@127.0.0.1:1")
        #expect(outcome.exitCode == .failed && !outcome.messages.contains("s3cret"))
        #expect(outcome.messages.contains("leave out the URL of Redis, which is from: flag --redis"))
        #expect(outcome.messages.contains(Self.mistakenServer))
        let token = try await place.run("token issue --client gateway").output
        try await place.run("token inspect", input: token)
        let wrong = await place.attempt("token inspect --redis redis://127.0.0.1:1", input: token)
        #expect(wrong.exitCode == .failed && wrong.output.isEmpty)
    }

    @Test("The same Redis with another prefix is another store")
    func prefix() async throws {
        let place = try await workplace(Self.redis)
        let outcome = await place.attempt(
            "token issue --client gateway --redis redis://127.0.0.1:1 --redis-prefix other:")
        #expect(outcome.exitCode == .failed)
        #expect(outcome.messages.contains("give --redis-prefix auth:"))
        #expect(outcome.messages.contains(Self.mistakenServer))
    }

    @Test("Before a server was started nothing is refused")
    func unknown() async throws {
        let place = try await workplace(nil)
        try await place.run("token issue --client gateway")
    }

    @Test(
        "What ends a client's tokens is kept, and left to the server where its store cannot be told",
        arguments: [
            "client disable gateway", "client remove gateway --yes", "token revoke --client gateway",
        ], ["", " --redis redis://127.0.0.1:1"])
    func left(line: String, flags: String) async throws {
        let place = try await workplace(Self.redis)
        let outcome = try await place.run(line + flags)
        #expect(outcome.messages.contains("gateway"))
        #expect(outcome.messages.contains("the server tells"))
        #expect(
            outcome.messages.contains(
                "\nguards without a check of the token store accept a token until it expires\n"))
        let registry = try Registry(path: place.directory.file("registry.db"), mode: .readOnly)
        let revocations = try registry.revocations(at: place.program.now * 1000)
        #expect(revocations.map(\.client.value) == ["gateway"])
    }

    @Test("Programs are told whether the store knows", arguments: [Self.redis, "sqlite"])
    func document(recorded: String) async throws {
        let place = try await workplace(recorded)
        let document = try await place.document("client disable gateway")
        #expect(document["token_store_told"] == .bool(recorded == "sqlite"))
    }

    @Test("Without a server that would tell it, an untold store is an error that says first what was done")
    func untold() async throws {
        let place = try await workplace(nil)
        let outcome = await place.attempt("client disable gateway --redis redis://127.0.0.1:1")
        #expect(outcome.exitCode == .failed)
        #expect(outcome.messages.hasPrefix("authserver: client gateway is disabled; "))
        #expect(try await place.document("client show gateway")["disabled"] == true)
    }

    @Test("A token that the store does not know is refused, and no store is made for that")
    func unknownToken() async throws {
        let place = try await workplace("sqlite")
        let line = "token revoke --id AAAAAAAAAAAAAAAAAAAAAA"
        #expect(await place.attempt(line).messages.contains("does not know token AAAAAAAAAAAAAAAAAAAAAA"))
        let issued = try await place.document(
            "token issue --client gateway --issuer http://127.0.0.1:8083")
        let id = try #require(issued["jti"]?.string)
        try await place.run("token revoke --id \(id)")
        #expect(await place.attempt("token revoke --id \(id)").exitCode == .failed)
    }

    @Test(
        "A place is read as it was noted",
        arguments: [
            TokenStorePlace.sqlite, .redis(address: "redis://h:1/0", prefix: "a:"),
            .redis(address: "unix:///a prefix=b?db=1", prefix: ""), .other("elsewhere"),
        ])
    func place(place: TokenStorePlace) {
        #expect(TokenStorePlace(noted: place.note) == place)
    }
}
