import HTTP
import ServerCases
import Testing

@testable import AuthServer

@Suite("What the log is told of grants that are refused")
struct GrantRefusalTests {
    private static let target = "a requested resource is unknown, or this client has no grant there: "
    private static let scope = "a requested scope is not granted at every requested resource; "
    private static let granted = "granted: RESOURCE_ID_BOOK=read, RESOURCE_ID_REVIEW=read write"

    @Test(
        "Which resource or scope it was, what is granted, and of a name that nobody knows no more than fits no secret",
        arguments: [
            ("resource=RESOURCE_ID_GATEWAY", target + "RESOURCE_ID_GATEWAY is not granted"),
            ("resource=BOK&resource=RESOURCE_ID_BOOK", target + "BOK is unknown"),
            ("resource=RESOURCE_ID_BOOKS&resource=%C3%A9", target + "RESO… is unknown, é is unknown"),
            (
                "resource=RESOURCE_ID_BOOK&scope=read+wrte+a-name-of-16-bytes",
                scope + "requested: read, wrte, a-na…; " + granted
            ),
            (
                "scope=read,write",
                "no resource grants this client all requested scopes: scopes are separated by spaces "
                    + "(RFC 6749 section 3.3), not commas; requested: read,write; " + granted
            ),
            (
                "scope=a+b+c+d+e+f",
                "no resource grants this client all requested scopes; requested: a, b, c, d, e, …; " + granted
            ),
            (
                "scope=%22",
                "a scope is visible ASCII characters other than quote and backslash, separated by spaces; "
                    + "requested: \"; " + granted
            ),
        ])
    func detail(parameters: String, detail: String) async throws {
        let server = try await InProcessServer.start(Scenario(withBroughtSecrets: false))
        let answer = await server.answer(
            .token(parameters, by: .basic("gateway"), scenario: server.scenario))
        await server.stop()
        #expect(answer.response.status == 400)
        #expect(answer.detail == detail)
        #expect(!answer.response.text.contains("granted: "))
    }

    @Test("A name of few characters that have many scalars is cut too")
    func scalars() {
        let name = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(StrangeName.inLog(name).unicodeScalars.count == 5)
    }
}
