import AuthStore
import Foundation
import Glibc
import HTTP
import JOSE
import OAuth
import ServerCases
import SQLite
import Testing
import TestSupport

extension RealProcess {
    /// T21: with its registry locked, replaced or gone, the server goes on with what it knows and says what is wrong.
    @Suite("The registry's file in trouble")
    struct RegistryTroubleTests {
        @Test("T21: locked by another writer for 3 s, nobody waits for it")
        func locked() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let database = server.scenario.database
                async let lock: Void = onThread {
                    let registry = try Registry(path: database, mode: .readWrite)
                    try registry.transaction { () throws(StoreError) in Thread.sleep(forTimeInterval: 3) }
                }
                let end = ContinuousClock.now + .milliseconds(2500)
                while ContinuousClock.now < end {
                    let start = ContinuousClock.now
                    try await dialogue.introspect(try await dialogue.issue()).isActive()
                    try await dialogue.token(by: .basic("nobody", secret: "x")).isUnauthenticated()
                    dialogue.expect(
                        ContinuousClock.now - start < .seconds(2), "a request waited for the lock")
                }
                try await lock
                #expect(dialogue.problems == [])
            }
        }

        @Test(
            "T21: the file is gone: known clients are served, readyz and the log say what is wrong; then it is back"
        )
        func gone() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let database = server.scenario.database
                try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
                try await eventually("readyz says so") {
                    try await dialogue.get("/readyz").response.json?["registry"] == "unavailable"
                }
                _ = try await dialogue.issue()
                try await eventually("the log says so") {
                    server.log.contains("the registry cannot be read, serving what is known")
                }
                try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
                try await eventually("readyz is ready again") {
                    try await dialogue.get("/readyz").response.status == 200
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("T21: another registry in its place is read")
        func replaced() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let other = try Scenario(withBroughtSecrets: false)
                try Self.intoOneFile(other.database)
                for suffix in ["-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: server.scenario.database + suffix)
                }
                #expect(rename(other.database, server.scenario.database) == 0)
                let secret = other.secret(of: "gateway")
                try await eventually("the other registry's secret is the right one") {
                    try await dialogue.token(by: .basic("gateway", secret: secret)).response.status == 200
                }
                try await dialogue.token().isUnauthenticated()
                #expect(dialogue.problems == [])
            }
        }

        @Test("T21: a damaged file in its place is named, and what is known is served")
        func damaged() async throws {
            try await withServer { server in
                let dialogue = Dialogue(server: server)
                _ = try await dialogue.issue()
                let garbage = server.scenario.file("garbage")
                try Data(repeating: 0x2A, count: 100_000).write(to: URL(filePath: garbage))
                #expect(rename(garbage, server.scenario.database) == 0)
                try await eventually("the log says so") { server.log.contains("serving what is known") }
                _ = try await dialogue.issue()
                #expect(dialogue.problems == [])
            }
        }

        @Test("Keys that cannot be decrypted are said once, whatever else changes, and once when they can be")
        func undecipherable() async throws {
            try await withServer(arguments: ["--threads", "2"]) { server in
                let dialogue = Dialogue(server: server)
                let database = server.scenario.database
                let masterKey = try #require(MasterKey(parsing: [UInt8](repeating: 1, count: 32)))
                let registry = try Registry(path: database, mode: .readWrite, masterKey: masterKey)
                let key = try registry.rotateSigningKey(
                    publishedFor: 0, immediately: true, at: WallClock.now())
                try await eventually("readyz says so") {
                    let ready = try await dialogue.get("/readyz").has(status: 200)
                    return ready.response.json?["signing_keys"] == "outdated"
                }
                for round in 0..<10 {
                    try registry.setDisabled(
                        round.isMultiple(of: 2), client: ClientID("apart"), at: WallClock.now())
                    _ = try await dialogue.issue()
                    try await dialogue.get("/readyz").has(status: 200)
                }
                server.signal(SIGHUP)
                try await eventually("it says what to do") {
                    server.log.contains("(--master-key-file FILE)")
                }
                #expect(server.log.contains("the configuration was not read again: signing key"))
                try registry.retireSigningKey(key.keyID, at: WallClock.now())
                try await eventually("the log says that it is over") {
                    server.log.contains("the registry can be read again")
                }
                #expect(Self.count("signing keys of the registry cannot be decrypted", in: server) == 1)
                #expect(Self.count("the registry can be read again", in: server) == 1)
                #expect(dialogue.problems == [])
            }
        }

        @Test("A SIGHUP says of a client that cannot be read neither that it can be, nor the same again")
        func damagedClient() async throws {
            try await withServer(arguments: ["--threads", "2"]) { server in
                let dialogue = Dialogue(server: server)
                let connection = try Connection(path: server.scenario.database, mode: .readWrite)
                try connection.execute("PRAGMA ignore_check_constraints = ON")
                try connection.execute("UPDATE clients SET auth_method = 'zzz' WHERE client_id = 'apart'")
                for round in 1...3 {
                    for _ in 0..<4 { try await dialogue.token(by: .basic("apart")).has(status: 503) }
                    server.signal(SIGHUP)
                    try await eventually("it is read again") {
                        Self.count("configuration were read again", in: server) == round
                    }
                }
                #expect(Self.count("the registry can be read again", in: server) == 0)
                #expect(Self.count("the registry cannot be read", in: server) == 1, "\(server.log)")
                try connection.execute("UPDATE clients SET auth_method = NULL WHERE client_id = 'apart'")
                try await eventually("it is over") {
                    Self.count("the registry can be read again", in: server) == 1
                }
                #expect(dialogue.problems == [])
            }
        }

        @Test("Nobody's id is in the log while it cannot be read: it may be a secret in the wrong place")
        func unknownClient() async throws {
            try await withServer(arguments: ["--threads", "1", "--max-failures", "1"]) { server in
                let dialogue = Dialogue(server: server)
                let connection = try Connection(path: server.scenario.database, mode: .readWrite)
                try connection.execute("ALTER TABLE clients RENAME TO clients_x")
                try await eventually("clients cannot be read") {
                    try await dialogue.token(by: .basic("nobody", secret: "x")).response.status == 503
                }
                let secret = "a-secret-that-was-sent-as-the-id"
                try await dialogue.token(by: .basic(secret, secret: "gw")).has(status: 503)
                try await dialogue.token(by: .post(secret, secret: "gw")).has(status: 503)
                try await eventually("the lines are written") {
                    Self.count(#""status":503,"outcome":"temporarily_unavailable""#, in: server) >= 3
                }
                #expect(Self.count(#""client_id":"a-se…""#, in: server) == 2, "\(server.log)")
                #expect(Self.count("that-was-sent", in: server) == 0, "\(server.log)")
                try connection.execute("ALTER TABLE clients_x RENAME TO clients")
            }
        }

        private static func count(_ text: String, in server: ServerProcess) -> Int {
            server.log.ranges(of: text).count
        }

        /// Puts the whole of a registry into the one file that can be moved.
        private static func intoOneFile(_ path: String) throws {
            let connection = try Connection(path: path, mode: .readWrite)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try connection.execute("PRAGMA journal_mode = DELETE")
        }
    }
}
