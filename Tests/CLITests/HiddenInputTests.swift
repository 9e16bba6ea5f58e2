import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A secret that is typed")
struct HiddenInputTests {
    /// A terminal whose other end the test has.
    private final class Terminal: Sendable {
        let path: String
        private let end: Int32
        private let other: Int32

        init() throws {
            var ends: (Int32, Int32) = (-1, -1)
            guard openpty(&ends.0, &ends.1, nil, nil, nil) == 0, let name = ttyname(ends.1) else {
                throw TestFailure("there is no pseudoterminal")
            }
            (end, other) = ends
            path = String(cString: name)
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
                set -m; exec 3<>"$2"
                "$0" client add gateway --secret-stdin --database "$1" <&3 2>/dev/null & echo "id $!"
                wait -f $!; echo "ended $?"
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
}
