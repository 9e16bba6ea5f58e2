import Glibc
import TestSupport
import Testing

/// What `serve --check` says is what a start says, and nothing is made or changed for it.
@Suite("A check before a start")
struct ServeCheckTests {
    /// What the shell does before, and with which flags a start is then refused.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var preparation = ":"
        let flags: String
        let status: Int
    }

    static let cases = [
        Case(testDescription: "a setting that is none", flags: "--threads 0", status: 2),
        Case(
            testDescription: "no such certificate", flags: "--tls-certificate none.pem --tls-key none.pem",
            status: 2),
        Case(
            testDescription: "a certificate that is no PEM", preparation: "echo text >a.pem",
            flags: "--tls-certificate a.pem --tls-key a.pem", status: 2),
        Case(testDescription: "no such master key", flags: "--master-key-file none.key", status: 2),
        Case(
            testDescription: "a master key that others may read",
            preparation: "openssl rand -hex 32 >a.key; chmod 644 a.key", flags: "--master-key-file a.key",
            status: 2),
        Case(
            testDescription: "another master key than the registry's",
            preparation: """
                (umask 077; for name in one other; do openssl rand -hex 32 >$name.key; done)
                authserver migrate >/dev/null; authserver key rotate --master-key-file one.key >/dev/null 2>&1
                """, flags: "--master-key-file other.key", status: 2),
        Case(
            testDescription: "a master key that is not named",
            preparation: """
                (umask 077; openssl rand -hex 32 >one.key)
                authserver migrate >/dev/null; authserver key rotate --master-key-file one.key >/dev/null 2>&1
                """, flags: "", status: 2),
        Case(testDescription: "no folder for the database", flags: "--database none/a.db", status: 1),
        Case(
            testDescription: "a folder in its place", preparation: "mkdir a.db", flags: "--database a.db",
            status: 1),
        Case(
            testDescription: "a file that is no database",
            preparation: "head -c 9000 /dev/urandom >authserver.db", flags: "", status: 1),
        Case(
            testDescription: "a token store that is none",
            preparation: "authserver migrate >/dev/null; head -c 9000 /dev/urandom >authserver.db-tokens",
            flags: "", status: 1),
        Case(testDescription: "a URL of Redis that is none", flags: "--redis http://x", status: 2),
    ]

    @Test("What a start is refused for, a check is refused for, in the same words", arguments: cases)
    func refused(example: Case) async throws {
        let outcome = try await ShellSession().run(
            """
            \(example.preparation)
            for flag in --check ''; do
                timeout 10 authserver serve --listen 127.0.0.1:0 \(example.flags) $flag 2>"../said$flag"
                echo "exit $?"
            done
            cat ../said--check >&2 && cmp ../said--check ../said
            """)
        #expect(outcome.output == Array(repeating: "exit \(example.status)", count: 2), "\(outcome)")
        #expect(outcome.messages.first?.hasPrefix("authserver: ") == true, "\(outcome)")
    }

    @Test(
        "A database of a newer version is refused", .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0))
    func newer() async throws {
        let outcome = try await ShellSession().run(
            """
            authserver migrate >/dev/null
            sqlite3 authserver.db "INSERT INTO schema_migrations SELECT 9999, 'later.sql', checksum, applied_at
                FROM schema_migrations WHERE number = 1"
            authserver serve --check
            """)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.messages.first?.contains("a newer version") == true, "\(outcome)")
    }

    @Test("Where there is nothing yet nothing is made, and it is said that a start makes it")
    func new() async throws {
        let outcome = try await ShellSession().run("authserver serve --check && ls -A")
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        try #require(outcome.messages.count == 2, "\(outcome)")
        #expect(outcome.messages[0].hasPrefix("warning: there is no database /"), "\(outcome)")
        #expect(outcome.messages[0].hasSuffix("/authserver.db yet: a start makes it"), "\(outcome)")
        #expect(outcome.messages[1].hasPrefix("a start would find its files in order"), "\(outcome)")
    }

    @Test("All is well beside a running server too, whose port is not tried")
    func running() async throws {
        let outcome = try await ShellSession().run(
            """
            authserver serve --listen 127.0.0.1:0 --log-format text 2>log &
            for wait in $(seq 200); do grep -q 'listening on' log && break; sleep 0.05; done
            address=$(sed -n 's/.* listening on \\([0-9.:]*\\) .*/\\1/p' log)
            authserver serve --check --listen "$address" --json
            authserver serve --check --listen "$address" --print-config | grep ^listen | cut -f 1,3
            kill -TERM $!; wait $!
            """)
        #expect(outcome.output == [#"{"checked":true}"#, "listen\tflag --listen"], "\(outcome)")
        #expect(
            outcome.messages == ["a start would find its files in order; the port and Redis were not tried"],
            "\(outcome)")
    }

    @Test("A certificate that clients will not take is a warning, and what lacks migrations is told")
    func concerns() async throws {
        let outcome = try await ShellSession([
            "CERTIFICATE": TestCertificates.server, "KEY": TestCertificates.key,
        ]).run(
            """
            : >authserver.db; umask 077; echo "$CERTIFICATE" >a.pem; echo "$KEY" >a.key
            authserver serve --check --tls-certificate a.pem --tls-key a.key --issuer https://other.example
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.messages.contains { $0.contains("up to date: 0001_registry.sql, ") }, "\(outcome)")
        #expect(
            outcome.messages.contains(
                "warning: the TLS certificate a.pem does not cover other.example, the host of the issuer"),
            "\(outcome)")
    }
}
