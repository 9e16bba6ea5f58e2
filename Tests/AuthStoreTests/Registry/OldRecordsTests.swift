import OAuth
import SQLite
import Testing

@testable import AuthStore

@Suite("Records that are too old") struct OldRecordsTests {
    private let fixture: RegistryFixture
    private var registry: Registry { fixture.registry }
    private var start: Milliseconds { fixture.start }
    private let day: Milliseconds = 86_400_000

    init() throws {
        fixture = try RegistryFixture()
        try fixture.addScenario()
        try fixture.registry.connection.execute("DELETE FROM changes; DELETE FROM change_sets")
    }

    private func add(_ count: Int, before now: Milliseconds, days: Int64) throws {
        try registry.connection.execute(
            """
            INSERT INTO change_sets (at, who) VALUES (\(now - days * day), 'somebody');
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO changes (change_set, what) SELECT (SELECT max(id) FROM change_sets), 'x' FROM n
            """)
    }

    private func count(_ table: String = "changes") throws -> Int64? {
        try registry.connection.integer("SELECT count(*) FROM \(table)")
    }

    @Test("are removed with the next, those of 400 days and less are not")
    func removed() throws {
        try add(3, before: start, days: 401)
        try add(2, before: start, days: 400)
        try registry.setDisabled(true, client: "gateway", at: start)
        #expect(try registry.changes().map(\.what) == ["client.disable", "x", "x"])
        #expect(try count("change_sets") == 2)
    }

    @Test("are removed a thousand in a transaction, and as many as come in a large one")
    func bounded() throws {
        try add(5000, before: start, days: 500)
        try registry.setDisabled(true, client: "gateway", at: start)
        #expect(try count() == 4001)
        try registry.transaction { () throws(StoreError) in
            for number in 0..<1500 { try registry.setName("n\(number)", of: "gateway", at: start) }
        }
        #expect(try count() == 4001 + 1500 - 2000)
        for number in 0..<2 { try registry.setName("m\(number)", of: "gateway", at: start) }
        #expect(try count() == 1503)
        #expect(try registry.changes(limit: 2000).map(\.what).contains("x") == false)
        #expect(try count("change_sets") == 4)
    }

    @Test("A moment in the future, given by mistake, makes no other record old")
    func future() throws {
        try add(3, before: WallClock.now(), days: 1)
        try registry.setDisabled(true, client: "gateway", at: WallClock.now() + 4000 * day)
        #expect(try count() == 4)
        try registry.setDisabled(false, client: "gateway", at: WallClock.now())
        #expect(try count() == 5)
    }
}
