import Foundation
import TestSupport
import Testing

/// What docs/operations.md shows to be copied.
@Suite("Operations")
struct OperationsTests {
    private let document: Document

    init() throws { document = try Document("docs/operations.md") }

    @Test("The example of a configuration is understood, each line of it")
    func configuration() async throws {
        let example = try document.block("json5", with: "issuer")
        let session = try ShellSession(["EXAMPLE": example])
        let outcome = try await session.run(
            #"printf %s "$EXAMPLE" >a.json5 && authserver serve --print-config --config a.json5"#)
        #expect(outcome.status == 0, "\(outcome)")
        let given = outcome.output.filter { $0.hasSuffix("\tfile a.json5") }
        let keys = example.matches(of: /(?m)^ +([a-z_]+):/).map { String($0.1) }
        try #require(keys.count >= 6)
        #expect(Set(given.map { String($0.prefix { $0 != "\t" }) }) == Set(keys))
        #expect(given.contains("issuer\thttps://auth.example.com\tfile a.json5"))
    }

    @Test("The unit has what systemd needs to enable it, and the server's own time to end")
    func unit() throws {
        let unit = try document.block("ini", with: "ExecStart=")
        let lines = unit.split(separator: "\n")
        for line in ["[Unit]", "[Service]", "[Install]", "WantedBy=multi-user.target"] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        let seconds = try #require(unit.firstMatch(of: /(?m)^TimeoutStopSec=([0-9]+)$/)?.1)
        #expect(try #require(Int(seconds)) > 10)
        // The names of the two files stand at their beginnings.
        let file = try #require(try document.block("json5", with: "issuer").firstMatch(of: /^\/\/ (\S+)/)?.1)
        #expect(unit.contains("--config \(file)\n"))
    }

    @Test("The backup is for its owner alone", .enabled(if: isThere("sqlite3")))
    func backup() async throws {
        let command = try document.block("text", with: "copy.db")
        let outcome = try await ShellSession().run(
            "umask 022; authserver migrate >&2 && \(command) && stat -c %a copy.db && authserver key list --database copy.db >&2"
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == ["600"], "\(outcome)")
    }

    @Test("The commands that count lines of the log count them", .enabled(if: isThere("jq")))
    func metrics() async throws {
        let lines = document.blocks("json").filter { $0.hasPrefix(#"{"time""#) }
        try #require(lines.count == 1)
        let commands = try document.block("text", with: "jq").replacing(
            /journalctl[^|]*\|/, with: #"printf 'no JSON\n%s\n%s\n' "$LINE" "$LINE" |"#)
        let outcome = try await ShellSession(["LINE": lines[0]]).run(commands)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.output == ["      2 token 401 invalid_client", "      2 token 200 issued", "212"],
            "\(outcome)")
    }

    @Test("The users of Redis that it shows are enough for a server, whose clients get tokens")
    func redisUsers() async throws {
        let users = try document.block("text", with: "user authserver on")
        var options = RedisServer.Options()
        options.users = users.split(separator: "\n").map { String($0.dropFirst("user ".count)) }
        let redis = try await RedisServer.start(options)
        let script = """
            set -eu
            authserver migrate >&2
            authserver resource add BOOK --scopes read >&2
            secret=$(authserver client add gateway --grant BOOK=read)
            authserver serve >&2 & server=$!
            trap 'kill $server; wait $server || true' EXIT
            until curl -fs $URL/readyz >&2; do sleep 0.1; kill -0 $server; done
            curl -fs -u "gateway:$secret" -d grant_type=client_credentials $URL/oauth/token | cut -c 1-16
            """
        let port = try freePort()
        let outcome = try await ShellSession([
            "AUTHSERVER_REDIS": "redis://authserver:PASSWORD@127.0.0.1:\(redis.port)",
            "AUTHSERVER_LISTEN": "127.0.0.1:\(port)", "URL": "http://127.0.0.1:\(port)",
        ]).run(script)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == [#"{"access_token":"#], "\(outcome)")
    }

    @Test("The history is sent a line for each change", .enabled(if: isThere("jq")))
    func history() async throws {
        let command = try #require(
            document.text.firstMatch(of: /(?m)^ *(authserver history .*jq .*) \| logger/)?.1)
        let outcome = try await ShellSession().run(
            "authserver migrate >&2 && authserver client add gateway >&2 && \(command)"
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.output.count >= 3 && outcome.output.allSatisfy { $0.hasPrefix("{\"number\":") },
            "\(outcome)")
    }

    @Test("The script that sets up a client may run twice", .enabled(if: isThere("jq")))
    func script() async throws {
        let script = try document.block("bash", with: "gateway.secret")
        let run = "printf '%s\n' \"$SCRIPT\" | sh >&2"
        let outcome = try await ShellSession(["SCRIPT": script]).run(
            "authserver migrate >&2 && \(run) && cp gateway.secret first && \(run) && cmp first gateway.secret >&2"
                + " && stat -c %a gateway.secret && authserver client show gateway --json | jq -c .grants")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == ["600", #"{"BOOK":["read"]}"#], "\(outcome)")
    }

    private static func isThere(_ program: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + program)
        }
    }
}
