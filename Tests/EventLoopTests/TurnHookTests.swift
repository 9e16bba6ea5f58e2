import EventLoop
import Testing
import TestSupport

@Suite("Turn hooks")
struct TurnHookTests {
    @Test("A hook sees the work of all jobs of a turn at once, also of those that jobs made")
    func onceAfterAllJobs() async throws {
        try await runOnLoop { loop in
            let batches = LoopBound(Batches(), loop: loop)
            let hook = loop.addTurnHook { batches.value.end() }
            await withDiscardingTaskGroup { group in
                for _ in 0..<64 {
                    group.addTask {
                        await Task.yield()
                        batches.value.add()
                    }
                }
            }
            await Task.yield()
            await loop.sleep(for: .milliseconds(1))
            loop.removeTurnHook(hook)
            #expect(batches.value.sizes == [64])
        }
    }

    @Test("Jobs that a hook made run before the loop waits")
    func hookMakesJobs() async throws {
        try await runOnLoop { loop in
            let waiting = LoopBound(Waiting(), loop: loop)
            let hook = loop.addTurnHook { waiting.value.resume() }
            let start = ContinuousClock.now
            await withCheckedContinuation { waiting.value.continuation = $0 }
            #expect(ContinuousClock.now - start < .seconds(5))
            loop.removeTurnHook(hook)
        }
    }
}

private final class Batches {
    private var size = 0
    private(set) var sizes: [Int] = []
    func add() { size += 1 }
    func end() -> Bool {
        if size > 0 { sizes.append(size) }
        size = 0
        return false
    }
}

private final class Waiting {
    var continuation: CheckedContinuation<Void, Never>?
    func resume() -> Bool {
        guard let continuation else { return false }
        self.continuation = nil
        continuation.resume()
        return true
    }
}
