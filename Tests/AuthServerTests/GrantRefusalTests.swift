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
            (
                "resource=RESOURCE_ID_BOK&resource=RESOURCE_ID_BOOK",
                target + "a name like RESOURCE_ID_BOOK is unknown"
            ),
            (
                "resource=RESOURCE_ID_BOK&resource=%C3%A9",
                target + "a name like RESOURCE_ID_BOOK is unknown, a name that is not known"
            ),
            ("resource=resource_id_book", target + "a name like RESOURCE_ID_BOOK is unknown"),
            ("resource=https://a.example&resource=tiger-lily", target + "2 names that are not known"),
            (
                "resource=RESOURCE_ID_BOOK&scope=read+write+wrte+a-name-of-16-bytes",
                scope + "requested: read, write, a name like write, a name that is not known; " + granted
            ),
            (
                "scope=blue+whale+sings+loudly+at+dawn",
                "no resource grants this client all requested scopes; requested: 6 names that are not known; "
                    + granted
            ),
            (
                "scope=read,write",
                "no resource grants this client all requested scopes: scopes are separated by spaces "
                    + "(RFC 6749 section 3.3), not commas; requested: a name that is not known; " + granted
            ),
            (
                "scope=%22",
                "a scope is visible ASCII characters other than quote and backslash, separated by spaces; "
                    + "requested: a name that is not known; " + granted
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

    @Test(
        "Of a stranger's name the log has half, and four scalars at most",
        arguments: [("gatwey", "gat…"), ("a", "…"), ("tiger-lily-2026", "tige…"), ("", "…")])
    func stranger(name: String, beginning: String) {
        #expect(StrangeName.beginning(of: name) == beginning)
        let marked = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(StrangeName.beginning(of: marked).unicodeScalars.count == 5)
    }

    @Test(
        "A name that is misspelt in a place or two is told from one that is another",
        arguments: [
            ("wrte", "write"), ("writ", "write"), ("WRITE", "write"), ("wriet", "write"), ("red", "read"),
            ("dawn", nil), ("re", nil), ("", nil), (String(repeating: "read", count: 20), nil),
        ] as [(String, String?)])
    func misspelt(name: String, meant: String?) {
        #expect(StrangeName.meant(name, among: ["read", "write"]) == meant)
    }
}
