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

    @Test(arguments: [
        (
            "https://auth.example/", "https://auth.example",
            "give this service the issuer without the slash at the end"
        ),
        (
            "https://auth.example", "https://auth.example/",
            "give this service the issuer with the slash at the end"
        ),
        ("http://localhost:1", "https://localhost:1", "give this service the issuer with https"),
        (
            "https://auth.example/a", "http://auth.example/a",
            "give the authorization server its issuer with https: authserver serve --issuer"
        ),
    ])
    func `an issuer that is nearly the server's: the error says what to do`(
        issuer: String, stated: String, advice: String
    ) {
        let error = #expect(throws: ServerMetadata.Invalid.self) {
            try read(#"{"issuer":"\#(stated)"}"#, issuer: issuer)
        }
        #expect(
            error?.description
                == #"the issuer's metadata is for another issuer: "\#(stated)" instead of "\#(issuer)": \#(advice)"#
        )
    }

    @Test(arguments: [
        "https://auth.example//", "https://auth.example/a", "http://evil.example", "https://", "http", "",
    ])
    func `an issuer that is quite another comes without advice`(stated: String) {
        let error = #expect(throws: ServerMetadata.Invalid.self) { try read(#"{"issuer":"\#(stated)"}"#) }
        #expect(error?.description.hasSuffix(#" instead of "https://auth.example""#) == true)
    }

    @Test(arguments: [
        (
            404, "https://auth.example",
            "; check the issuer: it is the `issuer` of the server, and not its token endpoint"
        ),
        (500, "http://localhost", ""), (400, "https://auth.example", ""),
        (400, "http://localhost", "; perhaps it speaks https there: check the issuer's scheme and port"),
        (
            301, "http://localhost",
            "; redirects are not followed: give this service the issuer that the server has"
        ),
    ])
    func `a status other than 200 is refused`(status: Int, issuer: String, advice: String) {
        let error = #expect(throws: ServerMetadata.Invalid.self) {
            try read(#"{"issuer":"\#(issuer)"}"#, status: status, issuer: issuer)
        }
        #expect(error?.description == "the issuer's metadata answered status \(status)\(advice)")
    }

    @Test func `an issuer on plain http may name plain http on its own host alone`() throws {
        let own = #"{"issuer":"http://localhost:1","jwks_uri":"http://localhost:2/k"}"#
        #expect(try read(own, issuer: "http://localhost:1").keys?.text == "http://localhost:2/k")
        let other = #"{"issuer":"http://localhost:1","jwks_uri":"http://127.0.0.1:2/k"}"#
        #expect(throws: ServerMetadata.Invalid.self) { try read(other, issuer: "http://localhost:1") }
    }
}
