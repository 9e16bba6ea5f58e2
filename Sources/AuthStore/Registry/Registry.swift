internal import OperatingSystem
internal import SQLite

/// The registry of clients, resources, grants and signing keys, as its administrator sees it.
///
/// Synchronous, and confined to one thread at a time: it is not `Sendable`. Each call is one transaction; several
/// become one with `transaction(_:)`. The moment of a change is an argument. Each change is recorded with it:
/// `changes(about:at:since:limit:)`.
public final class Registry {
    /// How the file is opened.
    public enum Mode: Sendable, Hashable {
        /// Nothing can be changed.
        case readOnly
        /// The file must be there.
        case readWrite
        /// A file that is not there is made, with mode 0600.
        case create
    }

    let connection: Connection
    let masterKey: MasterKey?
    private let administrator: String?
    private var isChecked = false
    /// What is recorded in the open transaction.
    var changeSet = ChangeSet()

    /// Opens a registry. Its form is checked at the first use; `migrate(at:)` brings it up to date.
    /// - Parameters:
    ///   - path: the database file.
    ///   - mode: how to open it.
    ///   - masterKey: what signing keys are encrypted with at rest; nil for plain.
    ///   - administrator: who makes the changes, as the record of them has it: 1 to 255 bytes without control
    ///     characters; nil for the user that runs the process, and who is behind that user.
    /// - Throws: `io` when the file is missing or cannot be opened, `corrupt` when it is no database, `incompatible` when
    ///   changes are to be made to what something else made, `invalid` for an administrator who cannot be recorded.
    public init(
        path: String, mode: Mode, masterKey: MasterKey? = nil, by administrator: String? = nil
    ) throws(StoreError) {
        guard administrator.map(Self.isFitName) ?? true else {
            throw StoreError(.invalid, "an administrator's name has 1 to 255 bytes and no control characters")
        }
        self.administrator = administrator
        let modes: [Mode: Connection.Mode] = [.readOnly: .readOnly, .readWrite: .readWrite, .create: .create]
        connection = try Connection.open(path, mode: modes[mode] ?? .readOnly)
        self.masterKey = masterKey
        guard mode != .readOnly else { return }
        try Migrator(.registry, on: connection).refuseAnother()
        do {
            try connection.useWriteAheadLog(.full)
            // It is a database now: another file that was named by mistake keeps its mode.
            FileMode.makePrivate(path)
            // What is deleted is overwritten: a retired key's private part does not stay in a free page.
            try connection.execute("PRAGMA secure_delete = ON")
        } catch {
            let failure = StoreError(error)
            throw StoreError(failure.code, "\(path): \(failure.message)", cause: failure.cause)
        }
    }

    deinit {
        guard !connection.isReadOnly else { return }
        connection.setBusyTimeout(200)
        connection.emptyLog()
    }

    /// Applies the migrations that are pending, each once.
    /// - Parameters:
    ///   - now: the moment that is noted.
    ///   - observer: told how it goes on, where the registry is one of an earlier version.
    /// - Returns: the names of what was applied now.
    /// - Throws: `incompatible` for a database of a newer version or of another product, or an edited migration.
    @discardableResult
    public func migrate(
        at now: Milliseconds, observer: MigrationObserver? = nil
    ) throws(StoreError) -> [String] {
        try Migrator(.registry, on: connection).migrate(at: now, observer: observer) {
            names throws(StoreError) in
            changeSet = ChangeSet()
            try record(.registryMigrate, detail: .names("applied", names), at: now)
        }
    }

    /// Whether the file holds nothing yet: it was just made, here or by another process, and `migrate(at:)` is still
    /// to come. Another thing than a registry of an older version, which lacks only later migrations.
    public func isBlank() throws(StoreError) -> Bool {
        try Migrator(.registry, on: connection).isBlank()
    }

    /// The names of migrations that are not applied yet.
    public func pendingMigrations() throws(StoreError) -> [String] {
        try Migrator(.registry, on: connection).pending().map(\.name)
    }

    /// Makes all calls in `body` one transaction: all of them hold, or none when it throws.
    @discardableResult
    public func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try checkForm()
        if !connection.isInTransaction { changeSet = ChangeSet() }
        return try connection.atomically(.immediate, body)
    }

    /// Makes changes and undoes them: what would be refused is refused here, before a person is asked to confirm it.
    /// Not within a transaction.
    public func rehearse(_ changes: () throws(StoreError) -> Void) throws(StoreError) {
        try checkForm()
        changeSet = ChangeSet()
        do throws(Rehearsal) {
            try connection.transaction(failure: { .refused(StoreError($0)) }) { () throws(Rehearsal) in
                do throws(StoreError) { try changes() } catch { throw .refused(error) }
                throw .ended
            }
        } catch {
            if case .refused(let refusal) = error { throw refusal }
        }
    }

    /// How a rehearsal ends, so that it is undone in any case.
    private enum Rehearsal: Error {
        case ended
        case refused(StoreError)
    }

    /// One unchanging view for several reads.
    func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try checkForm()
        return try connection.atomically(.deferred, body)
    }

    /// Who makes the changes.
    var who: String { administrator ?? Self.processUser }

    /// Looked up at the first record, and not for what only reads: the system may ask another machine.
    private static let processUser = "\(ProcessUser.read(environment: Environment.read().variables))"

    private func checkForm() throws(StoreError) {
        guard !isChecked else { return }
        try Migrator(.registry, on: connection).requireComplete()
        isChecked = true
    }
}
