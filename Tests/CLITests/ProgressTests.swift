import SQLite
import TestSupport
import Testing

@testable import AuthServer
@testable import AuthStore

@Suite("What takes long")
struct ProgressTests {
    /// A console and a line on it, whose clock stands still until it is told.
    private final class Place {
        let console: RecordingConsole
        private(set) var line: ProgressLine?
        var now = ContinuousClock.now

        init(isTerminal: Bool = true) {
            console = RecordingConsole(isTerminal: isTerminal)
            line = ProgressLine(console, delay: .seconds(1), now: { [unowned self] in now })
        }
    }

    @Test(
        "The bar is as long as what is done, and where nobody knows that the time is said",
        arguments: [
            (0.0, "a [--------------------] 0% 3 s"), (0.049, "a [--------------------] 4% 3 s"),
            (0.5, "a [##########----------] 50% 3 s"), (0.999, "a [###################-] 99% 3 s"),
            (1.0, "a [####################] 100% 3 s"), (1.7, "a [####################] 100% 3 s"),
            (-1.0, "a [--------------------] 0% 3 s"), (nil, "a: 3 s"),
        ])
    func line(fraction: Double?, line: String) {
        #expect(ProgressLine.line("a", fraction: fraction, seconds: 3) == line)
    }

    @Test("It is shown when it has taken some time, ten times a second, and wiped away in the end")
    func shown() {
        let place = Place()
        for milliseconds in [0, 400, 590, 20, 60, 30, 99, 2] {
            place.now += .milliseconds(milliseconds)
            place.line?.show("a", fraction: 0.5)
        }
        let bar = "a [##########----------] 50% 1 s"
        #expect(place.console.messages == "\r\(bar)\r\(bar)")
        place.line?.clear()
        #expect(
            place.console.messages == "\r\(bar)\r\(bar)\r\(String(repeating: " ", count: bar.count))\r")
    }

    @Test("What is over soon shows nothing, and neither does what another process reads")
    func notShown() {
        let place = Place()
        place.line?.show("a", fraction: 0)
        place.now += .milliseconds(999)
        place.line?.show("a", fraction: 0.9)
        place.line?.clear()
        #expect(place.console.messages.isEmpty)
        #expect(Place(isTerminal: false).line == nil)
    }

    @Test("A shorter line leaves nothing of a longer one")
    func shorter() {
        let place = Place()
        place.line?.show("longer", fraction: nil)
        place.now += .seconds(1)
        place.line?.show("longer", fraction: nil)
        place.now += .seconds(1)
        place.line?.show("a", fraction: nil)
        #expect(place.console.messages == "\rlonger: 1 s\ra: 2 s     ")
    }

    @Test(
        "A command that brings the token store up to date shows how far it is, on a terminal and without --json",
        arguments: [(true, "", true), (false, "", false), (true, " --json", false)])
    func tokenStore(isTerminal: Bool, flags: String, isShown: Bool) async throws {
        var place = try Workplace(isTerminal: isTerminal)
        place.program.progressDelay = .zero
        try await place.run("resource add RESOURCE_ID_BOOK --scopes read")
        try await place.run("client add gateway --grant RESOURCE_ID_BOOK=read --json")
        try await place.run("key rotate --json")
        try EarlierTokenFile.make(place.directory.file("registry.db-tokens"), thousands: 30)
        let messages = try await place.run("token issue --client gateway" + flags).messages
        #expect(messages.contains("\rupdating the token store: 30000 tokens [-") == isShown, "\(messages)")
        #expect(messages.contains("\r") == isShown)
        if isShown { #expect(messages.split(separator: "\r").last?.hasPrefix("updating") == false) }
        #expect(try await !place.run("token issue --client gateway").messages.contains("\r"))
    }

    @Test("So does migrate, without a bar where nothing is counted")
    func registry() async throws {
        var place = try Workplace(isTerminal: true, isMigrated: false)
        place.program.progressDelay = .zero
        let new = try await place.run("migrate")
        #expect(!new.messages.contains("\r") && new.output.contains("applied 0004_changes.sql"))
        let connection = try Connection(path: place.directory.file("registry.db"), mode: .readWrite)
        try connection.execute(
            "DROP TABLE changes; DROP TABLE change_sets; DELETE FROM schema_migrations WHERE number = 4")
        let old = try await place.run("migrate")
        #expect(old.messages.hasPrefix("\rupdating the registry: 0 s\r"), "\(old.messages)")
        #expect(old.output == "applied 0004_changes.sql\n")
    }
}

/// A token store of the version before tokens were put in order.
enum EarlierTokenFile {
    static func make(_ path: String, thousands: Int) throws {
        let set = MigrationSet(
            title: "token store", applicationID: MigrationSet.tokens.applicationID,
            migrations: Array(MigrationSet.tokens.migrations.prefix(1)))
        let connection = try Connection(path: path, mode: .create)
        _ = try Migrator(set, on: connection).migrate(at: 1)
        for _ in 0..<thousands { try connection.run(MovedRows.tokens.sample) }
    }
}
