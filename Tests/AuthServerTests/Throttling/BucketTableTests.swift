import AuthStore
import ServerCases
import Testing

@testable import AuthServer

@Suite("Buckets in fixed memory")
struct BucketTableTests {
    @Test("A level sinks with time and is gone when it is 0")
    func draining() {
        let table = BucketTable<64>()
        table.change(7, at: 1000) { $0 + 500 }
        #expect(table.level(of: 7, at: 1000) == 500)
        #expect(table.level(of: 7, at: 1200) == 300)
        #expect(table.level(of: 7, at: 1500) == 0)
        #expect(table.level(of: 7, at: 9_000_000) == 0)
        #expect(table.level(of: 8, at: 1000) == 0)
    }

    @Test("A change says by how much the level rose")
    func changes() {
        let table = BucketTable<64>()
        #expect(table.change(7, at: 1000) { min($0 + 500, 800) } == 500)
        #expect(table.change(7, at: 1000) { min($0 + 500, 800) } == 300)
        #expect(table.change(7, at: 1000) { min($0 + 500, 800) } == 0)
        #expect(table.change(7, at: 1000) { $0 - 200 } == -200)
        #expect(table.change(7, at: 1000) { $0 - 5000 } == -600)
        #expect(table.level(of: 7, at: 1000) == 0)
    }

    @Test("A full bucket is kept while a flood of others passes through its places")
    func flood() {
        let table = BucketTable<1024>()
        var random = SeededGenerator(seed: 1)
        let full = (0..<16).map { _ in random.next() }
        for key in full { table.change(key, at: 1000) { _ in 60_000 } }
        for _ in 0..<50_000 {
            table.change(random.next(), at: 1000) { $0 + 2000 }
        }
        for key in full { #expect(table.level(of: key, at: 1000) == 60_000) }
    }

    /// A thread that others overtake sixteen times gives up, and says so; it never undoes what they counted.
    @Test("Threads that count at once lose nothing of what they say they counted")
    func threads() async {
        let table = BucketTable<64>()
        let counted = await withTaskGroup(of: Milliseconds.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<10_000).reduce(0) { sum, _ in sum + table.change(7, at: 1000) { $0 + 1 } }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(table.level(of: 7, at: 1000) == counted)
        #expect(counted > 10_000)
    }
}
