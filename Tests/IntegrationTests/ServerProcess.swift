import AuthStore
import Foundation
import Glibc
import HTTP
import JOSE
import ServerCases
import Synchronization
import Testing
import TestSupport

/// The real `authserver serve` on a free port; ended by its id.
final class ServerProcess: ServerUnderTest {
    let scenario: Scenario
    let issuer: String
    let port: Int
    private let child: ChildProcess
    private let tokens = Mutex<Set<String>>([])

    /// Starts the server and waits until it listens.
    /// - Parameters:
    ///   - arguments: more flags; `--listen` is given.
    ///   - namesDatabase: whether `--database` is given too, or the configuration names it.
    ///   - environment: more variables; an empty one is not set. Failed authentications are without end unless they say otherwise.
    static func start(
        _ scenario: Scenario, issuer: String? = nil, port: Int = 0, arguments: [String] = [],
        environment: [String: String] = [:], namesDatabase: Bool = true
    ) async throws -> ServerProcess {
        var flags = issuer.map { ["--issuer", $0] } ?? []
        if namesDatabase { flags += ["--database", scenario.database] }
        let child = try launch(
            ["--listen", "127.0.0.1:\(port)"] + flags + arguments,
            environment: environment, directory: scenario)
        try await eventually("authserver listens", within: .seconds(30)) {
            child.poll() != nil || listening(child.log) != nil
        }
        guard let bound = listening(child.log) else {
            throw TestFailure("authserver does not start:\n\(child.log)")
        }
        return ServerProcess(scenario: scenario, issuer: issuer, port: bound, child: child)
    }

    /// Starts `authserver serve` with these flags, whatever comes of it.
    static func launch(
        _ flags: [String], environment: [String: String] = [:], directory: Scenario
    ) throws -> ChildProcess {
        let log = directory.file("serve-\(UInt32.random(in: .min ... .max)).log")
        let variables = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "AUTHSERVER_MAX_FAILURES": "0",
        ].merging(environment) { $1 }.filter { !$0.value.isEmpty }
        return try ChildProcess(
            [try Product.path("authserver"), "serve", "--log-format", "json"] + flags,
            environment: variables, logFile: log)
    }

    private init(scenario: Scenario, issuer: String?, port: Int, child: ChildProcess) {
        self.scenario = scenario
        self.port = port
        self.issuer = issuer ?? "http://127.0.0.1:\(port)"
        self.child = child
    }

    private static func listening(_ log: String) -> Int? {
        guard let start = log.range(of: "listening on 127.0.0.1:") else { return nil }
        return Int(log[start.upperBound...].prefix { $0.isNumber })
    }

    /// What it logged.
    var log: String { child.log }

    /// Every token that it gave out.
    var issuedTokens: Set<String> { tokens.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await Wire.exchange(request, port: port)
        note(response)
        return response
    }

    /// Sends all requests before it reads an answer.
    func sendAtOnce(_ requests: [HTTPRequest]) async throws -> [HTTPResponse] {
        let responses = try await Wire.exchangeAtOnce(requests, port: port)
        for response in responses { note(response) }
        return responses
    }

    private func note(_ response: HTTPResponse) {
        guard let token = response.json?["access_token"]?.string else { return }
        _ = tokens.withLock { $0.insert(token) }
    }

    func wait(until second: Int64) async throws {
        let milliseconds = second * 1000 - WallClock.now()
        if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds + 1)) }
    }

    func signal(_ number: Int32) { child.signal(number) }

    func waitForExit(within limit: Duration = .seconds(15)) async throws -> Int32 {
        try await child.waitForExit(within: limit)
    }

    /// The numbers of the files that it has open.
    func descriptors() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.identifier)/fd").compactMap {
            Int($0)
        }
    }

    /// Sets how many files it may have open.
    func limitDescriptors(to count: Int) async throws {
        let command = try ChildProcess(
            ["prlimit", "--pid", "\(child.identifier)", "--nofile=\(count):"],
            logFile: scenario.file("prlimit.log"))
        try #require(try await command.waitForExit() == 0, "\(command.log)")
    }

    /// Its resident memory, in kilobytes.
    func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(child.identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    /// Ends it in good order; its exit status is to be 0, and its log free of every secret and token.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        signal(SIGTERM)
        let status = try await waitForExit()
        #expect(status == 0, "\(log.suffix(2000))", sourceLocation: sourceLocation)
        expectNoSecrets(in: log, sourceLocation: sourceLocation)
    }

    private func expectNoSecrets(in log: String, sourceLocation: SourceLocation) {
        // Short secrets are parts of any text.
        for secret in scenario.allSecrets where secret.utf8.count >= 16 {
            #expect(!log.contains(secret), "a secret is in the log", sourceLocation: sourceLocation)
        }
        for token in issuedTokens {
            let signature = token.split(separator: ".").last.map(String.init) ?? token
            #expect(!log.contains(signature), "a token is in the log", sourceLocation: sourceLocation)
        }
    }
}

/// Calls `body` with a server, and ends it in good order afterwards, also when `body` throws.
func withServer<Value: Sendable>(
    _ scenario: Scenario? = nil, issuer: String? = nil, arguments: [String] = [],
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (ServerProcess) async throws -> Value
) async throws -> Value {
    let scenario = try scenario ?? Scenario(withBroughtSecrets: false)
    let server = try await ServerProcess.start(
        scenario, issuer: issuer, arguments: arguments, environment: environment)
    let value = try await body(server)
    try await server.stop(sourceLocation: sourceLocation)
    return value
}
