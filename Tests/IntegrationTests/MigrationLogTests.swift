import JOSE
import SQLite
import ServerCases
import TestSupport
import Testing

@testable import AuthStore

extension RealProcess {
    @Suite("Stores of an earlier version, at the start")
    struct MigrationLogTests {
        @Test("The log says before and after that they are brought up to date, and only where they are")
        func said() async throws {
            let scenario = try Scenario(withBroughtSecrets: false)
            try Self.makeEarlier(scenario)
            let first = try await Self.events(of: scenario)
            #expect(
                first.first == "bringing the tables of the registry up to date: 0004_changes.sql", "\(first)")
            try #require(first.count >= 5)
            #expect(
                try #/the tables of the registry are up to date after \d+\.\d s/#.wholeMatch(in: first[1])
                    != nil)
            #expect(
                first[2]
                    == "bringing the tables of the token store up to date: 5000 tokens, 0002_order_by_end.sql"
            )
            #expect(
                try #/the tables of the token store are up to date after \d+\.\d s/#.wholeMatch(in: first[3])
                    != nil)
            #expect(first[4].hasPrefix("listening on "))
            let second = try await Self.events(of: scenario)
            #expect(!second.contains { $0.contains("up to date") }, "\(second)")
        }

        @Test("A new server has nothing to bring up to date")
        func new() async throws {
            let events = try await Self.events(of: try Scenario(withBroughtSecrets: false))
            #expect(!events.contains { $0.contains("up to date") }, "\(events)")
        }

        /// Takes the last migration from the registry, and puts tokens in the order of before.
        private static func makeEarlier(_ scenario: Scenario) throws {
            let registry = try Connection(path: scenario.database, mode: .readWrite)
            try registry.execute(
                "DROP TABLE changes; DROP TABLE change_sets; DELETE FROM schema_migrations WHERE number = 4")
            let set = MigrationSet(
                title: "token store", applicationID: MigrationSet.tokens.applicationID,
                migrations: Array(MigrationSet.tokens.migrations.prefix(1)))
            let tokens = try Connection(path: scenario.database + "-tokens", mode: .create)
            _ = try Migrator(set, on: tokens).migrate(at: 1)
            for _ in 0..<5 { try tokens.run(MovedRows.tokens.sample) }
        }

        /// The lines of the log that belong to no request; every line is JSON, also before there are threads.
        private static func events(of scenario: Scenario) async throws -> [String] {
            let log = try await withServer(scenario, arguments: ["--threads", "1"]) { $0.log }
            return try log.split(separator: "\n").map { line in
                let object = try #require(try JSON.parse(Array(line.utf8)).object)
                #expect(object["time"]?.string?.hasSuffix("Z") == true)
                return object["event"]?.string ?? ""
            }
        }
    }
}
