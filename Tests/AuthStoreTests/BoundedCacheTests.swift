import Testing

@testable import AuthStore

@Suite struct BoundedCacheTests {
    @Test("It never holds more than its capacity, whatever comes", arguments: [1, 2, 3, 10, 100])
    func bounded(capacity: Int) {
        var cache = BoundedCache<Int, Int>(capacity: capacity)
        for key in 0..<1000 {
            cache[key] = key
            cache[key / 2] = key
            #expect(cache.count <= max(2, capacity))
        }
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

    @Test("A value can be replaced and removed, recent or not")
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
}
