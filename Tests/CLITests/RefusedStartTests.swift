import Foundation
import Glibc
import TestSupport
import Testing

/// A start that is refused changes nothing: what was wrong is mended, and the next start is the first.
@Suite("A refused start leaves no file behind")
struct RefusedStartTests {
    /// Why a start is refused, and what the refusal says.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var listen = "127.0.0.1:0"
        let flags: String
        let status: Int
        let messages: [String]
    }

    static let cases = [
        Case(
            testDescription: "a setting that is none", flags: "--threads 0", status: 2,
            messages: ["--threads"]),
        Case(
            testDescription: "a master key file that is not there", flags: "--master-key-file ../none",
            status: 2, messages: ["the master key file ../none cannot be read"]),
        Case(
            testDescription: "a TLS certificate that is not there",
            flags: "--tls-certificate ../none --tls-key ../none", status: 2,
            messages: ["the TLS certificate ../none cannot be read"]),
        Case(
            testDescription: "an address of another machine", listen: "192.0.2.1:8083",
            flags: "--allow-insecure-listen --issuer https://auth.example.com", status: 1,
            messages: ["cannot listen on 192.0.2.1:8083"]),
    ]

    @Test("for what can be known without the database", arguments: cases)
    func refused(_ example: Case) async throws {
        let outcome = try await ShellSession().run(
            """
            mkdir empty && cd empty
            timeout 10 authserver serve --listen \(example.listen) \(example.flags)
            echo "exit $?" && ls -A
            """)
        #expect(outcome.output == ["exit \(example.status)"], "\(outcome)")
        for message in example.messages {
            #expect(outcome.messages.contains { $0.contains(message) }, "\(outcome)")
        }
    }

    @Test(
        "and says why as a line of the log where that is JSON by name, with the same status",
        arguments: [
            (
                "--log-format json --threads 0", 2,
                #"{"time":"*","event":"the server did not start: --threads*"}"#
            ),
            (
                "--log-format json --master-key-file ../none", 2,
                #"{"time":"*","event":"the server did not start: the master key file ../none cannot be read*"}"#
            ),
            (
                "--log-format json --database /none/a.db", 1,
                #"{"time":"*","event":"the server did not start: *"}"#
            ),
            ("--log-format json --json --threads 0", 2, #"{"error":"usage","message":"--threads*"}"#),
            ("--log-format auto --threads 0", 2, "authserver: --threads*"),
            ("--log-format jsn --threads 0", 2, "authserver: *"),
            ("--log-format json --thread", 2, "authserver: unknown flag --thread"),
        ])
    func logged(flags: String, status: Int, line: String) async throws {
        let outcome = try await ShellSession().run(
            """
            timeout 10 authserver serve --listen 127.0.0.1:0 \(flags)
            echo "exit $?"
            """)
        #expect(outcome.output == ["exit \(status)"], "\(outcome)")
        let message = outcome.messages.first ?? ""
        #expect(fnmatch(line, message, FNM_NOESCAPE) == 0, "\(outcome)")
        #expect(outcome.messages.count == (line.hasPrefix("{") ? 1 : 2), "\(outcome)")
    }

    @Test(
        "for a file of tokens that is none",
        arguments: [
            ("mkdir", "is a folder"), ("mkfifo", "is no regular file"),
            ("head -c 9000 /dev/urandom >", "not a database"),
            ("authserver migrate >/dev/null --database", "no token store of authserver"),
        ])
    func tokenFile(make: String, message: String) async throws {
        let outcome = try await ShellSession().run(
            """
            \(make) ../new.db-tokens && ls .. >../before
            timeout 10 authserver serve --listen 127.0.0.1:0 --database ../new.db
            echo "exit $?" && ls .. | diff ../before -
            """)
        #expect(outcome.output == ["exit 1"], "\(outcome)")
        #expect(outcome.messages.contains { $0.contains(message) }, "\(outcome)")
    }

    @Test("and what a living server noted in the registry stays")
    func notes() async throws {
        let outcome = try await ShellSession().run(
            """
            authserver migrate >/dev/null
            sqlite3 authserver.db "INSERT INTO server VALUES (1, 'https://auth.example', 300, 0)" \
                "INSERT INTO token_store VALUES (1, 'elsewhere')"
            head -c 9000 /dev/urandom >authserver.db-tokens
            timeout 10 authserver serve --listen 127.0.0.1:0 --jwks-max-age 10s
            echo "exit $?" && sqlite3 authserver.db "SELECT * FROM server" "SELECT * FROM token_store"
            """)
        #expect(
            outcome.output == ["exit 1", "1|https://auth.example|300|0", "1|elsewhere"], "\(outcome)")
    }

    @Test("also where the system gives a thread nothing to serve with, and the limit to raise is named")
    func fewDescriptors() async throws {
        for limit in stride(from: 12, through: 60, by: 4) {
            let outcome = try await ShellSession().run(
                """
                authserver migrate >/dev/null
                sqlite3 authserver.db "INSERT INTO server VALUES (1, 'https://auth.example', 300, 0)"
                (ulimit -n \(limit); timeout 10 authserver serve --listen 127.0.0.1:0 --threads 8 --jwks-max-age 10s)
                echo "exit $?" && sqlite3 authserver.db "SELECT * FROM server"
                """)
            #expect(outcome.output == ["exit 1", "1|https://auth.example|300|0"], "\(limit): \(outcome)")
            #expect(outcome.messages.first?.hasPrefix("authserver: ") == true, "\(limit): \(outcome)")
            #expect(
                outcome.messages.last?.contains("raise the limit (ulimit -n;") == true, "\(limit): \(outcome)"
            )
        }
    }

    @Test("for keys that another master key encrypted")
    func otherMasterKey() async throws {
        let outcome = try await ShellSession().run(
            """
            umask 077 && for name in one other; do openssl rand -hex 32 >../$name; done
            authserver migrate >/dev/null && authserver key rotate --master-key-file ../one >/dev/null 2>&1
            ls -A
            timeout 10 authserver serve --listen 127.0.0.1:0 --master-key-file ../other
            echo "exit $?" && ls -A
            """)
        #expect(outcome.output == ["authserver.db", "exit 2", "authserver.db"], "\(outcome)")
        #expect(
            outcome.messages.first?.contains("was encrypted with another master key") == true, "\(outcome)")
    }

    @Test("for a port that is in use")
    func portInUse() async throws {
        let outcome = try await ShellSession().run(
            """
            authserver serve --listen 127.0.0.1:0 --log-format text 2>log &
            first=$!
            for wait in $(seq 200); do grep -q 'listening on' log && break; sleep 0.05; done
            address=$(sed -n 's/.* listening on \\([0-9.:]*\\) .*/\\1/p' log)
            mkdir empty && cd empty
            timeout 10 authserver serve --listen "$address"
            echo "exit $?" && ls -A
            kill -TERM $first; wait $first
            """)
        #expect(outcome.output == ["exit 1"], "\(outcome)")
        #expect(outcome.messages.first?.hasPrefix("authserver: cannot listen on 127.0.0.1:") == true)
        #expect(outcome.messages.last?.contains("in use by another process") == true, "\(outcome)")
    }

    @Test(
        "for a port that only the system's own servers may have, and the way to it is named",
        .enabled(
            if: LowPort.canBeDenied,
            "no setpriv to give up CAP_NET_BIND_SERVICE, or any user may have any port")
    )
    func lowPort() async throws {
        let outcome = try await ShellSession().run(
            """
            \(LowPort.withoutCapability) timeout 10 authserver serve --listen 127.0.0.1:443
            echo "exit $?" && ls -A
            """)
        #expect(outcome.output == ["exit 1"], "\(outcome)")
        #expect(
            outcome.messages == [
                "authserver: cannot listen on 127.0.0.1:443",
                "hint: cannot use port 443 of 127.0.0.1: Permission denied: a port below 1024 needs "
                    + "CAP_NET_BIND_SERVICE (in a systemd unit: AmbientCapabilities=CAP_NET_BIND_SERVICE); "
                    + "else choose another port, such as 8083",
            ], "\(outcome)")
    }
}

/// How a test comes to a process that may not have a port below 1024.
private enum LowPort {
    /// What a command is begun with: root gives the capability up, others do not have it.
    static let withoutCapability = geteuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : ""

    /// Whether there is such a process, and such a port.
    static let canBeDenied =
        (geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0) && firstFreePort > 443

    /// The first port that every user may have.
    private static var firstFreePort: Int {
        let file = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return text.flatMap { Int($0.filter(\.isNumber)) } ?? 1024
    }
}
