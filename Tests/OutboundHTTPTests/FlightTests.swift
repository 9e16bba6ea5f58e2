import OutboundHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlightTests {
    @Test func `all who wait get the value, and who comes later too`() async {
        let flight = Flight<Int>()
        let waiting = (0..<100).map { _ in Task { await flight.value() } }
        flight.land(7)
        flight.land(8)
        for task in waiting { #expect(await task.value == 7) }
        #expect(await flight.value() == 7)
    }

    @Test func `one who is cancelled stops waiting, the others go on`() async {
        let flight = Flight<Int>()
        let cancelled = Task { await flight.value() }
        let other = Task { await flight.value() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        flight.land(7)
        #expect(await other.value == 7)
    }

    @Test func `no more wait than may, and those who do get the value`() async {
        let flight = Flight<Int>(maximumWaiting: 2)
        let waiting = (0..<5).map { _ in Task { await flight.value() } }
        var refused = 0
        for await value in flightValues(waiting) {
            if value == nil { refused += 1 }
            if refused == 3 { flight.land(7) }
        }
        #expect(refused == 3)
        #expect(await flight.value() == 7)
    }

    /// What they get, in the order in which they get it.
    private func flightValues(_ tasks: [Task<Int?, Never>]) -> AsyncStream<Int?> {
        AsyncStream { stream in
            Task {
                await withTaskGroup(of: Int?.self) { group in
                    for task in tasks { group.addTask { await task.value } }
                    for await value in group { stream.yield(value) }
                }
                stream.finish()
            }
        }
    }

    @Test func `who is cancelled before it waits does not wait`() async {
        let flight = Flight<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await flight.value()
        }
        #expect(await task.value == nil)
    }
}
