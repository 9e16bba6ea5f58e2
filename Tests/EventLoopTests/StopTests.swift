import Dispatch
import EventLoop
import Synchronization
import Testing
import TestSupport

@Suite("The end of a loop")
struct StopTests {
    @Test("A loop that is busy stops")
    func stopsWhileBusy() throws {
        let running = try EventLoop.start(name: "busy")
        let loop = running.loop
        Task(executorPreference: loop) { while true { await Task.yield() } }
        loop.stop()
        running.join()
    }

    @Test("A loop that waits stops, and stopping twice is one stop")
    func stopsWhileIdle() throws {
        let running = try EventLoop.start(name: "idle")
        running.loop.stop()
        running.loop.stop()
        running.join()
        #expect(!running.loop.isCurrent)
    }

    @Test("A loop stopped before it runs runs what it has and returns")
    func stoppedBeforeRun() throws {
        let loop = try EventLoop()
        let ran = Atomic<Bool>(false)
        loop.execute { ran.store(true, ordering: .relaxed) }
        loop.stop()
        loop.run()
        let hasRun = ran.load(ordering: .relaxed)
        #expect(hasRun)
    }

    @Test("Stop hooks run on the loop's thread, and the jobs that they make still run")
    func stopHooks() async throws {
        let running = try EventLoop.start(name: "hooks")
        let loop = running.loop
        let waiting = Task(executorPreference: loop) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                _ = loop.addHook(
                    turn: { false }, stop: { continuation.resume(returning: loop.isCurrent) })
                loop.stop()
            }
        }
        #expect(await waiting.value)
        running.join()
    }

    @Test("A removed hook is not called")
    func removedHooks() throws {
        let loop = try EventLoop()
        let calls = CallCounter()
        let hook = loop.addHook(
            turn: {
                calls.add()
                return false
            }, stop: { calls.add() })
        loop.removeHook(hook)
        loop.stop()
        loop.run()
        #expect(calls.total == 0)
    }

    @Test("What is handed to a loop that has ended is let go, so that nothing leaks")
    func executeAfterEnd() throws {
        let loop = try EventLoop()
        loop.stop()
        loop.run()
        weak var kept: CallCounter?
        do {
            let counter = CallCounter()
            kept = counter
            let isAccepted = loop.execute { counter.add() }
            #expect(!isAccepted)
        }
        #expect(kept == nil)
    }
}

private final class CallCounter: Sendable {
    private let count = Atomic<Int>(0)
    var total: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }

    @Test("A loop ends that is stopped while it wakes for what was handed in just before")
    func stopRightAfterWork() throws {
        for round in 0..<3000 {
            let running = try EventLoop.start(name: "short")
            let started = DispatchSemaphore(value: 0)
            running.loop.execute { started.signal() }
            started.wait()
            running.loop.execute {}
            // Some of these meet the moment between the loop's look at its end and its look at its work.
            let moment = ContinuousClock.now + .nanoseconds(round * 25)
            while ContinuousClock.now < moment {}
            running.loop.stop()
            running.join()
        }
    }
}
