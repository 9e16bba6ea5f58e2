import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("What waits for an idle loop")
struct IdleTests {
    @Test("It is called once, after the jobs that were ready and those that they made")
    func afterJobs() async throws {
        try await runOnLoop { loop in
            let notes = LoopBound(Notes(), loop: loop)
            for _ in 0..<64 {
                Task(executorPreference: loop) {
                    for _ in 0..<8 { await Task.yield() }
                    notes.value.work += 1
                }
            }
            let start = ContinuousClock.now
            loop.whenIdle { notes.value.noteIdle(since: start) }
            try await eventually("the loop is idle") { !notes.value.idleAfter.isEmpty }
            await loop.sleep(for: .milliseconds(5))
            #expect(notes.value.idleAfter == [64] || notes.value.wasDue)
            #expect(notes.value.idleAfter.count == 1)
        }
    }

    @Test("It is called after what descriptors had ready, also where a turn hook does the work")
    func afterDescriptors() async throws {
        try await runOnLoop { loop in
            let notes = LoopBound(Notes(), loop: loop)
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            #expect(write(writing, "some bytes", 10) == 10)
            let watch = LoopBound(
                DescriptorWatch(loop: loop, descriptor: reading) { notes.value.isReady = true }, loop: loop)
            let hook = loop.addHook { notes.value.readOne(from: reading) }
            let start = ContinuousClock.now
            loop.whenIdle { notes.value.noteIdle(since: start) }
            try await eventually("the loop is idle") { !notes.value.idleAfter.isEmpty }
            #expect(notes.value.idleAfter == [10] || notes.value.wasDue)
            watch.value.cancel()
            loop.removeHook(hook)
            close(reading)
            close(writing)
        }
    }

    @Test("It is called soon also where the work never ends")
    func busy() async throws {
        try await runOnLoop { loop in
            let notes = LoopBound(Notes(), loop: loop)
            loop.whenIdle { notes.value.idleAfter.append(0) }
            let start = ContinuousClock.now
            while notes.value.idleAfter.isEmpty && ContinuousClock.now - start < .seconds(10) {
                await Task.yield()
            }
            #expect(notes.value.idleAfter == [0])
        }
    }

    @Test("It is called by a loop that ends")
    func ending() async throws {
        let called = Atomic<Bool>(false)
        let running = try EventLoop.start(name: "ending")
        let loop = running.loop
        loop.execute {
            loop.whenIdle { called.store(true, ordering: .relaxed) }
            loop.stop()
        }
        running.join()
        let wasCalled = called.load(ordering: .relaxed)
        #expect(wasCalled)
    }
}

/// Confined to a loop.
private final class Notes {
    var work = 0
    var isReady = false
    /// How much work was done each time that the loop was idle.
    var idleAfter: [Int] = []
    /// Whether it was called because a millisecond had passed, where a busy machine let the work take that long.
    var wasDue = false

    func noteIdle(since start: ContinuousClock.Instant) {
        idleAfter.append(work)
        wasDue = ContinuousClock.now - start >= .milliseconds(1)
    }

    /// Reads a byte in each turn in which there is one, as an engine does that has its own look at its connections.
    func readOne(from descriptor: Int32) -> Bool {
        guard isReady else { return false }
        isReady = false
        var byte: UInt8 = 0
        if read(descriptor, &byte, 1) == 1 { work += 1 }
        return false
    }
}
