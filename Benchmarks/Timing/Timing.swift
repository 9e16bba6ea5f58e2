import Glibc

/// Whether the time of a failed authentication says which clients there are, measured on a real server from outside.
///
/// Four kinds of failures are sent in turns, in random order, on one connection: an unknown client, a disabled one,
/// a client with a wrong secret, and as a control a client whose failure costs one hash more, because it has one
/// secret more than the number that failures are padded to. The control shows that one hash can be seen at all, and
/// what it costs on this machine; the others must differ by less than half of that.
///
/// Two clocks are read: the server's processor time, in which a hash can be seen also on a machine that does other
/// things, and the time that the client waits, which is what an attacker has.
struct Timing {
    private enum Kind: String, CaseIterable {
        case unknown = "unknown client"
        case disabled = "disabled client"
        case control = "control, one hash more"

        /// A client id of seven characters, so that all requests are as long; where there is no client, another one
        /// each time.
        func clientID() -> String {
            switch self {
            case .unknown:
                String((0..<7).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A))) })
            case .disabled: "blocked"
            case .control: "control"
            }
        }
    }

    private struct Sample {
        let processor: Int64
        let wait: Int64
    }

    private let client: BlockingClient
    private let clock: clockid_t
    private var processor: [Kind: Differences] = [:]
    private var wait: [Kind: Differences] = [:]

    /// Measures the server on `port`, which has the clients `gateway` and `blocked`, and `control` with four secrets.
    /// - Returns: the exit status: 0 when times tell nothing and the control was noticed, 1 when not, 3 when it
    ///   could not be decided in time.
    static func run(port: UInt16, process: pid_t, seconds: Int) throws -> Int32 {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else {
            throw BlockingClient.Failure(description: "there is no process \(process)")
        }
        var timing = Timing(client: try BlockingClient(port: port), clock: clock)
        let end = time(nil) + seconds
        for _ in 0..<2000 { try timing.round() }
        timing.processor = [:]
        timing.wait = [:]
        repeat {
            for _ in 0..<1000 { try timing.round() }
        } while !timing.isDecided && time(nil) < end
        return timing.report()
    }

    private init(client: BlockingClient, clock: clockid_t) {
        self.client = client
        self.clock = clock
    }

    private mutating func round() throws {
        var samples: [Kind: Sample] = [:]
        var wrongSecret = Sample(processor: 0, wait: 0)
        let requests = (Kind.allCases as [Kind?] + [nil]).map {
            ($0, Self.request($0?.clientID() ?? "gateway"))
        }
        for (kind, request) in requests.shuffled() {
            let sample = try sample(request)
            if let kind { samples[kind] = sample } else { wrongSecret = sample }
        }
        for (kind, sample) in samples {
            processor[kind, default: Differences()].add(sample.processor, against: wrongSecret.processor)
            wait[kind, default: Differences()].add(sample.wait, against: wrongSecret.wait)
        }
    }

    private func sample(_ request: [UInt8]) throws -> Sample {
        let processor = settled()
        let wait = now(CLOCK_MONOTONIC)
        let status = try client.exchange(request)
        let end = now(CLOCK_MONOTONIC)
        guard status == 401 else {
            throw BlockingClient.Failure(description: "status \(status): serve with --max-failures 0")
        }
        return Sample(processor: settled() - processor, wait: end - wait)
    }

    /// The server's processor time when it has stood still: what it does after an answer belongs to that one.
    private func settled() -> Int64 {
        var last = now(clock)
        while true {
            usleep(20)
            let next = now(clock)
            if next == last { return next }
            last = next
        }
    }

    private static func request(_ clientID: String) -> [UInt8] {
        let secret = String(repeating: "x", count: 43)
        let form = "grant_type=client_credentials&client_id=\(clientID)&client_secret=\(secret)"
        return Array(
            """
            POST /oauth/token HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(form.utf8.count)\r
            \r
            \(form)
            """.utf8)
    }
}

// MARK: - What came of it

extension Timing {
    /// An unknown client and a disabled one, by both clocks.
    private func verdicts(_ kind: Kind) -> (processor: Differences.Verdict, wait: Differences.Verdict) {
        let control = Kind.control
        return (
            processor[kind, default: Differences()].verdict(
                besides: processor[control, default: Differences()]),
            wait[kind, default: Differences()].verdict(besides: wait[control, default: Differences()])
        )
    }

    private var isDecided: Bool {
        verdicts(.unknown).processor != .open && verdicts(.disabled).processor != .open
    }

    private func report() -> Int32 {
        print("failures compared with that of a wrong secret:")
        for kind in Kind.allCases {
            let processor = processor[kind, default: Differences()]
            let wait = wait[kind, default: Differences()]
            let verdict =
                kind == .control
                ? (processor.isNoticed ? "noticed" : "not noticed")
                : verdicts(kind).processor.rawValue
            print("\(kind.rawValue): \(verdict); processor \(processor), client waits \(wait)")
        }
        let all = [verdicts(.unknown), verdicts(.disabled)]
        // What is not seen in processor time might still be waited for.
        if all.contains(where: { $0.processor == .different || $0.wait == .different }) {
            print("NOT ok: time tells which clients there are")
            return 1
        }
        print(isDecided ? "ok: time tells nothing" : "not decided: give it more --seconds")
        return isDecided ? 0 : 3
    }
}
