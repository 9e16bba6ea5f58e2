import OAuth
import OutboundHTTP
import Testing

@testable import TokenClient

struct TokenResponseTests {
    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `token_type is compared without case (RFC 6749 §5.1)`(type: String) throws {
        let body =
            #"{"access_token":"abc","token_type":"\#(type)","expires_in":3600,"x":[{}],"scope":"write read"}"#
        let response = try TokenResponse(Array(body.utf8), requested: ["read"])
        #expect(response.token.authorizationHeader == "Bearer abc")
        #expect(response.token.scopes == ["read", "write"])
        #expect(response.lifetime == .seconds(3600))
    }

    @Test func `an answer without scope grants what was asked for`() throws {
        let body = #"{"access_token":"abc","token_type":"Bearer","expires_in":0.5}"#
        let response = try TokenResponse(Array(body.utf8), requested: ["read"])
        #expect(response.token.scopes == ["read"])
        #expect(response.lifetime == .milliseconds(500))
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "<html>", #"{"access_token":"abc","token_type":"Bearer"}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":"3600"}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":-1}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":1e999}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":NaN}"#,
        #"{"access_token":"abc","token_type":"mac","expires_in":3600}"#,
        #"{"access_token":"abc","expires_in":3600}"#,
        #"{"access_token":"","token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":5,"token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":"a b","token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":"a\r\nX: y","token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":"é","token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":3600,"scope":["read"]}"#,
        #"{"access_token":"abc","token_type":"Bearer","expires_in":3600,"scope":"a\"b"}"#,
        String(repeating: "[", count: 60_000),
    ])
    func `anything else is no token`(body: String) {
        let error = #expect(throws: TokenClientError.Reason.self) {
            try TokenResponse(Array(body.utf8), requested: [])
        }
        guard case .malformedAnswer = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test func `a lifetime of centuries is cut, not believed`() throws {
        let body = #"{"access_token":"abc","token_type":"Bearer","expires_in":1e300}"#
        #expect(try TokenResponse(Array(body.utf8), requested: []).lifetime == .seconds(366 * 24 * 3600))
    }

    @Test(arguments: [
        (#"{"error":"invalid_client","error_description":"no\r\nX: y é"}"#, "invalid_client", "no??X: y ?"),
        ("<html>", "without an error code", "no explanation"),
        (#"{"error":5}"#, "without an error code", "no explanation"),
    ])
    func `a refusal carries the server's code and text, fit for a log line`(
        body: String, code: String, explanation: String
    ) {
        let response = OutboundResponse(status: 401, body: Array(body.utf8))
        #expect(
            TokenResponse.refusal(response) == .refused(status: 401, code: code, explanation: explanation))
    }

    @Test(arguments: [
        (404, "check the URL of the token endpoint: it is the token_endpoint of the issuer's metadata"),
        (405, "check the URL of the token endpoint: it is the token_endpoint of the issuer's metadata"),
        (302, "redirects are not followed: check the URL of the token endpoint"),
        (400, "no explanation"),
    ])
    func `what is no token endpoint says what to check`(status: Int, explanation: String) {
        #expect(
            TokenResponse.refusal(OutboundResponse(status: status, body: Array("Not here".utf8)))
                == .refused(status: status, code: "without an error code", explanation: explanation))
    }

    @Test(arguments: [
        ("1x2c-4", #"wrong (request id "1x2c-4")"#), ("", "wrong"),
        ("a\r\nb\"", #"wrong (request id "a\r\nb\"")"#),
        (String(repeating: "x", count: 70), "wrong (request id \"\(String(repeating: "x", count: 64))…\")"),
    ])
    func `a refusal names the request as the server's log does`(id: String, explanation: String) {
        let response = OutboundResponse(
            status: 401, fields: ["x-request-id": id],
            body: Array(#"{"error":"invalid_client","error_description":"wrong"}"#.utf8))
        #expect(
            TokenResponse.refusal(response)
                == .refused(status: 401, code: "invalid_client", explanation: explanation))
    }

    @Test func `neither printing nor dumping shows the token`() {
        let token = AccessToken(value: "top-secret", scopes: ["read"])
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("top-secret")) }
    }
}
