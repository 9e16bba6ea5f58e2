import EventLoop
import Testing

@testable import AuthStore

@Suite struct TokenQueueTests {
    private let queue = TokenQueue(capacity: 3)

    /// Offers a request to the queue, and gives what it is answered and whether the queue took it.
    private func offer(
        deadline: ContinuousClock.Instant = ContinuousClock.now + .seconds(60),
        then act: (TokenRequest, TokenQueue.Admission) -> Void
    ) async -> TokenRequest.Outcome {
        await withCheckedContinuation { waiter in
            let request = TokenRequest(.ping, deadline: deadline, waiter: waiter)
            act(request, queue.add(request))
        }
    }

    private func isTimedOut(_ outcome: TokenRequest.Outcome) -> Bool {
        if case .failure(.timedOut) = outcome { true } else { false }
    }

    @Test("The first request wakes the writer, and again once the writer has found nothing")
    func waking() async {
        for _ in 0..<2 {
            _ = await offer { request, admission in
                #expect(admission == .first)
                #expect(queue.takeGroup(limit: 10).count == 1)
                #expect(queue.takeGroup(limit: 10).isEmpty)
                request.answer(.success(()))
            }
        }
    }

    @Test("A request whose deadline passed is answered while it waits, and while it is being committed")
    func deadlines() async {
        let past = ContinuousClock.now - .seconds(1)
        let waiting = await offer(deadline: past) { _, _ in queue.expire(at: ContinuousClock.now) }
        #expect(isTimedOut(waiting))
        #expect(queue.isEmpty)
        let committing = await offer(deadline: past) { request, _ in
            #expect(queue.takeGroup(limit: 10).count == 1)
            queue.expire(at: ContinuousClock.now)
            #expect(!request.isAwaited)
            request.answer(.success(()))
        }
        #expect(isTimedOut(committing))
    }

    @Test("A request whose deadline is ahead goes on waiting")
    func ahead() async {
        let outcome = await offer { request, _ in
            queue.expire(at: ContinuousClock.now)
            #expect(request.isAwaited)
            request.answer(.failure(.overloaded))
        }
        if case .failure(.overloaded) = outcome {} else { Issue.record("another answer came first") }
    }

    @Test("No more wait than the capacity, and none after the end")
    func bounds() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = await offer { _, _ in } } }
            while queue.count < 3 { await Task.yield() }
            _ = await offer { request, admission in
                #expect(admission == .full)
                request.answer(.success(()))
            }
            #expect(queue.close())
            #expect(!queue.close())
            _ = await offer { request, admission in
                #expect(admission == .closed)
                request.answer(.success(()))
            }
            for request in queue.takeGroup(limit: 2) + queue.takeGroup(limit: 2) {
                request.answer(.success(()))
            }
        }
    }

    @Test("A group is answered, each request once, whichever loops they are of, and if a loop has ended")
    func answering() async throws {
        let ended = try EventLoop()
        ended.stop()
        ended.run()
        let running = try EventLoop.start(name: "answers")
        let loops = [nil, running.loop, running.loop, ended, nil, running.loop]
        await withTaskGroup(of: Bool.self) { group in
            let queue = TokenQueue(capacity: loops.count)
            for loop in loops {
                group.addTask {
                    let outcome = await withCheckedContinuation { waiter in
                        _ = queue.add(TokenRequest(.ping, deadline: .now, loop: loop, waiter: waiter))
                    }
                    return if case .success = outcome { true } else { false }
                }
            }
            while queue.count < loops.count { await Task.yield() }
            queue.takeGroup(limit: loops.count).answer(.success(()))
            for await isSuccess in group { #expect(isSuccess) }
        }
        running.loop.stop()
        running.join()
    }
}
