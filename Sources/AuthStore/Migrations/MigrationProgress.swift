internal import SQLite

/// What has to be done to a database of an earlier version.
public struct MigrationWork: Sendable, Hashable {
    /// What the database is: `registry` or `token store`.
    public let database: String
    /// The names of the migrations that it lacks.
    public let migrations: [String]
    /// How many rows of which kind are moved one by one, such as `1000000 tokens`; nil where none are.
    public let moved: String?
}

/// What is told to whoever waits for a database of an earlier version to be brought up to date.
public enum MigrationProgress: Sendable, Hashable {
    /// It begins: no other process is at it.
    case begins(MigrationWork)
    /// It goes on; told many times a second.
    /// - Parameter fraction: how much of the moving is done, counted in SQLite's own steps; nil where nobody can know.
    case goesOn(MigrationWork, fraction: Double?)
    /// All of it holds, and is in the file.
    case done(MigrationWork)
    /// Nothing of it holds; what was wrong is thrown.
    case failed(MigrationWork)
}

/// Is told how migrations go on; called on the thread that makes them, of nothing where the database is new.
public typealias MigrationObserver = (MigrationProgress) -> Void

/// Tells an observer how the migrations of one database go on.
final class MigrationReport {
    /// After how many steps of SQLite's machine it tells: half a millisecond to a few.
    static let interval: Int32 = 10_000

    private let observer: MigrationObserver?
    private var work: MigrationWork?
    private var expectedSteps: Double?
    private var steps: Double = 0

    init(_ observer: MigrationObserver?) {
        self.observer = observer
    }

    /// Looks at what is to be done. A new database is none of an earlier version.
    func begin(_ pending: [Migration], of set: MigrationSet, on connection: Connection) throws(StoreError) {
        guard let observer, !pending.isEmpty, pending.count < set.migrations.count else { return }
        var text: String?
        if let first = pending.first(where: { $0.moved != nil }), let moved = first.moved {
            let count = try connection.integer("SELECT count(*) FROM \(moved.table)") ?? 0
            text = "\(count) \(moved.table)"
            // To know how far it is is worth less than to get there.
            expectedSteps = (try? set.stepsPerRow(of: first, moved)).map { Double(count) * $0 }
        }
        let work = MigrationWork(database: set.title, migrations: pending.map(\.name), moved: text)
        self.work = work
        observer(.begins(work))
    }

    /// So many steps were made as the interval says.
    func goOn() {
        guard let observer, let work else { return }
        steps += Double(Self.interval)
        observer(.goesOn(work, fraction: expectedSteps.map { min(1, steps / max(1, $0)) }))
    }

    func end(isDone: Bool) {
        guard let observer, let work else { return }
        self.work = nil
        observer(isDone ? .done(work) : .failed(work))
    }
}

extension MigrationSet {
    /// How many steps SQLite's machine makes for each row that a migration moves: the same for each, but of this
    /// version of SQLite's choice. Found by moving a few in memory, which takes milliseconds.
    fileprivate func stepsPerRow(of migration: Migration, _ moved: MovedRows) throws(StoreError) -> Double {
        let connection = try Connection.open(":memory:", mode: .readWrite)
        var steps = 0
        do {
            for earlier in migrations where earlier.number < migration.number {
                try connection.execute(earlier.text)
            }
            let rows = try connection.run(moved.sample)
            try connection.reporting(everySteps: 10, to: { steps += 10 }) { () throws(SQLiteError) in
                try connection.execute(migration.text)
            }
            return Double(steps) / Double(max(1, rows))
        } catch { throw StoreError(error) }
    }
}
