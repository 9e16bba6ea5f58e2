import ServerCases
import Testing

@testable import AuthStore

@Suite struct BoundedCacheTests {
    @Test("It never holds more than its capacity, whatever comes", arguments: [1, 2, 3, 10, 100, 5000])
    func bounded(capacity: Int) {
        var cache = BoundedCache<Int, Int>(capacity: capacity)
        for key in 0..<2 * capacity + 1000 {
            cache[key] = key
            cache[key / 2] = key
            #expect(cache.count <= capacity)
        }
    }

    @Test(
        "Whatever has room is kept, in whatever order it is asked for",
        arguments: [1, 2, 100, 3072, 3073, 100_000])
    func full(capacity: Int) {
        var cache = BoundedCache<Int, Int>(capacity: capacity)
        for key in 0..<capacity { cache[key] = key }
        for _ in 0..<3 {
            for key in 0..<capacity { #expect(cache[key] == key) }
        }
        #expect(cache.count == capacity)
    }

    @Test("What is asked for stays, what is not goes")
    func recency() {
        var cache = BoundedCache<Int, Int>(capacity: 10)
        cache[0] = 42
        for key in 1...100 {
            cache[key] = key
            #expect(cache[0] == 42)
        }
        #expect(cache[1] == nil)
        #expect(cache[100] == 100)
    }

    @Test("A value can be replaced and removed")
    func change() {
        var cache = BoundedCache<Int, Int>(capacity: 4)
        for key in 1...4 { cache[key] = key }
        for key in 1...4 {
            let held = cache[key] != nil
            cache[key] = key * 10
            #expect(cache[key] == key * 10, "was held: \(held)")
            cache[key] = nil
            #expect(cache[key] == nil)
        }
        #expect(cache.count == 0)
    }

    @Test(
        "Any sequence of changes leaves what a dictionary has, but for what made room",
        arguments: [1, 2, 7, 64, 1000, 3072, 3073, 10_000], [UInt64(1), 2, 3])
    func model(capacity: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = BoundedCache<Int, Int>(capacity: capacity)
        var model: [Int: Int] = [:]
        var hasMadeRoom = false
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<max(2, capacity * 3 / 2), using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: (cache[key], model[key]) = (nil, nil)
            case 1...4: (cache[key], model[key]) = (step, step)
            default:
                let found = cache[key]
                #expect(found == nil || found == model[key])
                #expect(hasMadeRoom || found == model[key])
            }
            hasMadeRoom = hasMadeRoom || model.count > capacity
            #expect(cache.count <= min(capacity, model.count))
        }
    }

    @Test("Keys whose hashes are alike are told apart", arguments: [1, 2, 64])
    func collisions(distinct: Int) {
        var cache = BoundedCache<Alike, Int>(capacity: 1000)
        for number in 0..<1500 { cache[Alike(number: number, distinct: distinct)] = number }
        var found = 0
        for number in 0..<1500 {
            guard let value = cache[Alike(number: number, distinct: distinct)] else { continue }
            #expect(value == number)
            found += 1
        }
        #expect(found == 1000 && cache.count == 1000)
        for number in 0..<1500 { cache[Alike(number: number, distinct: distinct)] = nil }
        #expect(cache.count == 0)
    }
}

/// A key with one of very few hashes.
private struct Alike: Hashable {
    let number: Int
    let distinct: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % distinct) }
}
