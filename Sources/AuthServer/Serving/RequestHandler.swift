import Glibc
import HTTP

/// Answers the requests of one thread: dispatches, stamps, and logs.
///
/// Confined to its event loop.
final class RequestHandler {
    private let worker: Worker
    private let routes: Routes
    private let log: RequestLog
    private let counters: ThreadCounters
    private let trustsForwardedFor: Bool

    init(worker: Worker, log: RequestLog, counters: ThreadCounters, trustsForwardedFor: Bool) {
        self.worker = worker
        self.log = log
        self.counters = counters
        self.trustsForwardedFor = trustsForwardedFor
        routes = Routes(issuerPath: worker.issuer.path)
    }

    /// What the log line of a request will say of it.
    private struct Received {
        let number: Int64
        let address: String
        let microseconds: Int64
    }

    /// A request whose answer has to be waited for.
    private final class Waiting {
        let received: Received
        let route: Route?
        let rest: Answering.Rest

        init(_ received: Received, _ route: Route?, _ rest: @escaping Answering.Rest) {
            self.received = received
            self.route = route
            self.rest = rest
        }
    }

    private enum Step {
        case answered(HTTPResponse)
        case waiting(Waiting)
    }

    /// Answers one request.
    nonisolated(nonsending) func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch begin(request) {
        case .answered(let response): return response
        case .waiting(let waiting): return finish(waiting, with: await waiting.rest())
        }
    }

    // Not parts of the function above, whose variables are on the heap.
    @inline(never)
    private func begin(_ request: HTTPRequest) -> Step {
        let start = Self.microseconds()
        var request = request
        if trustsForwardedFor, let address = Self.forwardedAddress(of: request) {
            request.remoteAddress = address
        }
        let received = Received(
            number: log.nextRequest(), address: request.remoteAddress, microseconds: start)
        let (route, answering) = Dispatcher.begin(request, routes: routes, worker: worker)
        switch answering {
        case .now(let answer): return .answered(finish(received, at: route, with: answer))
        case .later(let rest): return .waiting(Waiting(received, route, rest))
        }
    }

    @inline(never)
    private func finish(_ waiting: Waiting, with answer: Answer) -> HTTPResponse {
        finish(waiting.received, at: waiting.route, with: answer)
    }

    private func finish(_ received: Received, at route: Route?, with answer: Answer) -> HTTPResponse {
        let microseconds = Self.microseconds() - received.microseconds
        counters.count(route, status: answer.response.status, microseconds: microseconds)
        // Probes come every few seconds from everywhere: of one that succeeds there is nothing to say.
        guard route?.isProbe != true || answer.response.status != 200 else { return answer.response }
        log.record(
            answer, at: route, number: received.number, address: received.address,
            milliseconds: worker.clock(), microseconds: microseconds)
        guard answer.response.status >= 400 else { return answer.response }
        var response = answer.response
        response.fields.append(HTTPField("X-Request-Id", log.requestID(received.number)))
        return response
    }

    /// Answers, in the form of every other error, what no endpoint answers.
    func answer(to refusal: HTTPRefusal) -> HTTPResponse {
        let number = log.nextRequest()
        var answer = Answer(refusal)
        answer.response.fields.append(HTTPField("X-Request-Id", log.requestID(number)))
        counters.count(nil, status: answer.response.status, microseconds: 0)
        log.record(
            answer, at: nil, number: number, address: refusal.remoteAddress, milliseconds: worker.clock(),
            microseconds: 0)
        return answer.response
    }

    /// Logs connections that were turned away: one line for all of them, or a flood of them would be one of the log.
    func record(_ turnedAway: HTTPTurnedAway) {
        counters.countTurnedAway(turnedAway.count)
        log.record(
            Answer(turnedAway), at: nil, number: log.nextRequest(), address: turnedAway.lastAddress,
            milliseconds: worker.clock(), microseconds: 0)
    }

    /// The address that the nearest proxy saw: the last one of `X-Forwarded-For`, which is the only one that it
    /// vouches for.
    static func forwardedAddress(of request: HTTPRequest) -> String? {
        guard let last = request.values("x-forwarded-for").last?.split(separator: ",").last else {
            return nil
        }
        let address = withoutPort(last.filter { $0 != " " })
        let isPlausible = address.utf8.allSatisfy {
            $0 == 0x3A || $0 == 0x2E || Character(Unicode.Scalar($0)).isHexDigit
        }
        return address.isEmpty || address.utf8.count > 45 || !isPlausible ? nil : address
    }

    /// An address without the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func withoutPort(_ text: String) -> String {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            return String(text[..<end].dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }

    private static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
