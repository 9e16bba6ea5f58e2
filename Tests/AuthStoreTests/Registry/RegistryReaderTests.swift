import Foundation
import OAuth
import SQLite
import TestSupport
import Testing

@testable import AuthStore

@Suite struct RegistryReaderTests {
    /// What a reader reported.
    private final class Log {
        var entries: [RegistryTrouble] = []
    }

    private let fixture: RegistryFixture
    private let log = Log()
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
        try registry.grant("read", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
    }

    private func reader(capacity: Int = 100) throws -> RegistryReader {
        try fixture.reader(capacity: capacity) { [log] in log.entries.append($0) }
    }

    @Test("A client comes with all that a request needs")
    func client() throws {
        try registry.addClient(
            ClientDraft(id: "app", tokenLifetime: 60, authenticationMethod: .clientSecretBasic), at: start)
        try registry.grant("read write", at: "RESOURCE_ID_BOOK", to: "app", at: start)
        try registry.grant("read", at: "RESOURCE_ID_REVIEW", to: "app", at: start)
        try registry.setOwner("app", of: "RESOURCE_ID_REVIEW")
        let reader = try reader()
        let client = try #require(try reader.client("app"))
        #expect(client.id == "app" && !client.isDisabled && client.tokensRevokedAtMilliseconds == nil)
        #expect(client.tokenLifetime == 60 && client.authenticationMethod == .clientSecretBasic)
        #expect(client.grants == ["RESOURCE_ID_BOOK": "read write", "RESOURCE_ID_REVIEW": "read"])
        #expect(try reader.resources(ownedBy: "app") == ["RESOURCE_ID_REVIEW"])
        #expect(try reader.resources(ownedBy: "gateway") == [])
        #expect(try reader.client("nobody") == nil)
    }

    @Test("While nothing changes a client is the same object")
    func kept() throws {
        let reader = try reader()
        let first = try #require(try reader.client("gateway"))
        #expect(try reader.client("gateway") === first)
    }

    @Test("Between two looks nothing new is known, and what is decided counts as of the last look")
    func asOf() throws {
        let clock = Ticking(now: start)
        let reader = try RegistryReader(
            path: fixture.path, lookInterval: 3_600_000_000, clock: { clock.now }, report: { _ in })
        #expect(try reader.client("gateway")?.isDisabled == false)
        let looked = reader.asOf
        clock.now = start + 500
        try registry.setDisabled(true, client: "gateway", at: clock.now)
        clock.now = start + 900
        #expect(try reader.client("gateway")?.isDisabled == false)
        #expect(reader.asOf == looked)
        let revocation = try #require(try registry.revocations(at: clock.now).first)
        #expect(reader.asOf <= revocation.revokedAt)
    }

    /// A clock that a test sets.
    private final class Ticking {
        var now: Milliseconds
        init(now: Milliseconds) { self.now = now }
    }

    @Test("Every change by another connection is in force at the next call (T23)")
    func changes() throws {
        let reader = try reader()
        #expect(try reader.client("gateway")?.grants == ["RESOURCE_ID_BOOK": "read"])
        try registry.grant("write", at: "RESOURCE_ID_BOOK", to: "gateway", at: start)
        #expect(try reader.client("gateway")?.grants == ["RESOURCE_ID_BOOK": "read write"])
        try registry.revokeGrant(at: "RESOURCE_ID_BOOK", from: "gateway", at: start)
        #expect(try reader.client("gateway")?.grants == [:])
        try registry.rotateSecret(of: "gateway", to: .decoy(.scrypt), overlap: 0, at: start)
        #expect(try reader.client("gateway")?.secrets.count == 1)
        #expect(reader.failureCost().scryptDerivations == 1)
        try registry.setDisabled(true, client: "gateway", at: start + 7)
        #expect(try reader.client("gateway")?.isDisabled == true)
        #expect(try reader.client("gateway")?.tokensRevokedAtMilliseconds == start + 7)
        try registry.removeClient("gateway", at: start + 8)
        #expect(try reader.client("gateway") == nil)
        try registry.addClient(ClientDraft(id: "gateway"), at: start + 9)
        #expect(try reader.client("gateway")?.tokensRevokedAtMilliseconds == start + 8)
        #expect(log.entries.isEmpty)
    }

    @Test("A new signing key is there at the next call")
    func keys() throws {
        let reader = try reader()
        #expect(reader.keyRing().signing(at: start) == nil)
        let key = try registry.ensureSigningKey(at: start)
        #expect(reader.keyRing().signing(at: start)?.keyID == key?.keyID)
        let next = try registry.rotateSigningKey(publishedFor: 300, immediately: true, at: start + 1)
        #expect(reader.keyRing().signing(at: start + 1)?.keyID == next.keyID)
    }

    @Test("More clients than the cache holds are read all the same")
    func capacity() throws {
        for index in 0..<50 {
            try registry.addClient(ClientDraft(id: ClientID("client-\(index)")), at: start)
        }
        let reader = try reader(capacity: 4)
        for _ in 0..<2 {
            for index in 0..<50 {
                #expect(try reader.client(ClientID("client-\(index)"))?.id.value == "client-\(index)")
            }
        }
    }

    @Test("While another process writes, reads go on at once (T21)")
    func writing() throws {
        let reader = try reader()
        let writer = try Connection(path: fixture.path, mode: .readWrite)
        try writer.execute("BEGIN IMMEDIATE; UPDATE clients SET name = 'x'")
        #expect(try reader.client("gateway") != nil)
        #expect(try reader.client("nobody") == nil)
        try writer.execute("COMMIT")
        #expect(log.entries.isEmpty)
    }

    @Test("While the file is locked against readers, what is known is served, and said once (T21)")
    func locked() throws {
        let fixture = try RegistryFixture()
        try fixture.addScenario()
        let log = self.log
        let reader = try fixture.reader { log.entries.append($0) }
        let known = try reader.client("gateway")
        // Outside WAL mode a writer that commits shuts readers out, as nothing does in WAL mode.
        let path = folderCopyWithoutLog(fixture)
        let locked = try RegistryReader(path: path) { log.entries.append($0) }
        #expect(try locked.client("gateway") != nil)
        let writer = try Connection(path: path, mode: .readWrite)
        try writer.execute("BEGIN EXCLUSIVE")
        for _ in 0..<3 {
            #expect(try locked.client("gateway")?.id == known?.id)
            #expect(throws: StoreError.self) { try locked.client("other") }
            #expect(throws: StoreError.self) { try locked.ping() }
        }
        #expect(log.entries.count == 1)
        guard case .began(let text)? = log.entries.first else {
            Issue.record("no trouble was reported")
            return
        }
        #expect(text.contains("locked") && text.contains("wait"))
        try writer.execute("COMMIT; CREATE TABLE changed (v INTEGER) STRICT")
        #expect(try locked.client("other") == nil)
        try locked.ping()
        #expect(log.entries.count == 2 && log.entries.last == .ended)
    }

    @Test("A file that is gone is said once, and what is known goes on being served (T21)")
    func removed() async throws {
        let reader = try reader()
        #expect(try reader.client("gateway") != nil)
        move(fixture.path, to: fixture.folder.file("aside"))
        try await eventually { try reader.client("gateway") != nil && !log.entries.isEmpty }
        for _ in 0..<100 { #expect(try reader.client("gateway") != nil) }
        #expect(log.entries.count == 1)
        #expect("\(try #require(log.entries.first))".contains(fixture.path))
        move(fixture.folder.file("aside"), to: fixture.path)
        try await eventually { try reader.client("gateway") != nil && log.entries.last == .ended }
    }

    @Test("A file that was put in its place is read from then on (T21)")
    func replaced() async throws {
        let reader = try reader()
        #expect(try reader.client("gateway") != nil)
        let path = folderCopyWithoutLog(fixture)
        try Registry(path: path, mode: .readWrite).addClient(ClientDraft(id: "restored"), at: start)
        move(fixture.path, to: fixture.folder.file("old"))
        rename(path, fixture.path)
        try await eventually { try reader.client("restored") != nil }
        #expect(log.entries == [.replaced])
        try Registry(path: fixture.path, mode: .readWrite).setDisabled(true, client: "restored", at: start)
        #expect(try reader.client("restored")?.isDisabled == true)
    }

    @Test(
        "A file that is no registry is not taken for one (T21)",
        arguments: ["", "garbage that is no database"])
    func garbage(content: String) async throws {
        let reader = try reader()
        #expect(try reader.client("gateway") != nil)
        let path = fixture.folder.file("garbage")
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        move(fixture.path, to: fixture.folder.file("old"))
        rename(path, fixture.path)
        try await eventually { try reader.client("gateway") != nil && !log.entries.isEmpty }
        #expect(log.entries.count == 1)
        #expect(throws: StoreError.self) { try reader.ping() }
    }

    @Test("A signing key that cannot be decrypted is said once, and the known keys go on signing")
    func undecipherable() throws {
        let first = try registry.ensureSigningKey(at: start)
        let reader = try reader()
        let masterKey = try #require(MasterKey(parsing: [UInt8](repeating: 1, count: 32)))
        let other = try Registry(path: fixture.path, mode: .readWrite, masterKey: masterKey)
        try other.rotateSigningKey(publishedFor: 0, immediately: true, at: start + 1)
        for round in 0..<10 {
            #expect(reader.keyRing().signing(at: start + 2)?.keyID == first?.keyID)
            #expect(try reader.client("gateway") != nil)
            // A change elsewhere says nothing of the keys.
            try registry.setDisabled(round.isMultiple(of: 2), client: "gateway", at: start)
            try reader.ping()
            #expect(reader.signingKeyTrouble?.code == .masterKey)
        }
        #expect(log.entries.count == 1)
        let rotated = try #require(try registry.keySchedule().signing(at: start + 2))
        try other.retireSigningKey(rotated.keyID, at: start + 3)
        try reader.ping()
        #expect(reader.signingKeyTrouble == nil)
        #expect(log.entries.count == 2 && log.entries.last == .ended)
    }

    @Test("What is retired while keys cannot be decrypted signs no more and is not published")
    func retiredBesideUndecipherable() throws {
        let first = try #require(try registry.ensureSigningKey(at: start))
        let reader = try reader()
        let masterKey = try #require(MasterKey(parsing: [UInt8](repeating: 1, count: 32)))
        let other = try Registry(path: fixture.path, mode: .readWrite, masterKey: masterKey)
        #expect(try other.encryptSigningKeys() == 1)
        #expect(reader.keyRing().signing(at: start + 1)?.keyID == first.keyID)
        #expect(reader.keyRing().published(at: start + 1).map(\.keyID) == [first.keyID])
        try other.rotateSigningKey(publishedFor: 0, immediately: true, at: start + 2)
        #expect(reader.keyRing().signing(at: start + 3)?.keyID == first.keyID)
        try registry.retireSigningKey(first.keyID, at: start + 4)
        #expect(reader.keyRing().signing(at: start + 5) == nil)
        #expect(reader.keyRing().published(at: start + 5).isEmpty)
        #expect(reader.signingKeyTrouble?.code == .masterKey)
        guard case .keysBegan? = log.entries.first, log.entries.count == 1 else {
            Issue.record("\(log.entries)")
            return
        }
    }

    @Test("What was known of a client is over when the file says of it what cannot be read")
    func damagedKnownClient() throws {
        let reader = try reader()
        let shell = try Connection(path: fixture.path, mode: .readWrite)
        #expect(try reader.client("gateway")?.isDisabled == false)
        try shell.execute("UPDATE resources SET resource_id = '' WHERE resource_id = 'RESOURCE_ID_BOOK'")
        try registry.setDisabled(true, client: "gateway", at: start)
        for _ in 0..<3 { #expect(throws: StoreError.self) { try reader.client("gateway") } }
        try reader.ping()
        try shell.execute("UPDATE resources SET resource_id = 'RESOURCE_ID_BOOK' WHERE resource_id = ''")
        #expect(try reader.client("gateway")?.isDisabled == true)
    }

    @Test("Where no client can be read the server is not ready, though a client that is known is served")
    func missingTable() throws {
        let reader = try reader()
        let shell = try Connection(path: fixture.path, mode: .readWrite)
        #expect(try reader.client("gateway") != nil)
        try shell.execute("ALTER TABLE grants RENAME TO elsewhere")
        #expect(try reader.client("gateway") != nil)
        #expect(throws: StoreError.self) { try reader.ping() }
        try shell.execute("ALTER TABLE elsewhere RENAME TO grants")
        try reader.ping()
    }

    @Test("A way to authenticate that is not known is no client's: it is not taken for either way")
    func unknownAuthenticationMethod() throws {
        let reader = try reader()
        let shell = try Connection(path: fixture.path, mode: .readWrite)
        try shell.execute(
            """
            PRAGMA ignore_check_constraints = ON;
            UPDATE clients SET auth_method = 'private_key_jwt' WHERE client_id = 'gateway'
            """)
        #expect(throws: StoreError.self) { try reader.client("gateway") }
        #expect(throws: StoreError.self) { try registry.listClients() }
        #expect(try reader.client("nobody") == nil)
    }

    @Test("A client that cannot be read is said once, whatever else is read, and once when it can be")
    func damagedClient() throws {
        let reader = try reader()
        let connection = try Connection(path: fixture.path, mode: .readWrite)
        try registry.addClient(ClientDraft(id: "damaged"), at: start)
        try registry.setOwner("damaged", of: "RESOURCE_ID_REVIEW")
        try connection.execute(
            "UPDATE resources SET resource_id = '' WHERE resource_id = 'RESOURCE_ID_REVIEW'")
        for round in 0..<10 {
            #expect(throws: StoreError.self) { try reader.client("damaged") }
            #expect(try reader.client("gateway") != nil)
            // It keeps out itself alone: a readiness check goes on.
            try reader.ping()
            try registry.setDisabled(round.isMultiple(of: 2), client: "gateway", at: start)
        }
        #expect(log.entries.count == 1)
        try connection.execute("UPDATE resources SET resource_id = 'again' WHERE resource_id = ''")
        try reader.ping()
        #expect(log.entries.count == 2 && log.entries.last == .ended)
    }

    @Test("Client ids are compared byte by byte: two forms of one letter are two clients")
    func exactIDs() throws {
        let (composed, decomposed): (ClientID, ClientID) = ("caf\u{E9}", "cafe\u{301}")
        try registry.addClient(ClientDraft(id: composed, tokenLifetime: 60), at: start)
        let reader = try reader()
        #expect(try reader.client(composed)?.tokenLifetime == 60)
        #expect(try reader.client(decomposed) == nil)
        try registry.addClient(ClientDraft(id: decomposed, tokenLifetime: 61), at: start)
        #expect(try reader.client(composed)?.tokenLifetime == 60)
        #expect(try reader.client(decomposed)?.tokenLifetime == 61)
        #expect(try registry.listClients().count == 3)
    }

    /// Moves a database with its log, which belongs to it: SQLite would take the log for the next file's.
    private func move(_ path: String, to target: String) {
        for suffix in ["-wal", "-shm", ""] { rename(path + suffix, target + suffix) }
    }

    /// A copy of a registry in rollback-journal mode, in the same folder.
    private func folderCopyWithoutLog(_ fixture: RegistryFixture) -> String {
        let path = fixture.folder.file("copy.db")
        _ = try? fixture.registry.connection.run("VACUUM INTO '\(path)'")
        return path
    }
}
