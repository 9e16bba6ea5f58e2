/// How much longer one thing takes than another, from many pairs that were measured one right after the other, so
/// that what the machine does meanwhile is in both.
///
/// What disturbs a measurement makes it longer and never shorter. So of each 500 pairs the quickest quarter counts,
/// without the very quickest.
struct Differences: CustomStringConvertible {
    private static let batchSize = 500
    private var ones: [Int64] = []
    private var others: [Int64] = []
    private var batches: [Double] = []

    /// Adds a pair, in nanoseconds.
    mutating func add(_ one: Int64, against other: Int64) {
        ones.append(one)
        others.append(other)
        guard ones.count == Self.batchSize else { return }
        batches.append(Self.quick(&ones) - Self.quick(&others))
        ones.removeAll(keepingCapacity: true)
        others.removeAll(keepingCapacity: true)
    }

    private static func quick(_ times: inout [Int64]) -> Double {
        times.sort()
        let quick = times[times.count / 50..<times.count / 4]
        return Double(quick.reduce(0, +)) / Double(quick.count)
    }

    /// The difference in nanoseconds.
    var mean: Double { batches.reduce(0, +) / Double(max(1, batches.count)) }

    /// Its standard error; without end while there are few batches.
    var standardError: Double {
        guard batches.count >= 10 else { return .infinity }
        let mean = mean
        let squares = batches.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(batches.count - 1) / Double(batches.count)).squareRoot()
    }

    /// The difference and its standard error.
    var description: String { "\(Int(mean)) ± \(standardError.isFinite ? Int(standardError) : 0) ns" }

    /// How far off the difference may be; less than one of a thousand measurements is off by more.
    private var doubt: Double { 3.5 * standardError }

    /// Whether this is more than nothing.
    var isNoticed: Bool { mean > doubt }

    /// What can be said about a difference.
    enum Verdict: String {
        /// Below the bound.
        case same = "the same"
        /// Above the bound.
        case different
        /// Not enough is known.
        case open = "not decided"
    }

    /// Compares with half of another difference.
    func verdict(besides control: Differences) -> Verdict {
        if abs(mean) + doubt < (control.mean - control.doubt) / 2 { return .same }
        return abs(mean) - doubt > (control.mean + control.doubt) / 2 ? .different : .open
    }
}
