import Synchronization

/// What one serving thread has counted since the server's start, and how it stands.
///
/// Its thread alone writes, so that to count is a load and a store without a lock or a wait; any thread may read.
final class ThreadCounters: Sendable {
    private typealias Counter = Atomic<UInt64>

    private let requests = InlineArray<136, Counter> { _ in Counter(0) }
    private let durations = InlineArray<128, Counter> { _ in Counter(0) }
    private let microseconds = InlineArray<8, Counter> { _ in Counter(0) }
    private let turnedAway = Counter(0)
    private let connections = Atomic<Int>(0)
    private let registryIsLost = Atomic<Bool>(false)
    private let tokenStoreIsLost = Atomic<Bool>(false)
    private let signingKeyIsMissing = Atomic<Bool>(false)
    private let signingSince = Atomic<Int64>(0)

    /// Counts an answer.
    /// - Parameter microseconds: how long it took; of what reached no endpoint that is not kept.
    func count(_ route: Route?, status: Int, microseconds: Int64) {
        let endpoint = Endpoint.number(route)
        Self.add(1, to: requests[endpoint * StatusSlot.count + StatusSlot.number(status)])
        guard route != nil else { return }
        Self.add(1, to: durations[endpoint * DurationBuckets.count + DurationBuckets.number(microseconds)])
        Self.add(UInt64(max(0, microseconds)), to: self.microseconds[endpoint])
    }

    /// Counts connections for which there was no place.
    func countTurnedAway(_ connections: Int) { Self.add(UInt64(max(0, connections)), to: turnedAway) }

    private static func add(_ number: UInt64, to counter: borrowing Counter) {
        counter.store(counter.load(ordering: .relaxed) &+ number, ordering: .relaxed)
    }

    /// Takes note of how the token store stands.
    func note(tokenStoreIsLost isLost: Bool) { tokenStoreIsLost.store(isLost, ordering: .relaxed) }

    /// Takes note of how the rest stands, as it is looked at once a second.
    /// - Parameters:
    ///   - connections: how many are open.
    ///   - signingSince: when the key that signs became the one, in milliseconds since 1970; nil where none can sign.
    func note(connections: Int, registryIsLost: Bool, signingSince: Int64?) {
        self.connections.store(connections, ordering: .relaxed)
        self.registryIsLost.store(registryIsLost, ordering: .relaxed)
        signingKeyIsMissing.store(signingSince == nil, ordering: .relaxed)
        if let signingSince { self.signingSince.store(signingSince, ordering: .relaxed) }
    }

    /// What it is now; not all of one moment.
    func read() -> ThreadReading {
        var reading = ThreadReading()
        for index in requests.indices { reading.requests[index] = requests[index].load(ordering: .relaxed) }
        for index in durations.indices {
            reading.durations[index] = durations[index].load(ordering: .relaxed)
        }
        for index in microseconds.indices {
            reading.microseconds[index] = microseconds[index].load(ordering: .relaxed)
        }
        reading.turnedAway = turnedAway.load(ordering: .relaxed)
        reading.connections = connections.load(ordering: .relaxed)
        reading.registryIsUp = !registryIsLost.load(ordering: .relaxed)
        reading.tokenStoreIsUp = !tokenStoreIsLost.load(ordering: .relaxed)
        reading.canSign = !signingKeyIsMissing.load(ordering: .relaxed)
        reading.signingSince = signingSince.load(ordering: .relaxed)
        return reading
    }
}

/// What a thread has counted, or all have together.
struct ThreadReading: Sendable, Equatable {
    /// Answers by endpoint and status.
    var requests = [UInt64](repeating: 0, count: Endpoint.count * StatusSlot.count)
    /// Answers by endpoint and how long they took.
    var durations = [UInt64](repeating: 0, count: Endpoint.count * DurationBuckets.count)
    /// How long those of an endpoint took in all.
    var microseconds = [UInt64](repeating: 0, count: Endpoint.count)
    var turnedAway: UInt64 = 0
    var connections = 0
    var registryIsUp = true
    var tokenStoreIsUp = true
    var canSign = true
    /// Milliseconds since 1970; 0 before it was looked at.
    var signingSince: Int64 = 0

    /// Adds what another thread has counted. What one of them has lost is lost.
    mutating func add(_ other: ThreadReading) {
        for index in requests.indices { requests[index] &+= other.requests[index] }
        for index in durations.indices { durations[index] &+= other.durations[index] }
        for index in microseconds.indices { microseconds[index] &+= other.microseconds[index] }
        turnedAway &+= other.turnedAway
        connections += other.connections
        registryIsUp = registryIsUp && other.registryIsUp
        tokenStoreIsUp = tokenStoreIsUp && other.tokenStoreIsUp
        canSign = canSign && other.canSign
        signingSince = max(signingSince, other.signingSince)
    }
}
