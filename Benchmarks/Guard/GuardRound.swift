import OAuth
import OpenSSLCrypto
import ResourceGuard
import ResourceGuardRedis

/// One round of the guard's measurements: what a service calls, beside OpenSSL's bare verify, in one process.
enum GuardRound {
    /// How many requests ask the store at once.
    private static let concurrency = 64

    /// Measures each thing for so long and prints what it took.
    /// - Parameter redis: a store that holds the ES256 tokens.
    static func run(_ files: GuardFiles, milliseconds: Int, redis: String?) async throws {
        var turns = Turns()
        for algorithm in GuardFiles.algorithms {
            let headers = try files.tokens(algorithm).map { "Bearer " + $0 }
            try addBare(algorithm, files, to: &turns)
            let forgetful = try resourceGuard(files, remembering: 0)
            turns.add("guard \(algorithm.rawValue)", count: headers.count) {
                try await authorize(headers, forgetful)
            }
        }
        let headers = try files.tokens(.es256).map { "Bearer " + $0 }
        let remembering = try resourceGuard(files, remembering: 10_000)
        turns.add("guard cached", count: headers.count * 100) {
            for _ in 0..<100 { try await authorize(headers, remembering) }
        }
        if let redis {
            let checking = try resourceGuard(
                files, remembering: 10_000, tokenCheck: try RedisTokenCheck(url: redis))
            turns.add("guard with Redis", count: concurrency * headers.count) {
                try await authorizeConcurrently(headers, checking)
            }
        }
        try await turns.run(milliseconds: milliseconds)
    }

    private static func addBare(
        _ algorithm: SignatureAlgorithm, _ files: GuardFiles, to turns: inout Turns
    ) throws {
        let tokens = try files.tokens(algorithm)
        let bare = try BareVerification(tokens, with: try files.key(algorithm))
        turns.add("bare \(algorithm.rawValue)", count: tokens.count) { try bare.verify() }
    }

    private static func resourceGuard(
        _ files: GuardFiles, remembering count: Int, tokenCheck: (any TokenCheck)? = nil
    ) throws -> ResourceGuard {
        var configuration = ResourceGuard.Configuration()
        configuration.rememberedTokens = count
        return try ResourceGuard(
            issuer: GuardFiles.issuer, resource: GuardFiles.resource, keys: .jwksFile(files.keySet),
            tokenCheck: tokenCheck, configuration: configuration)
    }

    private nonisolated(nonsending) static func authorize(
        _ headers: [String], _ resourceGuard: ResourceGuard
    ) async throws {
        let scopes: Scopes = ["read"]
        for header in headers { _ = try await resourceGuard.authorize(header, requiring: scopes) }
    }

    /// Each of the requests at once goes through all tokens.
    private static func authorizeConcurrently(_ headers: [String], _ resourceGuard: ResourceGuard)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask { try await authorize(headers, resourceGuard) }
            }
            try await group.waitForAll()
        }
    }
}
