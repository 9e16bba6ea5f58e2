import OperatingSystem

/// All that is measured, at one moment.
struct MetricsReading: Sendable {
    /// The program's version.
    var version: String
    /// What all threads have counted.
    var threads: ThreadReading
    /// How many threads serve.
    var threadCount: Int
    /// Lines of the log that were lost.
    var droppedLogLines: UInt64
    /// When the first certificate of the chain ends that TLS is served with, in seconds since 1970; nil without TLS.
    var certificateEnd: Int64?
    /// When the server started, in milliseconds since 1970.
    var startedAt: Int64
    /// What the process uses.
    var process: ProcessUsage
}

/// What `GET /metrics` answers.
enum MetricsPage {
    /// The page of a reading.
    static func text(of reading: MetricsReading) -> String {
        var page = MetricsText()
        write(reading.threads, to: &page)
        writeState(of: reading, to: &page)
        write(reading.process, startedAt: reading.startedAt, to: &page)
        return page.text
    }

    private static func write(_ threads: ThreadReading, to page: inout MetricsText) {
        page.begin(
            "authserver_requests_total", .counter, "Requests that were answered, by endpoint and status.")
        for (endpoint, name) in Endpoint.names.enumerated() {
            let route = Route(rawValue: name)
            let expected = StatusSlot.expected(of: route)
            for (slot, status) in StatusSlot.names.enumerated() {
                let count = threads.requests[endpoint * StatusSlot.count + slot]
                guard count > 0 || expected.contains(status) else { continue }
                page.sample("authserver_requests_total", [("endpoint", name), ("status", status)], count)
            }
        }
        let durations = "authserver_request_duration_seconds"
        page.begin(durations, .histogram, "How long requests took, from their last byte to their answer.")
        for route in Route.allCases {
            let endpoint = Endpoint.number(route)
            let label = (name: "endpoint", value: route.rawValue)
            var sum: UInt64 = 0
            for bucket in 0..<DurationBuckets.count {
                sum &+= threads.durations[endpoint * DurationBuckets.count + bucket]
                let isLast = bucket == DurationBuckets.bounds.count
                let bound = isLast ? "+Inf" : DurationBuckets.bounds[bucket].seconds
                page.sample("\(durations)_bucket", [label, ("le", bound)], sum)
            }
            page.sample("\(durations)_sum", [label], microseconds: threads.microseconds[endpoint])
            page.sample("\(durations)_count", [label], sum)
        }
    }

    private static func writeState(of reading: MetricsReading, to page: inout MetricsText) {
        let threads = reading.threads
        page.single("authserver_connections", .gauge, "Open connections.", threads.connections)
        page.single(
            "authserver_connections_turned_away_total", .counter,
            "Connections beyond --max-connections or --max-connections-per-address.", threads.turnedAway)
        page.single(
            "authserver_registry_up", .gauge, "1 where the registry can be read.",
            threads.registryIsUp ? 1 : 0)
        page.single(
            "authserver_token_store_up", .gauge, "1 where the token store takes tokens of all threads.",
            threads.tokenStoreIsUp ? 1 : 0)
        page.single(
            "authserver_signing_key_up", .gauge, "1 where there is a key that signs.", threads.canSign ? 1 : 0
        )
        if threads.signingSince > 0 {
            let name = "authserver_signing_key_activation_timestamp_seconds"
            page.begin(name, .gauge, "When the key that signs began to, in seconds since 1970.")
            page.sample(name, milliseconds: threads.signingSince)
        }
        if let end = reading.certificateEnd {
            page.single(
                "authserver_tls_certificate_expiry_timestamp_seconds", .gauge,
                "When the first certificate of the chain ends, in seconds since 1970.", end)
        }
        page.single(
            "authserver_log_lines_dropped_total", .counter, "Lines of the log that were lost.",
            reading.droppedLogLines)
        page.single("authserver_threads", .gauge, "Threads that serve.", reading.threadCount)
        page.begin("authserver_build_info", .gauge, "1, with the version of the program.")
        page.sample("authserver_build_info", [("version", reading.version)], 1)
    }

    /// By the names that all who are asked by Prometheus have for them.
    private static func write(_ process: ProcessUsage, startedAt: Int64, to page: inout MetricsText) {
        page.begin("process_start_time_seconds", .gauge, "When the server started, in seconds since 1970.")
        page.sample("process_start_time_seconds", milliseconds: startedAt)
        page.begin("process_cpu_seconds_total", .counter, "Processor time that was used.")
        page.sample("process_cpu_seconds_total", microseconds: process.cpuMicroseconds)
        if let bytes = process.residentBytes {
            page.single("process_resident_memory_bytes", .gauge, "Resident memory.", bytes)
        }
        if let count = process.openDescriptors {
            page.single("process_open_fds", .gauge, "Open descriptors.", count)
        }
        if let limit = process.maximumDescriptors {
            page.single("process_max_fds", .gauge, "Descriptors that may be open.", limit)
        }
    }
}
