import Foundation
import Glibc
import HTTP
import JOSE
import ServerCases
import Testing
import TestSupport

extension RealProcess {
    /// Somebody removes what SQLite keeps beside a database: commands make it anew, and the server must not go on with
    /// what nobody else reads or writes.
    @Suite("A -wal or -shm file that is removed under the server")
    struct SideFileTests {
        enum SideFiles: CaseIterable {
            case log, index, both

            var suffixes: [String] {
                switch self {
                case .log: ["-wal"]
                case .index: ["-shm"]
                case .both: ["-shm", "-wal"]
                }
            }
        }

        @Test("T21: what a command changes in the registry is in force soon", arguments: SideFiles.allCases)
        func registry(_ files: SideFiles) async throws {
            try await withServer(arguments: ["--threads", "2"]) { server in
                let admin = try Administration(server.scenario)
                let dialogue = Dialogue(server: server)
                let token = try await dialogue.issue()
                _ = try await Self.statuses(server)
                try Self.remove(files, of: server.scenario.database)
                try await admin.run("client disable gateway")
                try await eventually("it is in force on all threads", within: .seconds(10)) {
                    try await Self.statuses(server) == [401]
                }
                // Where it is the log alone, that was so before the loss was noticed; then /readyz is 503 for a moment.
                try await eventually("the log says that it is over", within: .seconds(10)) {
                    server.log.contains("the registry can be read again")
                }
                try await dialogue.introspect(token, by: .basic("book")).isInactive()
                // Others are in force at the next request, as ever.
                try await admin.run("client enable gateway")
                #expect(try await Self.statuses(server) == [200])
                try await dialogue.get("/readyz").has(status: 200)
                #expect(server.log.ranges(of: "registry.db\(files.suffixes[0]) was removed").count == 1)
                #expect(dialogue.problems == [])
            }
        }

        @Test(
            "T21: tokens are issued, known and revoked as before, and none is forgotten",
            arguments: SideFiles.allCases, [false, true])
        func tokens(_ files: SideFiles, isReadBefore: Bool) async throws {
            try await withServer(arguments: ["--threads", "2"]) { server in
                let dialogue = Dialogue(server: server)
                var tokens: [String] = []
                for _ in 0..<12 { tokens.append(try await dialogue.issue()) }
                if isReadBefore {
                    for token in tokens { try await dialogue.introspect(token).isActive() }
                }
                try Self.remove(files, of: server.scenario.database + "-tokens")
                try await eventually("the log says so", within: .seconds(10)) {
                    server.log.contains("-tokens\(files.suffixes[0]) was removed")
                }
                try await eventually("the log says that it is over", within: .seconds(10)) {
                    server.log.contains("the token store is back")
                }
                try await dialogue.get("/readyz").has(status: 200)
                for token in tokens { try await dialogue.introspect(token).isActive() }
                #expect(try await Self.statuses(server) == [200])
                try await Administration(server.scenario).run("token revoke \(tokens[0])")
                try await dialogue.introspect(tokens[0]).isInactive()
                #expect(server.log.ranges(of: "the token store is lost").count == 1)
                #expect(dialogue.problems == [])
            }
        }

        private static func remove(_ files: SideFiles, of path: String) throws {
            for suffix in files.suffixes { try #require(unlink(path + suffix) == 0, "\(path)\(suffix)") }
        }

        /// What the threads answer: each connection is given to one of them.
        private static func statuses(_ server: ServerProcess) async throws -> Set<Int> {
            let requests = (0..<24).map { _ in
                HTTPRequest.token(by: .basic("gateway"), scenario: server.scenario)
            }
            return Set(try await server.sendAtOnce(requests).map(\.status))
        }
    }
}
