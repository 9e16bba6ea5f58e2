import HTTP
import JOSE
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    @Suite("Request targets with an authority (RFC 9112 §3.2.2)")
    struct RequestTargetTests {
        private static let authorities = [
            "http://127.0.0.1:8083", "HTTPS://evil.example", "http://[::1]:1", "http://localhost",
        ]

        @Test("A token asked for so is the token asked for by the path, and says the configured issuer")
        func token() async throws {
            let issuer = "https://auth.example.com"
            try await withServer(issuer: issuer, arguments: ["--threads", "1"]) { server in
                let dialogue = Dialogue(server: server)
                for authority in Self.authorities {
                    let asked = try await dialogue.post(
                        "grant_type=client_credentials", to: authority + "/oauth/token", by: .basic("gateway")
                    )
                    let token = try #require(asked.response.json?["access_token"]?.string)
                    let claims = try Self.claims(token)
                    #expect(claims["iss"]?.string == issuer)
                    let state = try await dialogue.post(
                        "token=\(token)", to: authority + "/oauth/introspect", by: .basic("gateway"))
                    #expect(state.response.status == 200)
                    #expect(state.response.json?["iss"]?.string == issuer, "\(state.response.text)")
                }
                try await eventually("all lines are written") {
                    server.log.split(separator: "\n").count { $0.contains(#""endpoint":""#) } == 8
                }
                #expect(server.log.split(separator: "\n").count { $0.contains(#""endpoint":"token""#) } == 4)
                #expect(!server.log.contains("evil.example"), "\(server.log)")
            }
        }

        @Test("What is answered is the same, byte for byte, whatever the target and Host name")
        func same() async throws {
            try await withServer(issuer: "https://auth.example.com", arguments: ["--threads", "1"]) {
                server in
                for path in ["/.well-known/oauth-authorization-server", "/.well-known/jwks.json", "/healthz"]
                {
                    let usual = try await Self.answer(to: path, host: "127.0.0.1", server)
                    #expect(usual.status == 200, "\(path)")
                    for authority in Self.authorities {
                        let other = try await Self.answer(to: authority + path, host: "evil.example", server)
                        #expect(other.status == 200 && other.body == usual.body, "\(authority)\(path)")
                        #expect(other.fields.allSatisfy { !$0.value.contains("evil") })
                    }
                }
            }
        }

        @Test(
            "The rules of a path hold behind an authority",
            arguments: [
                (404, "http://a/oauth/token/"), (404, "http://a"), (404, "http://a//oauth/token"),
                (404, "http://a/http://a/oauth/token"), (405, "http://a/oauth/token"),
                (400, "http://user@a/healthz"), (400, "ftp://a/healthz"), (400, "a:80"),
                (200, "http://a/healthz"), (200, "http://a/healthz?x=y"), (200, "/healthz?x=y"),
            ])
        func rules(status: Int, target: String) async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let answer = try await Self.answer(to: target, host: "a", server)
                #expect(answer.status == status)
            }
        }

        @Test("A query at an endpoint of credentials is refused behind an authority too")
        func query() async throws {
            try await withServer(arguments: ["--threads", "1"]) { server in
                let asked = try await Dialogue(server: server).post(
                    "grant_type=client_credentials", to: "http://a/oauth/token?a=b", by: .basic("gateway"))
                #expect(asked.response.status == 400)
                #expect(asked.response.json?["error"] == "invalid_request")
            }
        }

        private static func answer(
            to target: String, host: String, _ server: ServerProcess
        ) async throws -> HTTPResponse {
            try await onThread {
                let client = try RawConnection(port: server.port)
                client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                let (bytes, _) = client.receiveBytes(within: .seconds(10)) {
                    Wire.response($0, to: "GET") != nil
                }
                let response = Wire.response(bytes, to: "GET")
                return try #require(response)
            }
        }

        private static func claims(_ token: String) throws -> JSONObject {
            let part = try #require(token.split(separator: ".").dropFirst().first)
            let bytes = try #require(Base64URL.decode(String(part)))
            let claims = try JSON.parse(bytes).object
            return try #require(claims)
        }
    }
}
