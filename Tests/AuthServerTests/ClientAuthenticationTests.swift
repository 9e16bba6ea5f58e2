import HTTP
import ServerCases
import Testing

@testable import AuthServer

@Suite("What the log is told of credentials that are refused")
struct ClientAuthenticationTests {
    @Test(
        "One answer for all, and a hint in the log where a token was sent instead of a secret",
        arguments: [
            ("Bearer abc", true), ("bearer  abc", true), ("Bearer", true), ("Basic !!!!", false),
            ("Bearers abc", false), ("Digest abc", false), ("", false),
        ])
    func scheme(authorization: String, isBearer: Bool) async throws {
        let server = try await InProcessServer.start(Scenario())
        let bearer = HTTPRequest.token(by: .header(authorization), scenario: server.scenario)
        let malformed = HTTPRequest.token(by: .header("Basic !"), scenario: server.scenario)
        let (answer, usual) = (await server.answer(bearer), await server.answer(malformed))
        await server.stop()
        #expect(answer.response.status == 401)
        #expect(answer.response.text == usual.response.text)
        #expect(answer.response.fields == usual.response.fields)
        let hint = "the scheme is Bearer: authenticate as a client with HTTP Basic"
        #expect(answer.detail == (isBearer ? hint : "the credentials are malformed"))
    }
}
