import Testing

@testable import Redis

@Suite("Redis URLs")
struct RedisURLTests {
    struct Good: Sendable {
        let url: String
        let endpoint: RedisConfiguration.Endpoint
        var user: String?
        var password: String?
        var database = 0
        var prefix: String?
    }

    static let good: [Good] = [
        Good(url: "redis://h", endpoint: .tcp(host: "h", port: 6379)),
        Good(url: "REDIS://h:1/", endpoint: .tcp(host: "h", port: 1)),
        Good(url: "redis://h/5", endpoint: .tcp(host: "h", port: 6379), database: 5),
        Good(url: "redis://h?db=5", endpoint: .tcp(host: "h", port: 6379), database: 5),
        Good(
            url: "redis://[::1]:7000/2?prefix=a%3Ab:", endpoint: .tcp(host: "::1", port: 7000), database: 2,
            prefix: "a:b:"),
        Good(url: "redis://[::1]", endpoint: .tcp(host: "::1", port: 6379)),
        Good(url: "redis://:p%40ss%2F@h", endpoint: .tcp(host: "h", port: 6379), password: "p@ss/"),
        Good(
            url: "redis://al%3Aice:a:b@h", endpoint: .tcp(host: "h", port: 6379), user: "al:ice",
            password: "a:b"),
        Good(url: "redis://u:p@q@h", endpoint: .tcp(host: "h", port: 6379), user: "u", password: "p@q"),
        Good(url: "unix:///run/redis.sock", endpoint: .unix(path: "/run/redis.sock")),
        Good(
            url: "unix://u:p@/run/a%20b.sock?db=3&prefix=x", endpoint: .unix(path: "/run/a b.sock"),
            user: "u",
            password: "p", database: 3, prefix: "x"),
        Good(url: "unix:///s?user=&password=p", endpoint: .unix(path: "/s"), password: "p"),
        Good(
            url: "unix:///s?user=u&password=p%26", endpoint: .unix(path: "/s"), user: "u", password: "p&"),
    ]

    @Test("A URL is taken apart and percent-decoded (RFC 3986)", arguments: good)
    func accepted(_ expected: Good) throws {
        let configuration = try RedisConfiguration(url: expected.url)
        #expect(configuration.endpoint == expected.endpoint)
        #expect(configuration.credentials?.user == expected.user)
        #expect(configuration.credentials?.password == expected.password)
        #expect(configuration.database == expected.database)
        #expect(configuration.keyPrefix == expected.prefix)
    }

    @Test(
        "What is no URL of a Redis is refused, with a text that repeats nothing of it",
        arguments: [
            "", "localhost", "redis:/h", "http://sesame", "redis://", "redis://:6379", "redis://h:0",
            "redis://h:65536", "redis://h:+1", "redis://h:sesame", "redis://::1", "redis://[::1",
            "redis://[::1]x",
            "redis://sesame@h", "redis://:sesame%@h", "redis://:sesame%4@h", "redis://:sesame%zz@h",
            "redis://:sesame%ff@h", "redis://:sesame%00@h", "redis://:sesame#@h", "redis://h/x",
            "redis://h/-1",
            "redis://h/1/2", "redis://h/1?db=2", "redis://h?db=1&db=2", "redis://h?password=sesame",
            "redis://h?x=sesame", "redis://h?prefix=", "redis://h?prefix", "redis://h?prefix=a%20sesame",
            "redis://h?prefix=\(String(repeating: "x", count: 65))", "redis://:sesame/more@h", "unix://run/x",
            "unix://", "unix:///",
            "unix:///\(String(repeating: "x", count: 108))",
        ])
    func refused(url: String) throws {
        let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: url) }
        guard case .configuration(let text) = error else { throw error }
        #expect(!text.contains("sesame"))
        #expect(text.contains(" "))
    }

    @Test("TLS is refused with the way to have it")
    func tls() throws {
        let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: "rediss://h") }
        #expect(error.description.contains("stunnel"))
    }

    @Test("A configuration shows its address and never its password")
    func redacted() throws {
        let configuration = try RedisConfiguration(url: "redis://alice:sesame@[::1]:7000/2")
        #expect(configuration.description == "redis://[::1]:7000/2")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(dumped) \(String(reflecting: configuration))".contains("sesame"))
    }
}
