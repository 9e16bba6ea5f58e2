internal import JOSE
internal import OpenSSLCrypto
internal import OutboundHTTP
internal import Synchronization

/// Carries out what `KeyCacheState` decides: one fetch under way however many wait.
final class KeyCache: Sendable {
    /// Why there is no key for a token.
    enum Trouble: Error {
        /// The issuer publishes none with this id, or it is of another algorithm.
        case unknownKey
        /// The keys cannot be had; the cause is for the log.
        case unavailable(retryAfter: Duration, cause: String)
    }

    private struct Shared {
        var state: KeyCacheState<TrustedKeys>
        var flight: Flight<Void>?
        /// Why the last fetch failed; nil when it did not.
        var lastFailure: KeyLoader.Failure?
        /// What of the state was published.
        var published: Published?
    }

    /// What can be seen of the state without its lock.
    private struct Published: Equatable {
        let revision: Int
        let quietUntil: ContinuousClock.Instant?
    }

    private let shared: Mutex<Shared>
    private let loader: KeyLoader
    private let clock: GuardClock
    private let log: @Sendable (LogEvent) -> Void
    private let quietUntil = Atomic<Int64>(.min)
    private let sharedRevision = Atomic<Int>(0)

    /// Reads keys that are at hand at once.
    /// - Throws: `ConfigurationError` when they are not as they should be.
    init(
        _ loader: KeyLoader, policy: KeyCachePolicy, clock: GuardClock,
        log: @escaping @Sendable (LogEvent) -> Void
    ) throws(ResourceGuard.ConfigurationError) {
        self.loader = loader
        self.clock = clock
        self.log = log
        shared = Mutex(Shared(state: KeyCacheState(policy: policy)))
        guard loader.isLocal else { return }
        do throws(KeyLoader.Failure) {
            let loaded = try loader.loadLocal(patience: .seconds(5))
            take(.success(loaded))
        } catch {
            throw ResourceGuard.ConfigurationError("the source of the issuer's keys: \(error)")
        }
    }

    /// Grows whenever the trusted keys become others.
    var revision: Int { sharedRevision.load(ordering: .acquiring) }

    /// Whether the keys are fresh, so that a verified token needs no look at them. Cheap.
    var isQuiet: Bool { clock.ticks() < quietUntil.load(ordering: .relaxed) }

    /// The key that a header names, and the revision of the keys that it is of.
    nonisolated(nonsending) func key(
        for header: JWSHeader
    ) async throws(Trouble) -> (key: PublicKey, revision: Int) {
        guard let keyID = header.keyID else { throw .unknownKey }
        if let fresh = freshKey(for: header) { return fresh }
        let (keys, revision) = try await keys { $0.holds(keyID) }
        guard let key = keys.key(for: header) else { throw .unknownKey }
        return (key, revision)
    }

    /// The key of nearly all tokens: a known one of fresh keys.
    private func freshKey(for header: JWSHeader) -> (key: PublicKey, revision: Int)? {
        let now = clock.now()
        return shared.withLock { shared in
            guard let key = shared.state.fresh(now: now)?.key(for: header) else { return nil }
            return (key, shared.state.revision)
        }
    }

    /// Gives the cache the occasion to refresh, and waits where the keys are past their age.
    /// - Returns: whether there are keys to trust now; false where the caller was cancelled before that was known.
    nonisolated(nonsending) func refreshIfDue() async -> Bool {
        do throws(Trouble) {
            try await makeAvailable()
            return true
        } catch {
            return false
        }
    }

    /// Sees to it that there are keys, whichever: fetches them where there are none.
    nonisolated(nonsending) func makeAvailable() async throws(Trouble) { _ = try await keys { _ in true } }

    private nonisolated(nonsending) func keys(
        where isKnown: (TrustedKeys) -> Bool
    ) async throws(Trouble) -> (keys: TrustedKeys, revision: Int) {
        var hasWaited = false
        while true {
            let turn = decide(hasWaited, isKnown)
            switch turn.decision {
            case .use(let keys): return (keys, turn.revision)
            case .unknownKey: throw .unknownKey
            case .unavailable(let retryAfter):
                throw .unavailable(retryAfter: retryAfter, cause: turn.cause)
            case .wait:
                // Who is cancelled does not know what the fetch will bring, and goes on with nothing.
                guard await turn.flight?.value() != nil else {
                    throw .unavailable(retryAfter: .seconds(1), cause: turn.cause)
                }
            }
            hasWaited = true
        }
    }

    private struct Turn {
        let decision: KeyCacheState<TrustedKeys>.Decision
        let revision: Int
        let flight: Flight<Void>?
        let lastFailure: KeyLoader.Failure?

        /// Why there are no keys. A request that is cancelled gives up before the first fetch has ended.
        var cause: String { lastFailure?.description ?? "the fetch of the issuer's keys has not ended" }
    }

    private func decide(_ hasWaited: Bool, _ isKnown: (TrustedKeys) -> Bool) -> Turn {
        let (turn, startsFetch) = shared.withLock { shared in
            let step = shared.state.need(now: clock.now(), hasWaited: hasWaited, isKnown: isKnown)
            if step.startsFetch { shared.flight = Flight() }
            publish(&shared)
            let turn = Turn(
                decision: step.decision, revision: shared.state.revision, flight: shared.flight,
                lastFailure: shared.lastFailure)
            return (turn, step.startsFetch)
        }
        if startsFetch, let flight = turn.flight { startFetch(flight) }
        return turn
    }

    /// The fetch belongs to no request: it goes on when the request that caused it is cancelled. It ends by the
    /// loader's deadline.
    private func startFetch(_ flight: Flight<Void>) {
        Task {
            do throws(KeyLoader.Failure) {
                take(.success(try await loader.load()))
            } catch {
                take(.failure(error))
            }
            flight.land(())
        }
    }

    private func take(_ result: Result<KeyLoader.Loaded, KeyLoader.Failure>) {
        let hasKeys = shared.withLock { shared in
            switch result {
            case .success(let loaded):
                shared.state.fetched(loaded.keys, age: loaded.age, now: clock.now())
                shared.lastFailure = nil
            case .failure(let failure):
                shared.state.failed(now: clock.now(), jitter: .random(in: 0..<1))
                shared.lastFailure = failure
            }
            publish(&shared)
            return shared.state.quietUntil != nil
        }
        switch result {
        case .success(let loaded):
            log(.keysFetched(count: loaded.keys.count))
            for reason in loaded.skipped { log(.keySkipped(reason: reason)) }
        case .failure(let failure):
            log(.keysFetchFailed(reason: failure.description, usesEarlierKeys: hasKeys))
        }
    }

    private func publish(_ shared: inout Shared) {
        let now = Published(revision: shared.state.revision, quietUntil: shared.state.quietUntil)
        guard shared.published != now else { return }
        shared.published = now
        sharedRevision.store(now.revision, ordering: .releasing)
        quietUntil.store(now.quietUntil.map(GuardClock.ticks(of:)) ?? .min, ordering: .relaxed)
    }
}
