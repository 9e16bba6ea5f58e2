/// The endpoints as counters know them: a place each, and one for what reached none.
enum Endpoint {
    /// The name of each place.
    static let names = Route.allCases.map(\.rawValue) + ["none"]
    /// How many places there are.
    static let count = 8

    /// The place of an endpoint.
    static func number(_ route: Route?) -> Int {
        switch route {
        case .token: 0
        case .introspection: 1
        case .revocation: 2
        case .metadata: 3
        case .jwks: 4
        case .live: 5
        case .ready: 6
        case nil: 7
        }
    }
}

/// The statuses as counters know them: a place each, and one for all others.
enum StatusSlot {
    /// The name of each place.
    static let names =
        ["200", "304", "400", "401", "403", "404", "405", "408", "411", "413", "415", "429", "431", "500"]
        + ["503", "505", "other"]
    /// How many places there are.
    static let count = 17

    /// The place of a status.
    static func number(_ status: Int) -> Int {
        switch status {
        case 200: 0
        case 304: 1
        case 400: 2
        case 401: 3
        case 403: 4
        case 404: 5
        case 405: 6
        case 408: 7
        case 411: 8
        case 413: 9
        case 415: 10
        case 429: 11
        case 431: 12
        case 500: 13
        case 503: 14
        case 505: 15
        default: 16
        }
    }

    /// Those that an endpoint has from the start, so that the first of them is seen as an increase.
    static func expected(of route: Route?) -> Set<String> {
        switch route {
        case .token, .introspection, .revocation: ["200", "400", "401", "429", "503"]
        case .metadata, .jwks, .live: ["200"]
        case .ready: ["200", "503"]
        case nil: ["400", "404", "408", "503"]
        }
    }
}

/// How long answers take, in steps: as fine as 50 µs, where a token is signed, as coarse as the deadline's half.
enum DurationBuckets {
    /// The most of each place but the last, in microseconds and as the label `le` has it in seconds.
    static let bounds: [(microseconds: Int64, seconds: String)] = [
        (50, "0.00005"), (100, "0.0001"), (250, "0.00025"), (500, "0.0005"), (1000, "0.001"),
        (2500, "0.0025"), (5000, "0.005"), (10_000, "0.01"), (25_000, "0.025"), (50_000, "0.05"),
        (100_000, "0.1"), (250_000, "0.25"), (500_000, "0.5"), (1_000_000, "1"), (5_000_000, "5"),
    ]
    /// How many places there are.
    static let count = 16

    /// The place of a duration.
    static func number(_ microseconds: Int64) -> Int {
        switch microseconds {
        case ...50: 0
        case ...100: 1
        case ...250: 2
        case ...500: 3
        case ...1000: 4
        case ...2500: 5
        case ...5000: 6
        case ...10_000: 7
        case ...25_000: 8
        case ...50_000: 9
        case ...100_000: 10
        case ...250_000: 11
        case ...500_000: 12
        case ...1_000_000: 13
        case ...5_000_000: 14
        default: 15
        }
    }
}
