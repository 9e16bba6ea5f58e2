import EventLoop
import Synchronization
import Testing
import TestSupport

@Suite("Jobs of a loop")
struct JobTests {
    @Test("A task that prefers the loop runs on its thread, before and after a suspension")
    func staysOnLoop() async throws {
        try await runOnLoop { loop in
            #expect(loop.isCurrent)
            await Task.yield()
            #expect(loop.isCurrent)
            await Task.detached { #expect(!loop.isCurrent) }.value
            #expect(loop.isCurrent)
        }
    }

    @Test("Bodies from one thread run in the order in which they were handed in")
    func bodiesInOrder() async throws {
        let running = try EventLoop.start(name: "order")
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<1000 {
                running.loop.execute { seen.withLock { $0.append(number) } }
            }
            running.loop.execute { continuation.resume() }
        }
        running.loop.stop()
        running.join()
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test("Jobs and bodies of many threads are all run, each once")
    func manyThreads() async throws {
        try await runOnLoop { loop in
            let bound = LoopBound(LoopCounter(), loop: loop)
            await withTaskGroup { group in
                for _ in 0..<64 {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        for _ in 0..<100 {
                            await withTaskExecutorPreference(loop) { bound.value.add() }
                        }
                    }
                }
            }
            #expect(bound.value.total == 6400)
        }
    }

    @Test("What was enqueued before the loop runs is run then")
    func enqueuedEarly() throws {
        let loop = try EventLoop()
        let ran = Atomic<Bool>(false)
        loop.execute {
            ran.store(true, ordering: .relaxed)
            loop.stop()
        }
        loop.run()
        let hasRun = ran.load(ordering: .relaxed)
        #expect(hasRun)
    }

    @Test("Jobs that make jobs for ever keep no timer from its turn")
    func busyLoopServesTimers() async throws {
        try await runOnLoop { loop in
            let done = Atomic<Bool>(false)
            let spinner = Task(executorPreference: loop) {
                while !done.load(ordering: .relaxed) { await Task.yield() }
            }
            await loop.sleep(for: .milliseconds(5))
            done.store(true, ordering: .relaxed)
            await spinner.value
        }
    }
}

/// Confined to a loop.
private final class LoopCounter {
    private(set) var total = 0
    func add() { total += 1 }
}
