internal import AuthStore
internal import JOSE

extension RegistryChange {
    /// What was changed, for a person: the client, the resource, and the secret, key or token.
    var objectText: String { [client, resource, object].compactMap(\.self).joined(separator: " ") }

    /// More of it, for a person, such as `scopes=read,write` or `token_lifetime=3600->900`.
    var detailText: String {
        guard let members = parsedDetail?.object?.members else { return detail ?? "" }
        return members.map { "\($0.name)=\(Self.text($0))" }.joined(separator: " ")
    }

    /// All of it for a program; times in seconds since 1970.
    var document: JSONValue {
        .members([
            ("number", .integer(number)), ("at", .integer(moment / 1000)), ("who", .string(who)),
            ("what", .string(what)), ("client_id", .text(client)), ("resource", .text(resource)),
            ("object", .text(object)), ("detail", parsedDetail ?? .null),
        ])
    }

    /// As it is where it is no JSON, as only another program can have written it.
    private var parsedDetail: JSONValue? {
        detail.map { text in (try? JSON.parse(Array(text.utf8))) ?? .string(text) }
    }

    private static func text(_ member: JSONObject.Member) -> String {
        if case .integer(let seconds) = member.value, isMoment(member.name),
            (0...253_402_300_799).contains(seconds)
        {
            return TimeText.text(seconds * 1000)
        }
        return text(member.value)
    }

    private static func isMoment(_ name: String) -> Bool {
        ["not_before", "expires_at", "older_expire_at", "activates_at"].contains(name)
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text) where !text.contains { " ,=\"".contains($0) }: return text
        case .array(let values): return values.map { text($0) }.joined(separator: ",")
        case .object(let object):
            guard let old = object["from"], let new = object["to"] else { break }
            return (old == .null ? "" : text(old)) + "->" + (new == .null ? "" : text(new))
        default: break
        }
        return String(decoding: JSON.serialize(value), as: UTF8.self)
    }
}

extension JSONValue {
    /// A text, or null.
    fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
