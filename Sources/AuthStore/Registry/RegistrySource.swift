internal import Glibc
internal import OAuth
internal import SQLite

/// The file behind a reader: notices that it was changed, replaced or cannot be read, and says so once.
final class RegistrySource {
    /// A state of the file. What was read in another one may be out of date.
    struct State: Equatable, Sendable {
        /// Counts the changes that were noticed.
        var generation: UInt32 = 0
        /// Seconds of a clock that never goes back: what failed is tried again in the next one.
        var second: UInt32 = 0
    }

    /// nil from when a file beside the database was lost until no connection of the process has it open any more.
    private var connection: Connection?
    private(set) var state = State()
    private let path: String
    private let report: (RegistryTrouble) -> Void
    private let lookInterval: Int64
    private let clock: () -> Milliseconds
    /// When changes were looked for last: what was committed later is not known.
    private(set) var asOf: Milliseconds
    private var nextLook: Int64 = .min
    private var dataVersion: Int64
    private var identity: FileIdentity?

    /// What is read by itself, and may be in trouble by itself.
    enum Part: Hashable {
        case client
        case keys
        case failureCost
        case revocations
    }

    // What is wrong: with the path, with looking for changes, and with a part, until that part was read again. Said
    // is each kind once, so that two that take turns do not fill the log.
    private var pathTrouble: StoreError?
    private var versionTrouble: StoreError?
    // What was brought into the file itself, as `.restore` does, and has not the form that this version reads.
    private var formTrouble: StoreError?
    private var partTroubles: [Part: StoreError] = [:]
    private var reported: Set<StoreError.Code> = []
    /// The client that could not be read, the first where there are more.
    private(set) var unreadableClient: ClientID?

    /// - Parameter lookInterval: the microseconds between two looks for changes: a look takes two locks of the
    ///   file, which many requests of one millisecond can share.
    init(
        path: String, lookInterval: Int64, clock: @escaping () -> Milliseconds,
        report: @escaping (RegistryTrouble) -> Void
    ) throws(StoreError) {
        self.path = path
        self.clock = clock
        asOf = clock()
        self.lookInterval = lookInterval
        self.report = report
        identity = FileIdentity(path: path)
        let connection = try Self.open(path, wait: 1000)
        self.connection = connection
        do { dataVersion = try connection.dataVersion() } catch { throw StoreError(error) }
        state.second = Self.now().second
    }

    /// What is wrong with the file at present; a signing key that another master key encrypts says nothing of the file.
    var trouble: StoreError? {
        pathTrouble ?? versionTrouble ?? formTrouble
            ?? partTroubles.values.first { $0.code != .masterKey }
    }

    /// What is wrong with the file for all: a client that is damaged keeps out itself alone. Where one cannot be read
    /// for another reason, such as a table that is not there, none can.
    var troubleForAll: StoreError? {
        pathTrouble ?? versionTrouble ?? formTrouble
            ?? partTroubles.first { part, trouble in
                trouble.code != .masterKey && (part != .client || trouble.code != .corrupt)
            }?.value
    }

    /// Why the signing keys cannot be read at present.
    var keyTrouble: StoreError? { partTroubles[.keys] }

    /// Whether a part could not be read when it was read last.
    var hasUnreadablePart: Bool { !partTroubles.isEmpty }

    /// Looks for changes; the last known state when the file cannot be read.
    func refresh() -> State {
        let (second, microseconds) = Self.now()
        guard microseconds >= nextLook else { return state }
        if second != state.second || connection == nil {
            state.second = second
            followReplacement()
        }
        if let connection { lookForChange(connection) }
        nextLook = microseconds + (connection == nil ? max(lookInterval, 20_000) : lookInterval)
        reportChange()
        return state
    }

    private func lookForChange(_ connection: Connection) {
        do {
            let moment = clock()
            let version = try connection.dataVersion()
            versionTrouble = nil
            if version == dataVersion || hasForm(connection) {
                asOf = moment
                state.generation &+= version == dataVersion ? 0 : 1
                dataVersion = version
            }
        } catch { versionTrouble = StoreError(error) }
    }

    /// Whether what is in the file now can be read: an older registry may have been restored into it, which lacks
    /// migrations until `authserver migrate` applies them. Until then nothing is read, and what is known holds.
    private func hasForm(_ connection: Connection) -> Bool {
        do throws(StoreError) {
            try Migrator(.registry, on: connection).requireNothingMissing()
            formTrouble = nil
        } catch { formTrouble = error }
        return formTrouble == nil
    }

    /// Reads something of the file.
    func read<Value>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value {
        if let formTrouble { throw formTrouble }
        guard let connection else { throw pathTrouble ?? StoreError(.io, "\(path) is not open") }
        return try body(connection)
    }

    /// Takes note of a part that could not be read.
    func note(_ error: StoreError, in part: Part) {
        partTroubles[part] = error
        reportChange()
    }

    /// Takes note of a client that could not be read. One is enough, since it is read again until it can be.
    func note(_ error: StoreError, client: ClientID) {
        guard unreadableClient == nil || unreadableClient == client else { return }
        unreadableClient = client
        note(error, in: .client)
    }

    /// Takes note of a part that was read.
    func noteRead(_ part: Part) {
        guard !partTroubles.isEmpty, partTroubles.removeValue(forKey: part) != nil else { return }
        reportChange()
    }

    /// Takes note of a client that was read.
    func noteRead(client: ClientID) {
        guard let unreadableClient, unreadableClient == client else { return }
        self.unreadableClient = nil
        noteRead(.client)
    }

    private func reportChange() {
        guard let present = trouble ?? keyTrouble else {
            if !reported.isEmpty { report(.ended) }
            return reported = []
        }
        guard reported.insert(present.code).inserted else { return }
        report(present.code == .masterKey ? .keysBegan(present.message) : .began(present.message))
    }

    /// Reads another file that was put in this one's place; while there is none, or none that can be read, the old
    /// one is still open and is what is known. Where a file beside it was, the database is opened anew, as soon as all
    /// of the process have let go of it.
    private func followReplacement() {
        let present = FileIdentity(path: path)
        if present == identity, let open = connection {
            pathTrouble = open.lossOfSideFile().map { StoreError($0) }
            guard pathTrouble != nil else { return }
            reportChange()
            connection = nil
        }
        do {
            connection = try Self.open(path, wait: 100)
            dataVersion = -1
            formTrouble = nil
            pathTrouble = nil
            if present != identity { report(.replaced) }
            identity = present
        } catch { pathTrouble = error }
    }

    /// A connection that changes nothing, and that waits for nobody once it was opened: while another one closes,
    /// a new one may have to wait for some microseconds.
    private static func open(_ path: String, wait: Int32) throws(StoreError) -> Connection {
        let connection = try Connection.open(path, mode: .readOnly, busyTimeout: wait)
        // A client is on five pages of a large registry: some hundreds of clients are read without asking the system.
        do { try connection.setPageCache(kilobytes: 8000) } catch { throw StoreError(error) }
        try Migrator(.registry, on: connection).requireComplete()
        connection.noteSideFiles()
        connection.setBusyTimeout(0)
        return connection
    }

    private static func now() -> (second: UInt32, microseconds: Int64) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return (
            UInt32(truncatingIfNeeded: time.tv_sec),
            Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        )
    }
}
