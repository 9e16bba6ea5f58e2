import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A secret that is typed")
struct HiddenInputTests {
    /// Of a script: says how its job `$id` ended. Not with `wait -f`, which in bash 5.2 never returns when the job ends just
    /// before, and not in a loop, which may be left when a job is stopped meanwhile.
    private static let waitForEnd =
        #"tail --pid=$id -s 0.05 -f /dev/null; wait $id; echo "ended $?""#

    /// A terminal whose other end the test has.
    private final class Terminal: Sendable {
        let path: String
        private let end: Int32
        private let other: Int32

        init() throws {
            var ends: (Int32, Int32) = (-1, -1)
            var name = [CChar](repeating: 0, count: 64)
            guard openpty(&ends.0, &ends.1, nil, nil, nil) == 0, ttyname_r(ends.1, &name, name.count) == 0
            else {
                throw TestFailure("there is no pseudoterminal")
            }
            (end, other) = ends
            path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        deinit {
            close(end)
            close(other)
        }

        var isShowing: Bool {
            var state = termios()
            return tcgetattr(end, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
        }

        func type(_ text: String) {
            let bytes = Array(text.utf8)
            _ = write(end, bytes, bytes.count)
        }

        /// What was printed or shown since the last call.
        func read() -> String {
            var watched = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            var bytes = [UInt8](repeating: 0, count: 4096)
            guard poll(&watched, 1, 0) == 1 else { return "" }
            let count = Glibc.read(end, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    /// A script of a shell that a terminal controls. In it, `ask NAME` stands for a command that asks for a secret.
    private struct Session {
        let terminal: Terminal
        let shell: ChildProcess
        private let directory: TemporaryDirectory

        init(_ script: String) throws {
            (terminal, directory) = (try Terminal(), try TemporaryDirectory())
            let asking = script.replacing(/ask ([a-z]+)/) {
                #""$0" client add \#($0.1) --secret-stdin --database "$D/a.db""#
            }
            let commands = #""$0" migrate --database "$D/a.db" >/dev/null; "# + asking
            shell = try ChildProcess(
                [
                    "/bin/bash", "-c", #"exec setsid -cw /bin/bash -c "$1" "$2" <>"$3" >&0 2>&0"#, "bash",
                    commands, try Product.path("authserver"), terminal.path,
                ], environment: ["PATH": "/usr/bin:/bin", "D": directory.path],
                logFile: directory.file("log"))
        }

        /// Makes the file that the script may wait for.
        func finish() throws { try Data().write(to: URL(filePath: directory.file("go"))) }

        /// Reads what the terminal gets until it holds `text`, so many times.
        func shown(until text: String, times: Int = 1) async throws -> String {
            var shown = ""
            try await eventually("\(text) on the terminal") {
                shown += terminal.read()
                return shown.ranges(of: text).count >= times
            }
            return shown
        }
    }

    /// A command that asks for a secret on a terminal, as a job of a shell: a process group of its own, which can be
    /// stopped.
    private struct Question {
        let terminal: Terminal
        let shell: ChildProcess
        let process: pid_t
        let directory: TemporaryDirectory

        init(terminal: Terminal, shell: ChildProcess, process: pid_t, directory: TemporaryDirectory) {
            (self.terminal, self.shell, self.process, self.directory) = (terminal, shell, process, directory)
        }

        init() async throws {
            let terminal = try Terminal()
            let directory = try TemporaryDirectory()
            let script = """
                "$0" migrate --database "$1" >/dev/null; set -m; exec 3<>"$2"
                "$0" client add gateway --secret-stdin --database "$1" <&3 2>/dev/null & id=$!; echo "id $id"
                \(HiddenInputTests.waitForEnd)
                """
            // SIGQUIT is a crash to Swift where its sources are at hand, and asks what to do about it.
            let shell = try ChildProcess(
                [
                    "/bin/bash", "-c", script, try Product.path("authserver"), directory.file("a.db"),
                    terminal.path,
                ], environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"],
                logFile: directory.file("log"))
            try await eventually("the question") { shell.log.contains("id ") && !terminal.isShowing }
            process = try #require(shell.log.firstMatch(of: /id ([0-9]+)/).flatMap { pid_t($0.1) })
            (self.terminal, self.shell, self.directory) = (terminal, shell, directory)
        }

        var state: String? {
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status.flatMap { $0.firstMatch(of: /\) ([A-Za-z])/).map { String($0.1) } }
        }

        func ended() async throws -> String {
            try await shell.waitForExit()
            return shell.log
        }
    }

    @Test(
        "A signal that ends the question shows again what is typed",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func ends(signal: Int32) async throws {
        let question = try await Question()
        kill(question.process, signal)
        #expect(try await question.ended().contains("ended \(128 + signal)\n"))
        #expect(question.terminal.isShowing)
    }

    @Test("In the background nobody is asked, and the terminal stays as it is")
    func background() async throws {
        let terminal = try Terminal()
        let directory = try TemporaryDirectory()
        let script = """
            "$0" migrate --database "$1" >/dev/null
            setsid -c /bin/bash -c 'set -m
                "$0" client add gateway --secret-stdin --database "$1" 2>/dev/null & echo "id $!"
                for turn in {1..300}; do kill -0 $! 2>/dev/null || break; sleep 0.1; done' \
                "$0" "$1" <"$2"
            """
        let shell = try ChildProcess(
            [
                "/bin/bash", "-c", script, try Product.path("authserver"), directory.file("a.db"),
                terminal.path,
            ],
            environment: ["PATH": "/usr/bin:/bin"], logFile: directory.file("log"))
        try await eventually("the job") { shell.log.contains("id ") }
        let process = try #require(shell.log.firstMatch(of: /id ([0-9]+)/).flatMap { pid_t($0.1) })
        let question = Question(terminal: terminal, shell: shell, process: process, directory: directory)
        for _ in 0..<2 {
            try await eventually("the stop") { question.state == "T" }
            #expect(terminal.isShowing)
            kill(process, SIGCONT)
        }
        kill(process, SIGKILL)
    }

    @Test("While it is stopped the terminal shows what is typed, and when it goes on no more")
    func stops() async throws {
        let question = try await Question()
        for _ in 0..<2 {
            kill(question.process, SIGTSTP)
            try await eventually("the stop") { question.state == "T" }
            #expect(question.terminal.isShowing)
            kill(question.process, SIGCONT)
            try await eventually("the question again") { !question.terminal.isShowing }
        }
        question.terminal.type("a long enough secret\n")
        #expect(try await question.ended().contains("ended 0\n"))
        #expect(question.terminal.isShowing)
    }

    @Test(
        "It is hidden what is typed before the question is asked: an answer at once is taken, and not shown")
    func hidesFirst() async throws {
        let session = try Session("sleep 0.3; ask gateway; echo over")
        // With the output held, whoever asks first does not come to hiding.
        session.terminal.type("\u{13}")
        try await eventually("the hiding") { !session.terminal.isShowing }
        session.terminal.type("\u{11}")
        _ = try await session.shown(until: "(not shown): ")
        session.terminal.type("a long enough secret\n")
        let shown = try await session.shown(until: "over")
        #expect(shown.contains("gateway is registered"))
        #expect(!shown.contains("enough secret"))
    }

    @Test("What is typed behind the secret is for whoever reads next")
    func typedAhead() async throws {
        let session = try Session("ask gateway; read -r next; echo \"<$next>\"")
        _ = try await session.shown(until: "(not shown): ")
        session.terminal.type("a long enough secret\nls -l\n")
        #expect(try await session.shown(until: ">").contains("<ls -l>"))
    }

    @Test(
        "Of two that ask on one terminal the second is refused, and the terminal goes on hiding for the first"
    )
    func taken() async throws {
        let session = try Session(
            """
            ask first </dev/tty & first=$!
            while [[ $(stty) != *-echo* ]]; do sleep 0.1; done
            ask second; echo "second $?";
            while [[ ! -e $D/go ]]; do sleep 0.1; done
            kill $first; wait $first 2>/dev/null; echo over
            """)
        let shown = try await session.shown(until: "second 1")
        #expect(shown.contains("another command asks for a secret on this terminal"))
        #expect(!session.terminal.isShowing)
        try session.finish()
        _ = try await session.shown(until: "over")
        #expect(session.terminal.isShowing)
    }

    @Test("Whoever asks when another is just about to end gets its turn, and sets the terminal right")
    func turns() async throws {
        let session = try Session(
            """
            ask first </dev/tty & first=$!
            while [[ $(stty) != *-echo* ]]; do sleep 0.1; done
            (sleep 0.3; kill $first) & ask second; echo over
            """)
        _ = try await session.shown(until: "(not shown): ", times: 2)
        session.terminal.type("a long enough secret\n")
        let shown = try await session.shown(until: "over")
        #expect(shown.contains("second is registered"))
        #expect(!shown.contains("enough secret"))
        #expect(session.terminal.isShowing)
    }

    @Test("A job that was stopped at the question ends as any other when the shell ends it")
    func killedWhileStopped() async throws {
        let session = try Session(
            """
            set -m; ask gateway; id=$(jobs -p %1); kill %1
            while kill -0 $id 2>/dev/null; do sleep 0.05; done; echo over
            """)
        _ = try await session.shown(until: "(not shown): ")
        session.terminal.type("half of \u{1a}")
        #expect(try await session.shown(until: "over").contains("Stopped"))
        #expect(session.terminal.isShowing)
    }

    @Test("A job that was stopped as it started in the background ends when the shell ends it")
    func killedInBackground() async throws {
        let session = try Session(
            """
            set -m; for turn in {1..10}; do
                ask gateway & until [[ $(jobs %%) == *Stopped* ]]; do sleep 0.05; done
                id=$!; kill %%; \(HiddenInputTests.waitForEnd)
            done
            """)
        _ = try await session.shown(until: "ended 143", times: 10)
        #expect(session.terminal.isShowing)
    }
}
