internal import JOSE
internal import Synchronization

/// The verified tokens that are remembered: a bounded table of small sets, each set under a lock of its own
/// shard, so that a look costs a fraction of a microsecond and threads hardly meet.
///
/// The place in the table comes from the token's last bytes, which are its signature, under the process's random
/// hash key; then all bytes are compared. Only verified tokens get in, and who does not know the signature's last
/// bytes never reaches the comparison.
final class VerifiedTokens: Sendable {
    private struct Slot {
        var hash = 0
        var token: VerifiedToken?
    }

    private final class Shard: Sendable {
        let slots: Mutex<[Slot]>
        init(count: Int) { slots = Mutex(Array(repeating: Slot(), count: count)) }
    }

    private static let longestBytes = 4096
    private let shards: [Shard]
    private let setsPerShard: Int
    private let ways: Int

    /// A table for at most `capacity` tokens; nil for none.
    init?(capacity: Int) {
        guard capacity > 0 else { return nil }
        let ways = min(8, capacity)
        let sets = capacity / ways
        let shardCount = min(16, sets)
        let setsPerShard = sets / shardCount
        shards = (0..<shardCount).map { _ in Shard(count: setsPerShard * ways) }
        self.setsPerShard = setsPerShard
        self.ways = ways
    }

    /// The token with exactly these bytes.
    func find(_ bytes: Span<UInt8>) -> VerifiedToken? {
        let hash = Self.hash(bytes)
        let range = slotRange(hash)
        let found = shard(hash).slots.withLock { slots -> VerifiedToken? in
            for index in range where slots[index].hash == hash {
                if let token = slots[index].token { return token }
            }
            return nil
        }
        guard let found else { return nil }
        let held = found.text
        return Self.areEqual(held.span, bytes) ? found : nil
    }

    /// Remembers a token, in place of the one in its set that ends first.
    func insert(_ token: VerifiedToken) {
        let text = token.text
        guard text.span.count <= Self.longestBytes else { return }
        let hash = Self.hash(text.span)
        let range = slotRange(hash)
        shard(hash).slots.withLock { slots in
            let place =
                range.first { slots[$0].hash == hash && slots[$0].token != nil }
                ?? range.min { Self.end(slots[$0]) < Self.end(slots[$1]) } ?? range.lowerBound
            slots[place] = Slot(hash: hash, token: token)
        }
    }

    /// How many are held, for tests.
    var count: Int {
        shards.reduce(0) { sum, shard in
            sum + shard.slots.withLock { slots in slots.count { $0.token != nil } }
        }
    }

    private static func end(_ slot: Slot) -> Int64 { slot.token?.claims.expiresAt ?? .min }

    private func shard(_ hash: Int) -> Shard { shards[Int(UInt(bitPattern: hash) % UInt(shards.count))] }

    private func slotRange(_ hash: Int) -> Range<Int> {
        let set = Int((UInt(bitPattern: hash) / UInt(shards.count)) % UInt(setsPerShard))
        return set * ways..<(set + 1) * ways
    }

    /// SipHash under the process's random key, over the last 32 bytes: 192 bits of the signature.
    private static func hash(_ bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        var index = max(0, bytes.count - 32)
        while index < bytes.count {
            let end = min(index + 8, bytes.count)
            var word: UInt64 = 0
            while index < end {
                word = word << 8 | UInt64(bytes[index])
                index += 1
            }
            hasher.combine(word)
        }
        return hasher.finalize()
    }

    private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
