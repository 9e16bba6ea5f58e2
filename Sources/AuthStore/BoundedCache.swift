/// A dictionary with room for so many: once it is full, what was not asked for lately makes room for what is new.
///
/// Large ones are in parts that grow and are searched by themselves, so that no call takes longer than a part takes to
/// grow, some tens of microseconds, whoever waits for the thread. A key among very many is found with two looks into memory
/// that no cache of the processor has, where a `Dictionary` takes four.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var parts: [CachePart<Key, Value>]
    /// How many it has.
    package private(set) var count = 0

    /// An empty cache for so many entries, at least one.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        let count = self.capacity <= CachePartSize.most ? 1 : self.capacity / CachePartSize.usual + 1
        parts = Array(repeating: CachePart(), count: count)
    }

    /// What is kept under a key; nil for nothing, and to forget it.
    package subscript(key: Key) -> Value? {
        mutating get {
            let hash = UInt(bitPattern: key.hashValue)
            return parts[number(hash)].value(key, UInt32(truncatingIfNeeded: hash))
        }
        set {
            let hash = UInt(bitPattern: key.hashValue)
            let number = number(hash)
            count -= parts[number].count
            parts[number].set(newValue, for: key, UInt32(truncatingIfNeeded: hash), room: capacity - count)
            count += parts[number].count
        }
    }

    /// By the upper bits of the hash; a part goes by the lower ones.
    private func number(_ hash: UInt) -> Int {
        parts.count == 1 ? 0 : Int(hash.multipliedFullWidth(by: UInt(parts.count)).high)
    }
}

private enum CachePartSize {
    /// How many entries a part has at most: three quarters of the places that twelve bits can name.
    static let most = 3072
    /// How many it has on average when all are full: five standard deviations less.
    static let usual = 2800
}

/// A hand goes round over the entries: what was asked for since it came by stays for another round, what was not
/// makes room.
private struct CachePart<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Entry] = []
    /// Where entries are: each begins to look for its own at the lower bits of its hash, and goes on to the next that
    /// is empty. In its upper 20 bits a place has those of the hash, so that hardly ever a key is compared in vain; in
    /// its lower 12 the entry's number and one; 0 where it is empty.
    private var places: [UInt32] = Array(repeating: 0, count: 8)
    private var hand = 0

    private struct Entry: Sendable {
        let key: Key
        var value: Value
        var wasAsked = false
        let hash: UInt32
    }

    private static var numberMask: UInt32 { 0xFFF }

    var count: Int { entries.count }

    mutating func value(_ key: Key, _ hash: UInt32) -> Value? {
        guard let place = place(of: key, hash) else { return nil }
        let number = number(at: place)
        if !entries[number].wasAsked { entries[number].wasAsked = true }
        return entries[number].value
    }

    /// - Parameter room: how many entries it may have now.
    mutating func set(_ value: Value?, for key: Key, _ hash: UInt32, room: Int) {
        let known = place(of: key, hash)
        switch (known, value) {
        case (let place?, let value?): entries[number(at: place)].value = value
        case (let place?, nil): remove(at: place)
        case (nil, let value?): insert(Entry(key: key, value: value, hash: hash), room: room)
        case (nil, nil): break
        }
    }

    private mutating func insert(_ entry: Entry, room: Int) {
        if entries.isEmpty || entries.count < min(room, CachePartSize.most) {
            entries.append(entry)
            if entries.count * 4 > places.count * 3 { return enlarge() }
            note(entry.hash, entries.count - 1)
        } else {
            let number = makeRoom()
            entries[number] = entry
            note(entry.hash, number)
        }
    }

    /// Ends within one round and a step: the round makes all of them such as were not asked for.
    private mutating func makeRoom() -> Int {
        if hand >= entries.count { hand = 0 }
        while entries[hand].wasAsked {
            entries[hand].wasAsked = false
            hand = hand + 1 < entries.count ? hand + 1 : 0
        }
        empty(place(ofEntry: hand))
        defer { hand += 1 }
        return hand
    }

    /// Puts the last entry where the removed one was.
    private mutating func remove(at place: Int) {
        let number = number(at: place)
        empty(place)
        if number < entries.count - 1 {
            let last = self.place(ofEntry: entries.count - 1)
            entries.swapAt(number, entries.count - 1)
            places[last] = Self.mark(entries[number].hash, number)
        }
        entries.removeLast()
    }

    // MARK: - Places

    private var mask: Int { places.count - 1 }

    private func number(at place: Int) -> Int { Int(places[place] & Self.numberMask) - 1 }

    private static func mark(_ hash: UInt32, _ number: Int) -> UInt32 {
        hash & ~numberMask | UInt32(number + 1)
    }

    private func place(of key: Key, _ hash: UInt32) -> Int? {
        var place = Int(hash) & mask
        while places[place] != 0 {
            let isAlike = (places[place] ^ hash) & ~Self.numberMask == 0
            if isAlike, entries[number(at: place)].key == key { return place }
            place = (place + 1) & mask
        }
        return nil
    }

    private func place(ofEntry number: Int) -> Int {
        let mark = Self.mark(entries[number].hash, number)
        var place = Int(entries[number].hash) & mask
        while places[place] != mark { place = (place + 1) & mask }
        return place
    }

    private mutating func note(_ hash: UInt32, _ number: Int) {
        var place = Int(hash) & mask
        while places[place] != 0 { place = (place + 1) & mask }
        places[place] = Self.mark(hash, number)
    }

    /// Empties a place, and moves up what went past it because it was taken.
    private mutating func empty(_ place: Int) {
        var (hole, next) = (place, (place + 1) & mask)
        while places[next] != 0 {
            let wish = Int(entries[number(at: next)].hash) & mask
            if (next - wish) & mask >= (next - hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = 0
    }

    private mutating func enlarge() {
        places = Array(repeating: 0, count: places.count * 2)
        for number in entries.indices { note(entries[number].hash, number) }
    }
}
