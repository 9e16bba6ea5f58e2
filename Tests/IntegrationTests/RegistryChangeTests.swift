import Foundation
import HTTP
import JOSE
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// T23: what the command line changes is in force at the next request, without a restart or a signal.
    @Suite("Changes of the registry while the server runs")
    struct RegistryChangeTests {
        private static let both = ["RESOURCE_ID_BOOK", "RESOURCE_ID_REVIEW"]

        @Test("T23 C9 B14: a disabled client gets no token, and those it has are inactive at once")
        func disabling() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                try await dialogue.introspect(token, by: .basic("book")).isActive()
                try await admin.run("client disable gateway")
                try await dialogue.token().isUnauthenticated()
                try await dialogue.introspect(token, by: .basic("book")).isInactive()
                try await admin.run("client enable gateway")
                try await dialogue.token().isToken(for: Self.both, scope: "read")
                try await dialogue.introspect(token).isInactive()
                #expect(dialogue.problems == [])
            }
        }

        @Test(
            "T23: a removed client is an unknown one, and its tokens are inactive, also when its id is used again"
        )
        func removing() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                try await admin.run("client remove gateway --yes")
                try await dialogue.token().isUnauthenticated()
                try await dialogue.introspect(token, by: .basic("book")).isInactive()
                let secret = try await admin.run("client add gateway --grant RESOURCE_ID_BOOK=read")
                try await dialogue.token().isUnauthenticated()
                let again = Credentials.basic("gateway", secret: secret)
                try await dialogue.token(by: again).isToken(for: ["RESOURCE_ID_BOOK"], scope: "read")
                try await dialogue.introspect(token, by: again).isInactive()
                #expect(dialogue.problems == [])
            }
        }

        @Test("T23: grants are given and taken back")
        func granting() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                try await dialogue.token("resource=RESOURCE_ID_BOOK", by: .basic("app"))
                    .isError(400, "invalid_target")
                try await admin.run("client grant app RESOURCE_ID_BOOK=read,write")
                try await dialogue.token("resource=RESOURCE_ID_BOOK", by: .basic("app"))
                    .isToken(for: ["RESOURCE_ID_BOOK"], scope: "read write")
                try await admin.run("client revoke-grant app RESOURCE_ID_BOOK=write")
                try await dialogue.token("resource=RESOURCE_ID_BOOK&scope=write", by: .basic("app"))
                    .isError(400, "invalid_scope")
                try await admin.run("resource remove RESOURCE_ID_BOOK --with-grants --yes")
                try await dialogue.token("resource=RESOURCE_ID_BOOK", by: .basic("app"))
                    .isError(400, "invalid_target")
                try await dialogue.token().isToken(for: ["RESOURCE_ID_REVIEW"], scope: "read write")
                #expect(dialogue.problems == [])
            }
        }

        @Test("T23 T24: after a rotation the old secret is good for the overlap, then for nothing")
        func rotatingSecrets() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let second = try await admin.run("client rotate-secret gateway --overlap 3s")
                let end = ContinuousClock.now + .seconds(3)
                try await dialogue.token().isToken(for: Self.both, scope: "read")
                try await dialogue.token(by: .basic("gateway", secret: second)).isToken(
                    for: Self.both, scope: "read")
                try await Task.sleep(until: end)
                try await dialogue.token().isUnauthenticated()
                try await dialogue.token(by: .basic("gateway", secret: second)).isToken(
                    for: Self.both, scope: "read")
                let third = try await admin.run("client rotate-secret gateway --overlap 0")
                try await dialogue.token(by: .basic("gateway", secret: second)).isUnauthenticated()
                try await dialogue.token(by: .post("gateway", secret: third)).isToken(
                    for: Self.both, scope: "read")
                #expect(dialogue.problems == [])
            }
        }

        @Test("All tokens of a client end by one command; new ones are good", arguments: [false, true])
        func revokingAll(withRedis: Bool) async throws {
            let redis = withRedis ? try await RedisServer.start() : nil
            try await withServer(arguments: redis.map { ["--redis", $0.url] } ?? []) { server in
                let admin = try Administration(server.scenario, redis: redis?.url)
                let dialogue = Dialogue(server: server)
                var tokens: [String] = []
                for _ in 0..<5 { tokens.append(try await dialogue.issue()) }
                let other = try await dialogue.issue(to: "app")
                try await admin.run("token revoke --client gateway")
                for token in tokens { try await dialogue.introspect(token).isInactive() }
                try await dialogue.introspect(other, by: .basic("app")).isActive()
                try await dialogue.introspect(try await dialogue.issue()).isActive()
                #expect(dialogue.problems == [])
            }
            withExtendedLifetime(redis) {}
        }

        @Test("The registry alone is told of a revocation: introspection knows at once, the store soon")
        func revokingInTheRegistryAlone() async throws {
            let redis = try await RedisServer.start()
            try await withServer(arguments: ["--redis", redis.url]) { server in
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                // iat counts whole seconds: a second later nothing is in doubt.
                try await server.wait(until: (IssuedToken(token)?.seconds("iat") ?? 0) + 1)
                let admin = try Administration(server.scenario)
                // Where the store is what counts, the wrong one is refused.
                let refusal = try await admin.refusal("token revoke \(token)")
                #expect(refusal.contains("the server keeps tokens in \(redis.url)/0"))
                try await admin.run("token revoke --client gateway")
                try await dialogue.introspect(token).isInactive()
                try await eventually("the store is told", within: .seconds(5)) {
                    try await redis.command("EXISTS auth:r:gateway") == "1"
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("One token is ended by the command line")
        func revokingOne() async throws {
            try await withServer { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                let other = try await dialogue.issue()
                try await admin.run("token revoke \(token)")
                try await dialogue.introspect(token).isInactive()
                try await dialogue.introspect(other).isActive()
                #expect(dialogue.problems == [])
            }
        }
    }
}
