import AuthStore
import Synchronization

/// Levels of buckets under 64-bit keys, in memory that is there from the start and never grows.
///
/// All threads share one table and none ever waits for another: a bucket is one atomic word. A key has eight
/// places where it may be; when all are others', it takes that of the emptiest, which is the one that says least.
/// An attacker who wants a full bucket forgotten has to fill eight more in the same places, and does not know
/// where that is: keys are hashed under a seed of this process.
final class BucketTable<let size: Int>: Sendable {
    /// 24 bits of the key, then the moment at which the bucket is empty: 40 bits, 34 years of milliseconds since
    /// the machine was started, and too few for those since 1970.
    private let cells = InlineArray<size, Atomic<UInt64>> { _ in Atomic(0) }

    /// The level of a bucket; 0 for one that is not there.
    func level(of key: UInt64, at now: Milliseconds) -> Milliseconds {
        let place = place(of: key, at: now)
        return place.isFound ? place.level : 0
    }

    /// Sets a bucket's level to one that is made from the present level.
    /// - Returns: by how much it rose.
    @discardableResult
    func change(
        _ key: UInt64, at now: Milliseconds, _ next: (Milliseconds) -> Milliseconds
    ) -> Milliseconds {
        // Another thread may be quicker, but not for ever: a failure that is not counted does no harm.
        for _ in 0..<16 {
            let place = place(of: key, at: now)
            let present = place.isFound ? place.level : 0
            let level = max(0, next(present))
            guard level != present else { return 0 }
            let word = Self.word(tag: Self.tag(of: key), emptyAt: now + level)
            let outcome = cells[place.index].compareExchange(
                expected: place.word, desired: word, ordering: .relaxed)
            if outcome.exchanged { return level - present }
        }
        return 0
    }

    // MARK: - Places

    private struct Place {
        let index: Int
        let word: UInt64
        let isFound: Bool
        let level: Milliseconds
    }

    private static var ways: Int { 8 }

    /// Where the key is, or the emptiest place that it may take.
    private func place(of key: UInt64, at now: Milliseconds) -> Place {
        assert((0...Milliseconds(Self.timeMask)).contains(now), "time is that since the machine was started")
        let first = Int(key & 0xFFFF_FFFF) % (size / Self.ways) * Self.ways
        let tag = Self.tag(of: key)
        var emptiest = Place(index: first, word: 0, isFound: false, level: .max)
        for index in first..<first + Self.ways {
            let word = cells[index].load(ordering: .relaxed)
            let level = max(0, Milliseconds(word & Self.timeMask) - now)
            if word >> 40 == tag, level > 0 {
                return Place(index: index, word: word, isFound: true, level: level)
            }
            if level < emptiest.level {
                emptiest = Place(index: index, word: word, isFound: false, level: level)
            }
        }
        return emptiest
    }

    private static var timeMask: UInt64 { 1 << 40 - 1 }

    private static func tag(of key: UInt64) -> UInt64 { key >> 40 }

    private static func word(tag: UInt64, emptyAt: Milliseconds) -> UInt64 {
        tag << 40 | UInt64(clamping: emptyAt) & timeMask
    }
}
