internal import Glibc
internal import SQLite

/// The file behind a reader: notices that it was changed, replaced or cannot be read, and says so once.
final class RegistrySource {
    /// A state of the file. What was read in another one may be out of date.
    struct State: Equatable {
        /// Counts the changes that were noticed.
        var generation = 0
        /// Seconds of a clock that never goes back: what failed is tried again in the next one.
        var second = 0
    }

    private(set) var connection: Connection
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

    // What is wrong: with the path, with looking for changes, and with a read, of which the last is remembered
    // for some seconds so that a single damaged record is not reported at each request.
    private var pathTrouble: StoreError?
    private var versionTrouble: StoreError?
    private var readTrouble: (error: StoreError, second: Int)?
    private var reported: String?

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
        connection = try Self.open(path, wait: 1000)
        do { dataVersion = try connection.dataVersion() } catch { throw StoreError(error) }
        state.second = Self.now().second
    }

    /// What is wrong with the file at present.
    var trouble: StoreError? { pathTrouble ?? versionTrouble ?? readTrouble?.error }

    /// Looks for changes; the last known state when the file cannot be read.
    func refresh() -> State {
        let (second, microseconds) = Self.now()
        guard microseconds >= nextLook else { return state }
        nextLook = microseconds + lookInterval
        if second != state.second {
            state.second = second
            followReplacement()
            if let readTrouble, second > readTrouble.second + 10 { self.readTrouble = nil }
        }
        do {
            let moment = clock()
            let version = try connection.dataVersion()
            asOf = moment
            if version != dataVersion {
                dataVersion = version
                state.generation += 1
                readTrouble = nil
            }
            versionTrouble = nil
        } catch { versionTrouble = StoreError(error) }
        reportChange()
        return state
    }

    /// Takes note of a read that failed.
    func note(_ error: StoreError) {
        readTrouble = (error, state.second)
        reportChange()
    }

    private func reportChange() {
        guard trouble?.message != reported else { return }
        reported = trouble?.message
        report(reported.map(RegistryTrouble.began) ?? .ended)
    }

    /// Reads another file that was put in this one's place; while there is none, or none that can be read, the old
    /// one is still open and is what is known.
    private func followReplacement() {
        let present = FileIdentity(path: path)
        guard present != identity else {
            pathTrouble = nil
            return
        }
        do {
            connection = try Self.open(path, wait: 100)
            dataVersion = -1
            identity = present
            pathTrouble = nil
            report(.replaced)
        } catch { pathTrouble = error }
    }

    /// A connection that changes nothing, and that waits for nobody once it was opened: while another one closes,
    /// a new one may have to wait for some microseconds.
    private static func open(_ path: String, wait: Int32) throws(StoreError) -> Connection {
        let connection = try Connection.open(path, mode: .readOnly, busyTimeout: wait)
        try Migrator(.registry, on: connection).requireComplete()
        connection.setBusyTimeout(0)
        return connection
    }

    private static func now() -> (second: Int, microseconds: Int64) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return (time.tv_sec, Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
