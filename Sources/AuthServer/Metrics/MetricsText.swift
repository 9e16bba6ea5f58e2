/// Writes metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    /// The media type of the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What a metric is.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// A label's name and value.
    typealias Label = (name: String, value: String)

    /// What was written.
    private(set) var text = ""

    /// Begins a metric: what it is follows, a sample a line.
    /// - Parameter help: a sentence on what it counts, without line ends.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text +=
            "# HELP \(name) \(Self.escaped(help, quotationMarks: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A whole number.
    mutating func sample(_ name: String, _ labels: [Label] = [], _ value: some BinaryInteger) {
        line(name, labels, String(value))
    }

    /// Microseconds as seconds, exactly.
    mutating func sample(_ name: String, _ labels: [Label] = [], microseconds: UInt64) {
        line(name, labels, Self.decimal(microseconds, places: 6))
    }

    /// Milliseconds as seconds, exactly.
    mutating func sample(_ name: String, _ labels: [Label] = [], milliseconds: Int64) {
        line(name, labels, Self.decimal(UInt64(max(0, milliseconds)), places: 3))
    }

    /// A metric with one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        begin(name, kind, help)
        sample(name, [], value)
    }

    private mutating func line(_ name: String, _ labels: [Label], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotationMarks: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ text: String, quotationMarks: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotationMarks: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A number with its point so many places from the right.
    private static func decimal(_ number: UInt64, places: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
