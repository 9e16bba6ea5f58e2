import HTTP
import OperatingSystem
import ServerCases
import Testing

@testable import AuthServer

@Suite("Counters of one thread")
struct ThreadCountersTests {
    @Test("Every endpoint and status has a place of its own, and every other status one together")
    func places() {
        #expect(Endpoint.names.count == Endpoint.count && StatusSlot.names.count == StatusSlot.count)
        for (place, name) in Endpoint.names.enumerated() {
            #expect(Endpoint.number(Route(rawValue: name)) == place)
        }
        for (place, name) in StatusSlot.names.enumerated() {
            #expect(StatusSlot.number(Int(name) ?? 599) == place)
        }
    }

    @Test("A duration is counted at the first bound that it does not exceed")
    func buckets() {
        #expect(DurationBuckets.bounds.count + 1 == DurationBuckets.count)
        for (place, bound) in DurationBuckets.bounds.enumerated() {
            #expect(DurationBuckets.number(bound.microseconds) == place)
            #expect(DurationBuckets.number(bound.microseconds + 1) == place + 1)
            #expect(Double(bound.seconds) == Double(bound.microseconds) / 1_000_000)
        }
        #expect(
            DurationBuckets.number(.min) == 0 && DurationBuckets.number(.max) == DurationBuckets.count - 1)
    }

    @Test("What is counted is read, and what all threads have counted is their sum")
    func sums() {
        let meters = ServerMeters(threads: 2, at: 1_500)
        meters.threads[0].count(.token, status: 200, microseconds: 300)
        meters.threads[1].count(.token, status: 200, microseconds: 70)
        meters.threads[1].count(.token, status: 418, microseconds: -5)
        meters.threads[0].count(nil, status: 404, microseconds: 10)
        meters.threads[0].countTurnedAway(3)
        meters.threads[0].note(connections: 2, registryIsLost: false, signingSince: 7_000)
        meters.threads[1].note(connections: 5, registryIsLost: false, signingSince: 7_000)
        let sum = meters.read(droppedLogLines: 0).threads
        #expect(sum.requests.reduce(0, +) == 4 && sum.durations.reduce(0, +) == 3)
        #expect(sum.requests[StatusSlot.number(200)] == 2 && sum.requests[StatusSlot.number(418)] == 1)
        #expect(sum.microseconds == [370, 0, 0, 0, 0, 0, 0, 0])
        #expect(sum.turnedAway == 3 && sum.connections == 7 && sum.signingSince == 7_000)
        #expect(sum.registryIsUp && sum.tokenStoreIsUp && sum.canSign)
    }

    @Test("What one thread has lost is lost, until it is back")
    func lost() {
        let meters = ServerMeters(threads: 2)
        meters.threads[1].note(tokenStoreIsLost: true)
        meters.threads[1].note(connections: 0, registryIsLost: true, signingSince: nil)
        let lost = meters.read(droppedLogLines: 0).threads
        #expect(!lost.tokenStoreIsUp && !lost.registryIsUp && !lost.canSign)
        meters.threads[1].note(tokenStoreIsLost: false)
        meters.threads[1].note(connections: 0, registryIsLost: false, signingSince: 1)
        let back = meters.read(droppedLogLines: 0).threads
        #expect(back.tokenStoreIsUp && back.registryIsUp && back.canSign)
    }
}

@Suite("The text format of Prometheus, 0.0.4")
struct MetricsTextTests {
    private static func reading(_ threads: ThreadReading = ThreadReading()) -> MetricsReading {
        MetricsReading(
            version: "1.2", threads: threads, threadCount: 2, droppedLogLines: 4, certificateEnd: nil,
            startedAt: 1_700_000_000_123,
            process: ProcessUsage(
                cpuMicroseconds: 1_250_000, residentBytes: 4096, openDescriptors: 9, maximumDescriptors: nil))
    }

    @Test(
        "A label's value is escaped",
        arguments: [
            ("plain", "plain"), ("a\"b", #"a\"b"#), ("a\\b", #"a\\b"#), ("a\nb", #"a\nb"#), ("é", "é"),
        ])
    func escaping(value: String, written: String) {
        var text = MetricsText()
        text.sample("m", [("l", value), ("k", "v")], 1)
        #expect(text.text == "m{l=\"\(written)\",k=\"v\"} 1\n")
    }

    @Test(
        "Microseconds are written as seconds, exactly",
        arguments: [
            (0, "0.000000"), (1, "0.000001"), (999_999, "0.999999"), (1_000_000, "1.000000"),
            (.max, "18446744073709.551615"),
        ] as [(UInt64, String)])
    func seconds(microseconds: UInt64, written: String) {
        var text = MetricsText()
        text.sample("m", microseconds: microseconds)
        #expect(text.text == "m \(written)\n")
    }

    @Test("A histogram's buckets are cumulative, end with +Inf, and agree with their count")
    func histogram() {
        let counters = ThreadCounters()
        for microseconds in [40, 60, 60, 9_000_000] as [Int64] {
            counters.count(.token, status: 200, microseconds: microseconds)
        }
        let lines = MetricsPage.text(of: Self.reading(counters.read())).split(separator: "\n")
            .filter { $0.hasPrefix("authserver_request_duration_seconds") && $0.contains("\"token\"") }
        #expect(lines.count == DurationBuckets.count + 2)
        #expect(lines[0] == #"authserver_request_duration_seconds_bucket{endpoint="token",le="0.00005"} 1"#)
        #expect(lines[1] == #"authserver_request_duration_seconds_bucket{endpoint="token",le="0.0001"} 3"#)
        #expect(lines[14] == #"authserver_request_duration_seconds_bucket{endpoint="token",le="5"} 3"#)
        #expect(lines[15] == #"authserver_request_duration_seconds_bucket{endpoint="token",le="+Inf"} 4"#)
        #expect(lines[16] == #"authserver_request_duration_seconds_sum{endpoint="token"} 9.000160"#)
        #expect(lines[17] == #"authserver_request_duration_seconds_count{endpoint="token"} 4"#)
    }

    @Test("What may be asked for an increase is there from the start; what is not known is not there")
    func fromTheStart() {
        let text = MetricsPage.text(of: Self.reading())
        #expect(text.contains("authserver_requests_total{endpoint=\"token\",status=\"503\"} 0\n"))
        #expect(!text.contains("status=\"505\""))
        for name in [
            "tls_certificate_expiry", "signing_key_activation", "process_max_fds",
        ] { #expect(!text.contains(name), "\(name)") }
        for line in [
            "authserver_log_lines_dropped_total 4", "authserver_build_info{version=\"1.2\"} 1",
            "process_start_time_seconds 1700000000.123", "process_cpu_seconds_total 1.250000",
            "process_resident_memory_bytes 4096", "process_open_fds 9", "authserver_registry_up 1",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
    }

    @Test(
        "There are metrics at /metrics, for GET and HEAD",
        arguments: [
            ("GET", "/metrics", 200), ("HEAD", "/metrics", 200), ("POST", "/metrics", 405),
            ("GET", "/", 404), ("GET", "/metrics/", 404), ("POST", "/oauth/token", 404),
        ])
    func answers(method: String, path: String, status: Int) {
        let response = MetricsListener.respond(to: HTTPRequest(method: method, path: path)) { Self.reading() }
        #expect(response.status == status)
        #expect((response.value("allow") == "GET, HEAD") == (status == 405))
        #expect((response.value("content-type") == MetricsText.contentType) == (status == 200))
    }

    @Test("What the process uses is read from the system")
    func usage() throws {
        let usage = ProcessUsage.now()
        #expect(usage.cpuMicroseconds > 0)
        #expect(try #require(usage.residentBytes) > 1 << 20)
        #expect(try #require(usage.openDescriptors) >= 3)
    }
}
