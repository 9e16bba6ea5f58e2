import Foundation
import Glibc
import HTTP
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    @Suite("Metrics")
    struct MetricsTests {
        private static let here = ["--metrics-listen", "127.0.0.1:0", "--threads", "2"]

        private static func port(_ server: ServerProcess) async throws -> Int {
            func found() -> Int? {
                guard let start = server.log.range(of: "metrics are at http://127.0.0.1:") else { return nil }
                return Int(server.log[start.upperBound...].prefix { $0.isNumber })
            }
            try await eventually("the log says where") { found() != nil }
            return try #require(found())
        }

        private static func page(_ port: Int) async throws -> String {
            let response = try await Wire.exchange(HTTPRequest(method: "GET", path: "/metrics"), port: port)
            #expect(response.status == 200)
            return response.text
        }

        /// The value of a sample; nil where there is none.
        private static func value(_ sample: String, in page: String) -> Double? {
            page.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
                .flatMap { Double($0.dropFirst(sample.count + 1)) }
        }

        @Test("All that both threads answered is counted, by endpoint and status, and nobody is named")
        func counts() async throws {
            try await withServer(Scenario(withBroughtSecrets: false), arguments: Self.here) { server in
                let dialogue = Dialogue(server: server)
                for _ in 0..<20 { _ = try await dialogue.issue() }
                for _ in 0..<3 { _ = try await dialogue.token(by: .basic("gateway", secret: "wrong")) }
                for path in ["/readyz", "/nothing-here"] { _ = try await dialogue.get(path) }
                let page = try await Self.page(Self.port(server))
                for (sample, number) in [
                    (#"authserver_requests_total{endpoint="token",status="200"}"#, 20),
                    (#"authserver_requests_total{endpoint="token",status="401"}"#, 3),
                    (#"authserver_requests_total{endpoint="ready",status="200"}"#, 1),
                    (#"authserver_requests_total{endpoint="none",status="404"}"#, 1),
                    (#"authserver_request_duration_seconds_count{endpoint="token"}"#, 23),
                    ("authserver_threads", 2), ("authserver_registry_up", 1),
                    ("authserver_token_store_up", 1), ("authserver_signing_key_up", 1),
                ] as [(String, Double)] { #expect(Self.value(sample, in: page) == number, "\(sample)") }
                #expect(!page.contains("gateway") && !page.contains("nothing"))
            }
        }

        @Test(
            "A token store that takes no tokens is told, and that it is back",
            arguments: [RedisOutageTests.Outage.stopped, .full])
        func lostStore(_ outage: RedisOutageTests.Outage) async throws {
            let redis = try await RedisServer.start()
            try await withServer(
                Scenario(withBroughtSecrets: false), arguments: Self.here + ["--redis", redis.url]
            ) { server in
                let port = try await Self.port(server)
                func tells(_ value: Double) async throws -> Bool {
                    try await Self.value("authserver_token_store_up", in: Self.page(port)) == value
                }
                try await eventually("it is up") { try await tells(1) }
                try await outage.begin(redis)
                try await eventually("it is lost") { try await tells(0) }
                try await outage.end(redis)
                try await eventually("it is back", within: .seconds(20)) { try await tells(1) }
            }
        }

        @Test(
            "A configuration that is read again begins no count anew; a signal ends the listener with the rest"
        )
        func lifetime() async throws {
            try await withServer(Scenario(withBroughtSecrets: false), arguments: Self.here) { server in
                _ = try await Dialogue(server: server).issue()
                let port = try await Self.port(server)
                server.signal(SIGHUP)
                try await eventually("it was read") { server.log.contains("were read again") }
                _ = try await Dialogue(server: server).issue()
                let issued = #"authserver_requests_total{endpoint="token",status="200"}"#
                #expect(try await Self.value(issued, in: Self.page(port)) == 2)
                let idle = try RawConnection(port: port)
                defer { withExtendedLifetime(idle) {} }
                server.signal(SIGTERM)
                #expect(try await server.waitForExit() == 0)
                #expect(!isListening(on: UInt16(port)))
            }
        }

        @Test("Their address is no address of tokens, and one that is taken is named")
        func refused() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            for (address, reason) in [
                ("127.0.0.1:18083", "127.0.0.1:18083 is where tokens are issued"),
                ("nowhere", #"--metrics-listen: \"nowhere\" is not possible"#),
            ] {
                let child = try ServerProcess.launch(
                    ["--listen", "127.0.0.1:18083", "--metrics-listen", address], directory: scenario)
                #expect(try await child.waitForExit() == 2)
                #expect(child.log.contains(reason), "\(child.log)")
            }
            try await withServer(scenario, arguments: Self.here) { server in
                let taken = "127.0.0.1:\(try await Self.port(server))"
                let child = try ServerProcess.launch(
                    ["--listen", "127.0.0.1:0", "--metrics-listen", taken], directory: scenario)
                #expect(try await child.waitForExit() == 1)
                #expect(child.log.contains("cannot listen on \(taken)"), "\(child.log)")
            }
        }
    }
}
