internal import JOSE
internal import OAuth

/// What a record says besides its object: a JSON object that is written as it grows.
struct ChangeDetail {
    private var bytes: [UInt8] = []

    /// Nothing more is to be said.
    static let nothing = ChangeDetail()

    /// The JSON text; nil where there is nothing to say.
    var text: String? { bytes.isEmpty ? nil : String(decoding: bytes + "}".utf8, as: UTF8.self) }

    mutating func add(_ name: StaticString, _ text: String?) {
        begin(name)
        append(text)
    }

    mutating func add(_ name: StaticString, _ number: Int64?) {
        begin(name)
        append(number)
    }

    mutating func add(_ name: StaticString, _ texts: some Sequence<String>) {
        begin(name)
        var separator: StaticString = "["
        for text in texts {
            JSON.append(separator, to: &bytes)
            append(text)
            separator = ","
        }
        JSON.append("]", to: &bytes)
    }

    /// Texts, one at least.
    static func names(_ name: StaticString, _ texts: [String]) -> ChangeDetail {
        var detail = ChangeDetail()
        detail.add(name, texts)
        return detail
    }

    /// Scopes, one at least.
    static func scopes(_ scopes: [Scope]) -> ChangeDetail {
        var detail = ChangeDetail()
        detail.bytes.reserveCapacity(48)
        detail.add("scopes", scopes.lazy.map(\.value))
        return detail
    }

    /// A value and the one before.
    static func change(_ name: StaticString, from old: String?, to new: String?) -> ChangeDetail {
        var detail = ChangeDetail()
        detail.begin(name)
        JSON.append("{\"from\":", to: &detail.bytes)
        detail.append(old)
        JSON.append(",\"to\":", to: &detail.bytes)
        detail.append(new)
        JSON.append("}", to: &detail.bytes)
        return detail
    }

    /// A value and the one before.
    static func change(_ name: StaticString, from old: Int64?, to new: Int64) -> ChangeDetail {
        var detail = ChangeDetail()
        detail.begin(name)
        JSON.append("{\"from\":", to: &detail.bytes)
        detail.append(old)
        JSON.append(",\"to\":", to: &detail.bytes)
        detail.append(new)
        JSON.append("}", to: &detail.bytes)
        return detail
    }

    private mutating func begin(_ name: StaticString) {
        JSON.append(bytes.isEmpty ? "{\"" : ",\"", to: &bytes)
        JSON.append(name, to: &bytes)
        JSON.append("\":", to: &bytes)
    }

    private mutating func append(_ text: String?) {
        guard let text else { return JSON.append("null", to: &bytes) }
        JSON.quote(text, appendingTo: &bytes)
    }

    private mutating func append(_ number: Int64?) {
        guard let number else { return JSON.append("null", to: &bytes) }
        JSON.append(number, to: &bytes)
    }
}
