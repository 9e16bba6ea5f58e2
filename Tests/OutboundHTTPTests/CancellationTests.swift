import LocalServer
import OutboundHTTP
import Testing

/// Whatever ends an exchange may strike just as the server ends it: the process must live on, and each caller get one
/// outcome.
struct CancellationTests {
    private enum End { case bound, deadline, cancellation, server }

    /// The bound most often: there the end is nearest.
    private static let ends: [End] = [.bound, .deadline, .bound, .cancellation, .bound, .server]

    /// Answers of so many bytes are beyond the bound, and come in one piece or in many.
    private static let sizes = [1001, 1500, 3000, 16385, 17000, 40000, 70000, 200_000]

    @Test
    func `hundreds of exchanges end just when the server ends them, and their clients go away with them`()
        async throws
    {
        let server = try LocalServer { request in
            let size = Int(request.target.dropFirst()) ?? 0
            return size == 0
                ? .json("{}") : .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: size))
        }
        for round in 0..<60 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask { await Self.exchange(round * 24 + number, with: server.url) }
                }
            }
        }
    }

    private static func exchange(_ number: Int, with server: String) async {
        let end = ends[number % ends.count]
        let size = end == .bound || end == .deadline ? sizes[number / 2 % sizes.count] : 0
        let moment = Duration.microseconds(300 + 130 * (number % 24))
        let task = Task {
            // Its own client, which is gone as soon as there is an outcome.
            let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 1)
            let url = try EndpointURL("\(server)/\(size)")
            return try await http.send(.get(url), deadline: end == .deadline ? moment : .seconds(10)).status
        }
        if end == .cancellation {
            try? await Task.sleep(for: moment)
            task.cancel()
        }
        let outcome = await task.result.mapError { $0 as? OutboundError ?? .overloaded }
        #expect(expected(end).contains(outcome), "\(end): \(outcome)")
    }

    private static func expected(_ end: End) -> [Result<Int, OutboundError>] {
        switch end {
        case .bound: [.failure(.tooLarge)]
        case .deadline: [.failure(.tooLarge), .failure(.timedOut)]
        case .cancellation: [.success(200), .failure(.cancelled)]
        case .server: [.success(200)]
        }
    }

    @Test func `more requests than connections wait for their turn, also after cancellations`() async throws {
        let gate = Gate()
        let server = try LocalServer { request in
            gate.pass()
            return .json("{}")
        }
        let http = OutboundHTTP(maximumBytes: 1000, maximumPending: 60)
        let url = try EndpointURL(server.url)
        let tasks = (0..<60).map { _ in Task { try await http.send(.get(url), deadline: .seconds(20)).status }
        }
        #expect(await eventually { server.requests.count == 16 })
        for task in tasks[..<30] { task.cancel() }
        for task in tasks[..<30] { await #expect(throws: OutboundError.cancelled) { try await task.value } }
        gate.open()
        for task in tasks[30...] { #expect(try await task.value == 200) }
    }
}
