import ServerCases
import Testing

extension RealProcess {
    /// The cases that AuthServerTests tries without a socket, on the real process.
    @Suite("Cases, on the process with its embedded token store", .servedByProcess)
    struct SharedCaseTests {
        @Test("Token endpoint", arguments: TokenCases.all)
        func token(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }

        @Test("Introspection and revocation", arguments: TokenStateCases.all)
        func tokenState(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }

        @Test("Keys, metadata and health", arguments: PublicCases.all)
        func published(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }
    }

    /// What depends on the token store, with Redis.
    @Suite("Cases, on the process with its tokens in Redis", .servedByProcessWithRedis)
    struct SharedCaseRedisTests {
        @Test("Tokens", arguments: TokenCases.all)
        func token(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }

        @Test("Introspection and revocation", arguments: TokenStateCases.all)
        func tokenState(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }

        @Test("Keys, metadata and health", arguments: PublicCases.all)
        func published(_ serverCase: ServerCase) async throws {
            let problems = try await serverCase.problems(on: ServedByProcess.server())
            #expect(problems == [])
        }
    }
}
