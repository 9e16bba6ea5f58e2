// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// mimalloc takes the place of malloc in the server's whole process: some eighty calls a token, of which OpenSSL makes
/// half. Nothing calls it by name. A sanitizer has an allocator of its own.
let allocator: [LinkerSetting] =
    Context.environment["SANITIZER"] == nil ? [.linkedLibrary("mimalloc")] : []

/// A module map over a C library of the system; nothing else lives there.
func cModule(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CModules/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func library(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Examples/\(name)", swiftSettings: settings)
}

func test(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources,
        swiftSettings: settings)
}

let package = Package(
    name: "authserver",
    products: [
        .executable(name: "authserver", targets: ["AuthServer"]),
        .library(name: "ResourceGuard", targets: ["ResourceGuard"]),
        .library(name: "ResourceGuardRedis", targets: ["ResourceGuardRedis"]),
        .library(name: "TokenClient", targets: ["TokenClient"]),
        .library(name: "AuthStore", targets: ["AuthStore"]),
    ],
    targets: [
        // The system's C libraries.
        cModule("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        cModule("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        // hiredis.pc has a flag that the package manager refuses with a warning; its headers need none.
        cModule("CHiredis", pkgConfig: nil, apt: "libhiredis-dev"),
        cModule("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        cModule("CEvent", pkgConfig: "libevent_core", apt: "libevent-dev"),
        cModule("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),

        // Wrappers of C, each the only importer of its C module.
        library("OperatingSystem", []),
        library("OpenSSLCrypto", ["COpenSSL"]),
        library("SQLite", ["CSQLite", "OperatingSystem"]),
        library("EventLoop", ["CEvent", "OperatingSystem"]),
        library("Redis", ["CHiredis", "EventLoop", "OperatingSystem"]),
        library("HTTP", ["CMicroHTTPD", "EventLoop", "OperatingSystem"]),
        library("Curl", ["CCurl"]),

        // The vocabulary and the formats: no I/O, no C.
        library("OAuth", []),
        library("JOSE", ["OpenSSLCrypto"]),
        library("AccessToken", ["OAuth", "JOSE"]),

        // Requests to other servers, for the libraries that services link.
        library("OutboundHTTP", ["Curl", "OpenSSLCrypto", "OperatingSystem"]),

        // What users link.
        library(
            "AuthStore",
            ["OAuth", "JOSE", "OpenSSLCrypto", "OperatingSystem", "SQLite", "Redis", "EventLoop"],
            resources: [
                .embedInCode("../../migrations/0001_registry.sql"),
                .embedInCode("../../migrations/0002_token_store.sql"),
                .embedInCode("../../migrations/0003_server.sql"),
                .embedInCode("../../migrations/0004_changes.sql"),
                .embedInCode("../../migrations/tokens/0001_tokens.sql"),
                .embedInCode("../../migrations/tokens/0002_order_by_end.sql"),
            ]),
        library(
            "ResourceGuard",
            ["OAuth", "JOSE", "AccessToken", "OpenSSLCrypto", "OperatingSystem", "OutboundHTTP"]),
        library("ResourceGuardRedis", ["ResourceGuard", "OAuth", "Redis", "EventLoop"]),
        library("TokenClient", ["OAuth", "OutboundHTTP"]),

        .executableTarget(
            name: "AuthServer",
            dependencies: [
                "AuthStore", "OAuth", "JOSE", "AccessToken", "OpenSSLCrypto", "OperatingSystem", "HTTP",
                "Redis",
                "EventLoop",
            ],
            swiftSettings: settings,
            linkerSettings: allocator),

        // What `scripts/bench` needs in a process of its own. OpenSSL itself is the limit of what uses it.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "COpenSSL", "OpenSSLCrypto", "EventLoop", "HTTP", "OAuth", "JOSE", "AccessToken",
                "AuthStore", "Redis", "ResourceGuard", "ResourceGuardRedis",
            ],
            path: "Benchmarks", exclude: ["harness", "peers"], swiftSettings: settings),

        // What tests share: real processes, directories that are removed, loops.
        .target(
            name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport",
            swiftSettings: settings),
        // The server's cases, tried without a socket (AuthServerTests) and on the real process (IntegrationTests).
        .target(
            name: "ServerCases",
            dependencies: [
                "AuthStore", "AccessToken", "OAuth", "JOSE", "OpenSSLCrypto", "HTTP", "TestSupport",
            ],
            path: "Tests/ServerCases", swiftSettings: settings),
        test(
            "AuthServerTests",
            [
                "AuthServer", "ServerCases", "AuthStore", "AccessToken", "OAuth", "JOSE", "HTTP", "EventLoop",
                "TestSupport",
            ]),
        test("OAuthTests", ["OAuth", "ServerCases"]),
        test("OperatingSystemTests", ["OperatingSystem", "TestSupport"]),
        test(
            "IntegrationTests",
            [
                "AuthServer", "Book", "ServerCases", "AuthStore", "OAuth", "JOSE", "OpenSSLCrypto", "HTTP",
                "SQLite", "TestSupport",
            ]),
        test(
            "CLITests",
            [
                "AuthServer", "AuthStore", "AccessToken", "OAuth", "JOSE", "OpenSSLCrypto", "SQLite",
                "OperatingSystem", "TestSupport",
            ],
            resources: [.copy("transcripts")]),
        test("ReadmeTests", ["TestSupport"]),
        // A scenario of services that the libraries above protect.
        .target(
            name: "ExampleSupport",
            dependencies: ["HTTP", "EventLoop", "ResourceGuard", "ResourceGuardRedis"],
            path: "Examples/Support", swiftSettings: settings),
        example("Book", ["ExampleSupport", "HTTP", "EventLoop", "ResourceGuard", "SQLite"]),
        example("Gateway", ["ExampleSupport", "Curl", "HTTP", "ResourceGuard", "TokenClient"]),
        example("Review", ["ExampleSupport", "HTTP", "EventLoop", "ResourceGuard", "SQLite"]),

        test("SQLiteTests", ["SQLite", "TestSupport"]),
        test(
            "AuthStoreTests",
            [
                "AuthStore", "Redis", "TestSupport", "ServerCases", "OAuth", "JOSE", "OpenSSLCrypto",
                "SQLite",
                "EventLoop",
            ]),
        test("EventLoopTests", ["EventLoop", "TestSupport"]),
        test("HTTPTests", ["HTTP", "EventLoop", "TestSupport"]),
        test("RedisTests", ["Redis", "EventLoop", "TestSupport"]),
        test(
            "ResourceGuardRedisTests",
            [
                "ResourceGuardRedis", "ResourceGuard", "AuthStore", "Redis", "OAuth", "EventLoop",
                "TestSupport",
            ]),
        test("OpenSSLCryptoTests", ["OpenSSLCrypto", "TestSupport"]),
        .target(
            name: "LocalServer", dependencies: ["EventLoop", "HTTP", "TestSupport"],
            path: "Tests/LocalServer",
            swiftSettings: settings),
        test("CurlTests", ["Curl"]),
        test("OutboundHTTPTests", ["OutboundHTTP", "LocalServer", "TestSupport"]),
        test(
            "ResourceGuardTests",
            [
                "ResourceGuard", "OAuth", "JOSE", "AccessToken", "OpenSSLCrypto", "OutboundHTTP", "EventLoop",
                "LocalServer", "TestSupport",
            ]),
        test("TokenClientTests", ["TokenClient", "OAuth", "OutboundHTTP", "LocalServer", "TestSupport"]),
        test("JOSETests", ["JOSE", "OpenSSLCrypto", "TestSupport"]),
        test("AccessTokenTests", ["AccessToken", "OAuth", "JOSE", "OpenSSLCrypto"]),
        test(
            "ExamplesTests",
            [
                "ExampleSupport", "Book", "Review", "Gateway", "HTTP", "ResourceGuard", "TokenClient",
                "AccessToken", "JOSE", "OpenSSLCrypto", "LocalServer", "TestSupport",
            ]),
    ]
)

// `scripts/fuzz` builds the fuzzers instead of the server. They need the server's functions without its `main`, and
// nobody else needs them: a usual build knows nothing of them.
if Context.environment["AUTHSERVER_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { $0.type == .test || $0.path == "Benchmarks" || $0.name == "AuthServer" }
    package.targets += [
        .target(
            name: "AuthServer",
            dependencies: [
                "AuthStore", "OAuth", "JOSE", "AccessToken", "OpenSSLCrypto", "HTTP", "Redis", "EventLoop",
            ],
            exclude: ["AuthServer.swift"], swiftSettings: settings),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "AuthServer", "AuthStore", "OAuth", "JOSE", "AccessToken", "OpenSSLCrypto", "HTTP", "Redis",
                "EventLoop", "OutboundHTTP", "ResourceGuard", "TokenClient", "ServerCases",
            ],
            path: "Fuzz", exclude: ["seeds"], swiftSettings: settings),
    ]
}
