import Foundation
import TestSupport
import Testing

/// The commands of the README, run as they stand there.
@Suite("README")
struct ReadmeTests {
    /// Blocks marked `sh` are one session of a user, each block after the other in one folder; the port alone is
    /// another, since 8083 may be in use here.
    @Test("Its commands succeed, in the order in which they stand there")
    func commandsRun() async throws {
        let port = Int(try freePort())
        let blocks = try Document("README.md").blocks("sh").map {
            $0.replacing("8083", with: String(port))
                .replacing("authserver serve &", with: Self.serveAndWait(port: port))
        }
        try #require(blocks.count >= 7)
        let script = """
            set -eu
            trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT
            \(blocks.joined(separator: "\n"))
            """
        let session = try ShellSession(["AUTHSERVER_LISTEN": "127.0.0.1:\(port)"])
        let outcome = try await session.run(script)
        #expect(outcome.status == 0, "\(outcome)")
        let printed = outcome.output.joined(separator: "\n")
        #expect(printed.contains(#""token_type":"Bearer","expires_in":3600,"scope":"read""#))
        #expect(printed.contains("RESOURCE_ID_REVIEW"))
    }

    /// Blocks marked `bash` start from a clone, or take minutes: each of their scripts is there, and is what
    /// continuous integration runs.
    @Test("Its scripts exist and explain themselves")
    func scriptsExist() throws {
        let named = try Document("README.md").blocks("bash").flatMap {
            $0.split(whereSeparator: { " \n&".contains($0) })
        }
        .filter { $0.hasPrefix("scripts/") }
        try #require(named.count >= 4)
        for script in Set(named) {
            let path = Document.root.appending(path: String(script)).path(percentEncoded: false)
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(script)")
        }
    }

    @Test("The files that it links to are there")
    func linksResolve() throws {
        let text = try Document("README.md").text
        let links = text.matches(of: /\]\((docs\/[^)#]+)(?:#[^)]*)?\)/).map { String($0.1) }
        try #require(!links.isEmpty)
        for link in links {
            let path = Document.root.appending(path: link).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: path), "\(link)")
        }
    }

    private static func serveAndWait(port: Int) -> String {
        """
        authserver serve & server=$!
        until curl -fs http://127.0.0.1:\(port)/readyz; do sleep 0.1; kill -0 $server; done
        """
    }
}
