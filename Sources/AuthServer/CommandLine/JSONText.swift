internal import JOSE

/// Documents for programs.
enum JSONText {
    /// A document as one line.
    static func line(_ value: JSONValue) -> String {
        String(decoding: JSON.serialize(value), as: UTF8.self) + "\n"
    }
}

extension JSONValue {
    /// An object with these members, in their order.
    static func members(_ members: [(name: String, value: JSONValue)]) -> JSONValue {
        .object(JSONObject(members))
    }
}
