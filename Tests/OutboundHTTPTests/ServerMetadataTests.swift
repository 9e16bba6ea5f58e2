import OutboundHTTP
import Testing

struct ServerMetadataTests {
    private func read(
        _ body: String, status: Int = 200, issuer: String = "https://auth.example"
    ) throws -> ServerMetadata {
        try ServerMetadata(
            OutboundResponse(status: status, body: Array(body.utf8)), issuer: EndpointURL(issuer))
    }

    @Test func `the endpoints are read`() throws {
        let metadata = try read(
            #"{"issuer":"https://auth.example","jwks_uri":"https://keys.example/k","token_endpoint":"https://auth.example/t"}"#
        )
        #expect(metadata.keys?.text == "https://keys.example/k")
        #expect(metadata.tokenEndpoint?.text == "https://auth.example/t")
    }

    @Test(arguments: [
        #"{"issuer":"https://auth.example/"}"#, #"{"issuer":"https://AUTH.example"}"#,
        #"{"issuer":"https://evil.example"}"#, #"{"issuer":5}"#, "{}", "[]", "", "<html>",
        #"{"issuer":"https://auth.example","jwks_uri":"http://auth.example/k"}"#,
        #"{"issuer":"https://auth.example","jwks_uri":"http://127.0.0.1/k"}"#,
        #"{"issuer":"https://auth.example","jwks_uri":"file:///etc/passwd"}"#,
        #"{"issuer":"https://auth.example","token_endpoint":"http://auth.example/t"}"#,
    ])
    func `another issuer, no JSON or an endpoint without https is refused (RFC 8414 §3.3)`(body: String) {
        #expect(throws: ServerMetadata.Invalid.self) { try read(body) }
    }

    @Test func `a status other than 200 is refused`() {
        #expect(throws: ServerMetadata.Invalid.self) {
            try read(#"{"issuer":"https://auth.example"}"#, status: 404)
        }
    }

    @Test func `an issuer on plain http may name plain http on its own host alone`() throws {
        let own = #"{"issuer":"http://localhost:1","jwks_uri":"http://localhost:2/k"}"#
        #expect(try read(own, issuer: "http://localhost:1").keys?.text == "http://localhost:2/k")
        let other = #"{"issuer":"http://localhost:1","jwks_uri":"http://127.0.0.1:2/k"}"#
        #expect(throws: ServerMetadata.Invalid.self) { try read(other, issuer: "http://localhost:1") }
    }
}
