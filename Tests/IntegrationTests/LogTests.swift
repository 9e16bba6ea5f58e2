import AuthStore
import HTTP
import JOSE
import OAuth
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    @Suite("The log of the process")
    struct LogTests {
        @Test("One line of JSON a request, with time, request id, client, endpoint, outcome and microseconds")
        func lines() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let refused = try await dialogue.token(by: .basic("gateway", secret: "wrong"))
                _ = try await dialogue.introspect("garbage")
                _ = try await dialogue.get("/nowhere")
                try await eventually("all lines are written") { Self.requests(server).count == 4 }
                let lines = Self.requests(server)
                #expect(lines.map { $0["endpoint"] } == ["token", "token", "introspection", "none"])
                #expect(lines.map { $0["status"] } == [200, 401, 200, 404])
                #expect(lines.map { $0["outcome"] } == ["issued", "invalid_client", "inactive", "not_found"])
                #expect(lines.map { $0["client_id"] } == ["gateway", "gateway", "gateway", .null])
                #expect(lines.allSatisfy { $0["address"] == "127.0.0.1" })
                for line in lines {
                    #expect(line["time"]?.string?.hasSuffix("Z") == true)
                    if case .integer(let microseconds) = line["microseconds"] {
                        #expect(microseconds >= 0)
                    } else {
                        Issue.record("microseconds is no number")
                    }
                }
                #expect(Set(lines.compactMap { $0["request_id"]?.string }).count == 4)
                #expect(lines[1]["request_id"]?.string == refused.response.value("x-request-id"))
                #expect(dialogue.problems == [])
            }
        }

        @Test("An issuer that is another than before is one line at the start, and one that stays is none")
        func otherIssuer() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let (one, two) = ("https://one.example.com", "https://two.example.com")
            let logs = [
                try await withServer(scenario, issuer: one) { $0.log },
                try await withServer(scenario, issuer: one) { $0.log },
                try await withServer(scenario, issuer: two) { server in
                    try await eventually("it is said") { server.log.contains("the issuer was") }
                    return server.log
                },
            ]
            #expect(!logs[0].contains("the issuer was") && !logs[1].contains("the issuer was"))
            #expect(logs[2].contains("the issuer was \(one), is now \(two): "), "\(logs[2])")
        }

        @Test(
            "A token store that is another than before is one line at the start, and one that stays is none")
        func otherTokenStore() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            let redis = ["--redis", "unix://\(scenario.file("socket"))"]
            let logs = [
                try await withServer(scenario, arguments: redis) { server in
                    try await eventually("a store that is not there is said") {
                        server.log.contains("the token store is lost")
                    }
                    return server.log
                },
                try await withServer(scenario, arguments: redis) { $0.log },
                try await withServer(scenario) { server in
                    try await eventually("it is said") { server.log.contains("tokens were kept in") }
                    return server.log
                },
            ]
            #expect(!logs[0].contains("tokens were kept in") && !logs[1].contains("tokens were kept in"))
            #expect(
                logs[2].contains(
                    "/socket?db=0 under the prefix auth:, are now in SQLite beside the database: "),
                "\(logs[2])")
        }

        @Test("A token's line says which it is and what it is good for, and that of its end says which")
        func tokens() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue(
                    "resource=RESOURCE_ID_REVIEW&audience=RESOURCE_ID_REVIEW")
                _ = try await dialogue.issue("scope=read")
                _ = try await dialogue.revoke(token)
                _ = try await dialogue.revoke("a.b.c")
                try await eventually("all lines are written") { Self.requests(server).count == 4 }
                let lines = Self.requests(server)
                let payload = try #require(token.split(separator: ".").dropFirst().first)
                let claims = Base64URL.decode(Array(payload.utf8).span) ?? []
                let id = try JSON.parse(claims.span).object?["jti"]
                #expect(lines[0]["jti"] == id && lines[2]["jti"] == id && lines[3]["jti"] == nil)
                #expect(lines[0]["aud"] == .array(["RESOURCE_ID_REVIEW"]))
                #expect(lines[0]["scope"] == "read write")
                #expect(lines[1]["aud"] == .array(["RESOURCE_ID_BOOK", "RESOURCE_ID_REVIEW"]))
                #expect(lines[1]["scope"] == "read" && lines[1]["detail"] == .null)
                #expect(lines[0]["detail"]?.string?.contains("named by resource") == true)
                #expect(lines.map { $0["outcome"] } == ["issued", "issued", "revoked", "ignored"])
            }
        }

        @Test("A token's line says which of its client's secrets was sent")
        func secrets() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let gateway = try ClientID("gateway")
                let second = GeneratedSecret.make()
                let registry = try server.scenario.registry()
                _ = try await dialogue.issue()
                try registry.rotateSecret(
                    of: gateway, to: SecretVerifier(second), overlap: 3600, at: WallClock.now())
                _ = try await dialogue.issue()
                try await dialogue.token(by: .basic("gateway", secret: second.reveal())).has(status: 200)
                try await eventually("all lines are written") { Self.requests(server).count == 3 }
                let ids = Self.requests(server).map { $0["secret_id"]?.string }
                let known = try registry.client(gateway).secrets.map(\.id)
                #expect(known.count == 2 && ids[0] == ids[1] && ids[1] != ids[2])
                #expect(Set(ids) == Set(known))
                #expect(dialogue.problems == [])
            }
        }

        @Test("What a stranger sends stays within its line, and no secret of his is in it")
        func hostile() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let id = "a\"b\\c\u{2028}\u{1F511}"
                _ = try await dialogue.token(by: .basic(id, secret: "a-secret-that-was-sent"))
                _ = try await dialogue.token(by: .raw(Array("gateway:another-secret-that-was-sent".utf8)))
                _ = try await dialogue.token("scope=%0Aa-scope-that-was-sent")
                _ = try await dialogue.introspect("a-token-that-was-sent")
                _ = try await dialogue.get("/a-path-that-was-sent")
                try await eventually("all lines are written") { Self.requests(server).count == 5 }
                #expect(Self.requests(server)[0]["client_id"]?.string == "a\"b…")
                #expect(!server.log.contains("that-was-sent"))
            }
        }

        @Test(
            "What the HTTP layer refuses is a line too, and an error like every other",
            arguments: [
                (400, "GET / HTTP/1.1\r\n\r\n"),
                (411, "POST /oauth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                (413, "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"),
            ])
        func refused(status: Int, request: String) async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let answer = try await onThread {
                    let client = try RawConnection(port: server.port)
                    client.send(request)
                    return client.receive().text
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
                #expect(answer.contains("Content-Type: application/json\r\n"))
                #expect(answer.contains("Cache-Control: no-store\r\n"))
                #expect(answer.contains(#"{"error":"invalid_request","error_description":""#))
                try await eventually("the line is written") { Self.requests(server).count == 1 }
                let line = try #require(Self.requests(server).first)
                #expect(line["status"] == .integer(Int64(status)))
                #expect(line["outcome"] == "refused" && line["endpoint"] == "none")
                #expect(line["address"] == "127.0.0.1")
                #expect(line["detail"]?.string?.isEmpty == false)
                #expect(answer.contains("X-Request-Id: \(line["request_id"]?.string ?? "?")\r\n"))
            }
        }

        @Test("Connections beyond the limit are counted in the log")
        func turnedAway() async throws {
            try await withServer(arguments: ["--threads", "1", "--max-connections", "1"]) { server in
                try await onThread {
                    let first = try RawConnection(port: server.port)
                    first.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = first.receive { $0.contains("\r\n\r\n") }
                    for _ in 0..<3 { _ = try RawConnection(port: server.port).receive() }
                }
                try await eventually("they are in the log") {
                    Self.requests(server).contains { $0["outcome"] == "turned_away" && $0["status"] == 503 }
                }
            }
        }

        /// The lines of requests; every line of the log is a JSON object.
        private static func requests(_ server: ServerProcess) -> [JSONObject] {
            server.log.split(separator: "\n").compactMap { line in
                guard let object = try? JSON.parse(Array(line.utf8)).object else {
                    Issue.record("this line is no JSON: \(line)")
                    return nil
                }
                return object["endpoint"] == nil ? nil : object
            }
        }
    }
}
