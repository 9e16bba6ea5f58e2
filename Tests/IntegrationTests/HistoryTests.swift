import AuthStore
import Foundation
import Glibc
import OAuth
import ServerCases
import TestSupport
import Testing

extension RealProcess {
    @Suite("The record of changes, and processes that are killed")
    struct HistoryTests {
        @Test(
            "A change is recorded when its command has returned, also where the server is killed that moment")
        func recorded() async throws {
            let server = try await ServerProcess.start(Scenario(withBroughtSecrets: false))
            let administration = try Administration(server.scenario)
            try await administration.run("client disable gateway")
            server.signal(SIGKILL)
            #expect(try await server.waitForExit() == 128 + SIGKILL)
            let history = try await administration.run("history --client gateway --limit 1")
            #expect(history.hasSuffix("\tclient.disable\tgateway\t-"), "\(history)")
            #expect(try await administration.run("client show gateway").contains("\tdisabled since "))
        }

        @Test("A command that is killed at any moment has made its change and recorded it, or neither")
        func killed() async throws {
            let directory = try TemporaryDirectory()
            let database = directory.file("registry.db")
            try Registry(path: database, mode: .create).migrate(at: WallClock.now())
            let program = try Product.path("authserver")
            let names = (0..<40).map { "client-\($0)" }
            for (index, name) in names.enumerated() {
                let process = try ChildProcess(
                    [program, "client", "add", name, "--database", database],
                    logFile: directory.file("log"))
                try await Task.sleep(for: .milliseconds(index))
                process.signal(SIGKILL)
                _ = try await process.waitForExit()
            }
            let registry = try Registry(path: database, mode: .readOnly)
            let added = try registry.changes().filter { $0.what == "client.add" }.compactMap(\.client)
            let clients = try registry.listClients()
            #expect(Set(clients.map(\.id.value)) == Set(added) && clients.count == added.count)
            let secrets = try registry.changes().filter { $0.what == "secret.add" }.compactMap(\.object)
            #expect(Set(clients.flatMap { $0.secrets.map(\.id) }) == Set(secrets))
        }
    }
}
