import EventLoop
import Glibc
import Testing
import TestSupport

@Suite("Timers, signals and descriptors", .serialized)
struct WatchTests {
    @Test("Timers fire in the order of their delays, none before its time")
    func timerOrder() async throws {
        try await runOnLoop { loop in
            let log = LoopBound(Log(), loop: loop)
            let start = ContinuousClock.now
            await withCheckedContinuation { continuation in
                log.value.timers = [30, 10, 20].map { delay in
                    Timer(loop: loop, after: .milliseconds(delay)) {
                        log.value.entries.append(delay)
                        if delay == 30 { continuation.resume() }
                    }
                }
            }
            #expect(log.value.entries == [10, 20, 30])
            // The loop's clock is coarse: a tick of it, 4 ms, may be missing.
            #expect(ContinuousClock.now - start >= .milliseconds(25))
            log.value.timers = []
        }
    }

    @Test("A repeating timer fires until it is cancelled, also by its own body")
    func repeats() async throws {
        try await runOnLoop { loop in
            let log = LoopBound(Log(), loop: loop)
            log.value.timers = [
                Timer(loop: loop, after: .milliseconds(1), repeats: true) {
                    log.value.entries.append(1)
                    if log.value.entries.count == 3 { log.value.timers = [] }
                }
            ]
            await loop.sleep(for: .milliseconds(60))
            #expect(log.value.entries == [1, 1, 1])
        }
    }

    @Test("A timer that is cancelled or released does not fire; a restarted one counts anew")
    func cancelled() async throws {
        try await runOnLoop { loop in
            let log = LoopBound(Log(), loop: loop)
            let cancelled = Timer(loop: loop, after: .milliseconds(1)) { log.value.entries.append(1) }
            cancelled.cancel()
            cancelled.cancel()
            _ = Timer(loop: loop, after: .milliseconds(1)) { log.value.entries.append(2) }
            let restarted = Timer(loop: loop, after: .seconds(3600)) { log.value.entries.append(3) }
            restarted.restart(after: .milliseconds(2))
            await loop.sleep(for: .milliseconds(40))
            #expect(log.value.entries == [3])
            restarted.cancel()
        }
    }

    @Test("A sleep of nothing or less returns", arguments: [0, -5])
    func shortSleep(milliseconds: Int) async throws {
        try await runOnLoop { loop in await loop.sleep(for: .milliseconds(milliseconds)) }
    }

    @Test("A watched signal is seen on the loop")
    func signal() async throws {
        try await runOnLoop { loop in
            let log = LoopBound(Log(), loop: loop)
            await withCheckedContinuation { continuation in
                log.value.signal = SignalWatch(loop: loop, signal: SIGUSR1) {
                    #expect(loop.isCurrent)
                    continuation.resume()
                }
                kill(getpid(), SIGUSR1)
            }
            log.value.signal = nil
        }
    }

    @Test("A descriptor is watched for reading and for writing until the watch is cancelled")
    func descriptors() async throws {
        try await runOnLoop { loop in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            let log = LoopBound(Log(), loop: loop)
            await withCheckedContinuation { continuation in
                log.value.watches = [
                    DescriptorWatch(loop: loop, descriptor: writing, for: .writing) {
                        log.value.watches[0].cancel()
                        log.value.entries.append(1)
                        var byte: UInt8 = 7
                        #expect(write(writing, &byte, 1) == 1)
                    },
                    DescriptorWatch(loop: loop, descriptor: reading) {
                        log.value.watches[1].cancel()
                        log.value.entries.append(2)
                        continuation.resume()
                    },
                ]
            }
            await loop.sleep(for: .milliseconds(1))
            #expect(log.value.entries == [1, 2])
            log.value.watches = []
            close(reading)
            close(writing)
        }
    }

    @Test("Writing to a peer that hung up is an error on the loop's thread, not the end of the process")
    func brokenPipe() async throws {
        try await runOnLoop { _ in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            close(ends[0])
            var byte: UInt8 = 7
            #expect(write(ends[1], &byte, 1) == -1)
            #expect(errno == EPIPE)
            close(ends[1])
        }
    }
}

private final class Log {
    var entries: [Int] = []
    var timers: [Timer] = []
    var watches: [DescriptorWatch] = []
    var signal: SignalWatch?
}
