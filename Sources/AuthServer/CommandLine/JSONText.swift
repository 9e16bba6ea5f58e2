/// Documents for programs.
enum JSONText {
    /// A document as one line.
    static func line(_ value: JSONValue) -> String { "\(value)\n" }
}

enum JSONValue: Sendable {
    case null, bool(Bool), integer(Int64), string(String), array([JSONValue]), object([String: JSONValue])
    static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
}
