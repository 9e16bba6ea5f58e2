import AuthStore
import OAuth

/// Decides who may try a secret, from the failures of the last minute. Pure but for its memory; time is given.
///
/// Failures are counted in three ways, with `limit` the configured number a minute:
///
/// | bucket | holds | when it is full |
/// | --- | --- | --- |
/// | client and address | `limit` | this client is refused from this address |
/// | address | 10 × `limit` | clients that have not authenticated from this address lately are refused there |
/// | client | 10 × `limit` | nobody is refused, but a failure from an address that has not authenticated as this client lately costs that address a whole minute |
///
/// - Nobody can lock a client out from elsewhere: what others do to a client's own bucket refuses nobody, it only
///   makes guesses dearer for strangers. An address without failures of its own is always let in.
/// - A thousand addresses that guess at one client get one guess a minute each instead of `limit`.
/// - Clients behind one address (a proxy, a cluster's exit) are not refused for what another does there, once they
///   have authenticated from there. Whoever shares an address with a client and knows its id can have it refused
///   there: they cannot be told apart before a secret is looked at.
/// - A refused attempt adds nothing, so that a client that goes on asking is let in again all the same, and it is
///   refused before the registry or a secret is looked at, so that it costs little and says nothing about the
///   client.
/// - A success takes nothing back. A bucket is empty after a minute anyway; and whoever shares an address with a
///   busy client could otherwise guess at it without limit.
///
/// Shared by all threads; see `BucketTable`.
final class FailureCounters: Sendable {
    /// One try to authenticate: one address, and the client id that it names, or two where the header can be read
    /// in two ways. It counts as one failure for each id, and as one for the address.
    struct Attempt: Sendable {
        fileprivate struct Named {
            let id: ClientID
            let pair: UInt64
            let client: UInt64
        }

        /// Where it comes from.
        let address: AddressGroup
        fileprivate let addressKey: UInt64
        fileprivate let first: Named
        fileprivate let second: Named?

        /// The client ids that it names.
        var ids: [ClientID] { [first.id, second?.id].compactMap { $0 } }
    }

    /// What one failure added to the buckets, in milliseconds; of the second id too, where there are two.
    struct Counted: Sendable, Equatable {
        var address: Milliseconds = 0
        var pairs: [Milliseconds] = []
        var clients: [Milliseconds] = []
    }

    private static let placesOfManyFailures = 10
    private static let rememberedSuccess: Milliseconds = 24 * 3_600_000
    private static let forgottenMeanwhile: Milliseconds = 60_000

    private let ofPair: LeakyBucket
    private let ofMany: LeakyBucket
    // 512 KiB together.
    private let pairs = BucketTable<16384>()
    private let addresses = BucketTable<16384>()
    private let clients = BucketTable<16384>()
    /// Clients that have authenticated from an address; the level is how long that is remembered.
    private let known = BucketTable<16384>()

    /// Counters with nothing counted.
    /// - Parameter limit: how many failures of a client from one address are let in a minute.
    init(limit: Int) {
        ofPair = LeakyBucket(failuresPerMinute: limit)
        ofMany = LeakyBucket(failuresPerMinute: limit * Self.placesOfManyFailures)
    }

    /// The attempt that names these client ids.
    func attempt(_ id: ClientID, _ other: ClientID?, from address: AddressGroup) -> Attempt {
        let second = other.flatMap { $0 == id ? nil : $0 }
        return Attempt(
            address: address, addressKey: Self.key(0, nil, address), first: Self.named(id, address),
            second: second.map { Self.named($0, address) })
    }

    // MARK: - Deciding

    /// How long an attempt has to wait, in milliseconds; 0 where it may go on.
    func wait(_ attempt: Attempt, at now: Milliseconds) -> Milliseconds {
        let ofAddress = ofMany.wait(atLevel: addresses.level(of: attempt.addressKey, at: now))
        func wait(_ named: Attempt.Named) -> Milliseconds {
            let wait = ofPair.wait(atLevel: pairs.level(of: named.pair, at: now))
            return ofAddress > wait && !isKnown(named, at: now) ? ofAddress : wait
        }
        return max(wait(attempt.first), attempt.second.map(wait) ?? 0)
    }

    /// Counts a failure, or an attempt whose outcome is not known yet.
    func count(_ attempt: Attempt, at now: Milliseconds) -> Counted {
        var counted = Counted()
        func count(_ named: Attempt.Named) {
            let isGuessedAt = ofMany.wait(atLevel: clients.level(of: named.client, at: now)) > 0
            let cost = isGuessedAt && !isKnown(named, at: now) ? LeakyBucket.capacity : ofPair.cost
            counted.pairs.append(add(cost, to: named.pair, in: pairs, at: now))
            counted.clients.append(add(ofMany.cost, to: named.client, in: clients, at: now))
        }
        count(attempt.first)
        if let second = attempt.second { count(second) }
        counted.address = add(ofMany.cost, to: attempt.addressKey, in: addresses, at: now)
        return counted
    }

    /// Takes back what was counted for an attempt that was no failure.
    func takeBack(_ counted: Counted, of attempt: Attempt, at now: Milliseconds) {
        addresses.change(attempt.addressKey, at: now) { $0 - counted.address }
        for (named, amounts) in zip([attempt.first, attempt.second], zip(counted.pairs, counted.clients)) {
            guard let named else { continue }
            pairs.change(named.pair, at: now) { $0 - amounts.0 }
            clients.change(named.client, at: now) { $0 - amounts.1 }
        }
    }

    /// Remembers for a day that a client has authenticated from an address.
    func succeeded(_ id: ClientID, in attempt: Attempt, at now: Milliseconds) {
        let named = attempt.second.flatMap { $0.id == id ? $0 : nil } ?? attempt.first
        known.change(named.pair, at: now) { level in
            level + Self.forgottenMeanwhile < Self.rememberedSuccess ? Self.rememberedSuccess : level
        }
    }

    /// Takes over what all servers have counted together, where that is more.
    func learn(_ levels: Counted, of attempt: Attempt, at now: Milliseconds) {
        func raise<let size: Int>(_ table: BucketTable<size>, _ key: UInt64, to level: Milliseconds) {
            table.change(key, at: now) { max($0, min(level, LeakyBucket.maximumLevel)) }
        }
        raise(addresses, attempt.addressKey, to: levels.address)
        for (named, levels) in zip([attempt.first, attempt.second], zip(levels.pairs, levels.clients)) {
            guard let named else { continue }
            raise(pairs, named.pair, to: levels.0)
            raise(clients, named.client, to: levels.1)
        }
    }

    // MARK: - Keys

    private func isKnown(_ named: Attempt.Named, at now: Milliseconds) -> Bool {
        known.level(of: named.pair, at: now) > 0
    }

    private func add<let size: Int>(
        _ amount: Milliseconds, to key: UInt64, in table: BucketTable<size>, at now: Milliseconds
    ) -> Milliseconds {
        table.change(key, at: now) { min($0 + amount, LeakyBucket.maximumLevel) }
    }

    private static func named(_ id: ClientID, _ address: AddressGroup) -> Attempt.Named {
        Attempt.Named(id: id, pair: key(1, id, address), client: key(2, id, nil))
    }

    /// A hash under the seed of this process: nobody can choose names that meet in the tables.
    private static func key(_ kind: UInt8, _ id: ClientID?, _ address: AddressGroup?) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(id)
        hasher.combine(address)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
