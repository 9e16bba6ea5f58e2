import EventLoop
import Glibc
import Testing
import TestSupport

@Suite("Turn hooks")
struct TurnHookTests {
    @Test("A hook sees the work of all jobs of a turn at once, also of those that jobs made")
    func onceAfterAllJobs() async throws {
        try await runOnLoop { loop in
            let batches = LoopBound(Batches(), loop: loop)
            let hook = loop.addHook { batches.value.end() }
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
            loop.removeHook(hook)
            #expect(batches.value.sizes == [64])
        }
    }

    @Test("Jobs that a hook made run before the loop waits")
    func hookMakesJobs() async throws {
        try await runOnLoop { loop in
            let waiting = LoopBound(Waiting(), loop: loop)
            let hook = loop.addHook { waiting.value.resume() }
            let start = ContinuousClock.now
            await withCheckedContinuation { waiting.value.continuation = $0 }
            #expect(ContinuousClock.now - start < .seconds(5))
            loop.removeHook(hook)
        }
    }
}

extension TurnHookTests {
    @Test("A descriptor that stays ready until a hook has its turn does not keep the hook from it")
    func readyDescriptor() async throws {
        try await runOnLoop { loop in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            var byte: UInt8 = 7
            #expect(write(writing, &byte, 1) == 1)
            let reader = LoopBound(DeferredReader(loop: loop, descriptor: reading), loop: loop)
            // The loop is busy, so that it polls without waiting.
            let hook = loop.addHook { reader.value.turn() }
            try await eventually("the hook reads") {
                await Task.yield()
                return reader.value.hasRead
            }
            loop.removeHook(hook)
            reader.value.stop()
            close(reading)
            close(writing)
        }
    }
}

/// Notes that its descriptor is ready, and reads in a hook that claims to have always more to do.
private final class DeferredReader {
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var isReady = false
    private(set) var hasRead = false

    init(loop: EventLoop, descriptor: Int32) {
        self.descriptor = descriptor
        watch = DescriptorWatch(loop: loop, descriptor: descriptor) { [unowned self] in isReady = true }
    }

    func turn() -> Bool {
        guard !hasRead else { return false }
        var byte: UInt8 = 0
        if isReady { hasRead = read(descriptor, &byte, 1) == 1 }
        return true
    }

    func stop() { watch = nil }
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
