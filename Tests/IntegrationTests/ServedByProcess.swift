import ServerCases
import TestSupport
import Testing

/// Starts the real process for a suite, and ends it after its last test.
struct ServedByProcess: SuiteTrait, TestScoping {
    @TaskLocal static var current: ServerProcess?

    /// Whether tokens are kept in a real Redis.
    let withRedis: Bool

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let redis = withRedis ? try await RedisServer.start() : nil
        let arguments = redis.map { ["--redis", $0.url] } ?? []
        try await withServer(Scenario(), arguments: arguments) { server in
            try await Self.$current.withValue(server) { try await function() }
        }
        withExtendedLifetime(redis) {}
    }

    /// The server of the suite that runs.
    static func server() throws -> ServerProcess { try #require(current) }
}

extension Trait where Self == ServedByProcess {
    /// The process with its embedded token store.
    static var servedByProcess: Self { ServedByProcess(withRedis: false) }
    /// The process with its tokens in Redis.
    static var servedByProcessWithRedis: Self { ServedByProcess(withRedis: true) }
}
