import AuthStore
import EventLoop
import Glibc
import OAuth

/// Slows guesses at client secrets down, as one thread sees it: asks the counters, which all threads share, and
/// tells the counts that all servers share, where there are such.
///
/// Confined to its event loop.
final class ClientThrottle {
    /// One attempt that was let in.
    struct Admitted {
        fileprivate let attempt: FailureCounters.Attempt
        /// What was counted for it already, while its secret is checked.
        fileprivate var held: FailureCounters.Counted?
    }

    /// How many reports to the shared counts may be under way; what is beyond is counted here alone.
    private static let maximumReports = 256

    private let counters: FailureCounters
    private let shared: RedisFailureCounts?
    private let loop: EventLoop
    /// Milliseconds that only go forward: an hour that an administrator sets the clock back is none to wait.
    private let uptime: @Sendable () -> Milliseconds
    private var reports = 0
    /// What the log named the client of an id when an attempt failed: so that a refusal names whom it is about without
    /// a look at whether there is one.
    private var loggedClients = BoundedCache<ClientID, LoggedClient>(capacity: 1000)

    /// A throttle for one thread.
    /// - Parameters:
    ///   - counters: those of the process.
    ///   - shared: those of all servers, where they have a store in common.
    init(
        counters: FailureCounters, shared: RedisFailureCounts?, loop: EventLoop,
        uptime: @escaping @Sendable () -> Milliseconds = ClientThrottle.monotonic
    ) {
        self.counters = counters
        self.shared = shared
        self.loop = loop
        self.uptime = uptime
    }

    /// Lets an attempt in, or not.
    /// - Returns: nil for credentials that name no client: there is no secret to guess.
    /// - Throws: 429 with the seconds to wait; nothing of the client or its secret was looked at.
    func admit(_ credentials: PresentedCredentials, from address: String) throws(Failure) -> Admitted? {
        guard let first = credentials.readings.first?.clientID else { return nil }
        let attempt = counters.attempt(
            first, credentials.readings.dropFirst().first?.clientID, from: AddressGroup(address))
        let wait = counters.wait(attempt, at: uptime())
        guard wait > 0 else { return Admitted(attempt: attempt) }
        let seconds = Int((wait + 999) / 1000)
        throw Failure(
            .tooManyFailures(retryAfter: seconds),
            client: loggedClients[first] ?? LoggedClient(stranger: first), outcome: "too_many_failures",
            detail: "refused for \(seconds) s without a look at the secret: too many failures before")
    }

    /// Counts an attempt as failed before a check that takes long, so that many at once are no way around. The
    /// price: of a client whose brought secret this thread has not seen right yet, no more than the limit are
    /// checked at a time.
    func hold(_ admitted: inout Admitted?) {
        guard let attempt = admitted?.attempt, admitted?.held == nil else { return }
        admitted?.held = counters.count(attempt, at: uptime())
    }

    /// The secret was wrong, or there is no such client, or it is disabled.
    func failed(_ admitted: Admitted?, _ id: ClientID?, loggedAs client: LoggedClient?) {
        if let id { loggedClients[id] = client }
        var admitted = admitted
        hold(&admitted)
        guard let admitted, let counted = admitted.held else { return }
        report(counted, of: admitted.attempt)
    }

    /// The secret was right.
    func succeeded(_ id: ClientID, _ admitted: Admitted?) {
        guard let admitted else { return }
        undecided(admitted)
        counters.succeeded(id, in: admitted.attempt, at: uptime())
    }

    /// The secret could not be checked.
    func undecided(_ admitted: Admitted?) {
        guard let admitted, let counted = admitted.held else { return }
        counters.takeBack(counted, of: admitted.attempt, at: uptime())
    }

    /// Milliseconds since the machine was started.
    @Sendable static func monotonic() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }

    // MARK: - Counts that all servers share

    /// Tells the shared counts of a failure and takes over what they say. Nobody waits for it, and when the store
    /// does not answer the counts of this process are what there is.
    private func report(_ counted: FailureCounters.Counted, of attempt: FailureCounters.Attempt) {
        guard let shared, reports < Self.maximumReports else { return }
        reports += 1
        let me = LoopBound(self, loop: loop)
        Task(executorPreference: loop) {
            let levels = try? await shared.add(counted.shared(of: attempt), upTo: LeakyBucket.maximumLevel)
            me.value.learn(levels, of: attempt)
        }
    }

    private func learn(_ levels: [Milliseconds]?, of attempt: FailureCounters.Attempt) {
        reports -= 1
        guard let levels, let counted = FailureCounters.Counted(shared: levels) else { return }
        counters.learn(counted, of: attempt, at: uptime())
    }
}

extension FailureCounters.Counted {
    /// The failures as the shared counts want them: of the address, then of each pair, then of each client.
    fileprivate func shared(of attempt: FailureCounters.Attempt) -> [RedisFailureCounts.Failure] {
        let address = attempt.address.description
        let ids = attempt.ids.map(\.value)
        return [RedisFailureCounts.Failure(of: ["address", address], adding: self.address)]
            + zip(ids, pairs).map { .init(of: ["pair", $0, address], adding: $1) }
            + zip(ids, clients).map { .init(of: ["client", $0], adding: $1) }
    }

    /// The levels that the shared counts gave for them, in that order.
    fileprivate init?(shared levels: [Milliseconds]) {
        guard levels.count == 3 || levels.count == 5 else { return nil }
        let ids = levels.count / 2
        address = levels[0]
        pairs = Array(levels[1...ids])
        clients = Array(levels[(ids + 1)...])
    }
}
