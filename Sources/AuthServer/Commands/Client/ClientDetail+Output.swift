internal import AuthStore
internal import JOSE
internal import OAuth

extension ClientDetail {
    /// Whether it gets tokens, as a word.
    var status: String { disabledAt == nil ? "enabled" : "disabled" }

    /// Its grants as they are written on the command line.
    var grantTexts: [String] {
        grants.sorted { $0.key < $1.key }.map { grant in
            "\(grant.key)=" + grant.value.map(\.value).joined(separator: ",")
        }
    }

    /// All of it for a person.
    func table(at now: Milliseconds) -> TextTable {
        var table = TextTable("FIELD", "VALUE")
        table.add("client", id.value)
        table.add("name", name)
        table.add("status", disabledAt.map { "disabled since \(TimeText.text($0))" } ?? "enabled")
        table.add("token lifetime", DurationText.text(seconds: tokenLifetime))
        table.add("auth method", authenticationMethod?.rawValue ?? "any")
        table.add("created", TimeText.text(createdAt))
        table.add("updated", TimeText.text(updatedAt))
        if let tokensRevokedAt { table.add("tokens revoked", TimeText.text(tokensRevokedAt)) }
        for grant in grantTexts { table.add("grant", grant) }
        for resource in ownedResources { table.add("owns", resource.value) }
        for secret in secrets { table.add("secret", secret.text(at: now)) }
        return table
    }

    /// All of it for a program; the names of RFC 7591 where it has them, times in seconds since 1970.
    func document(at now: Milliseconds) -> JSONValue {
        .members([
            ("client_id", .string(id.value)), ("client_name", .string(name)),
            ("disabled", .bool(disabledAt != nil)), ("token_lifetime", .integer(tokenLifetime)),
            ("token_endpoint_auth_method", authenticationMethod.map { .string($0.rawValue) } ?? .null),
            ("created_at", .integer(createdAt / 1000)), ("updated_at", .integer(updatedAt / 1000)),
            ("disabled_at", .seconds(disabledAt)), ("tokens_revoked_at", .seconds(tokensRevokedAt)),
            ("grants", .grants(grants.map { ($0.key.value, $0.value) })),
            ("owned_resources", .array(ownedResources.map { .string($0.value) })),
            ("secrets", .array(secrets.map { $0.document(at: now) })),
        ])
    }
}

extension SecretDetail {
    /// From when on it is good: one that is good at once is kept without a start of its own, for a clock that is set
    /// back afterwards.
    private var start: Milliseconds { max(createdAt, notBefore) }

    fileprivate func text(at now: Milliseconds) -> String {
        let end = expiresAt.map { $0 > now ? "until \(TimeText.text($0))" : "ended \(TimeText.text($0))" }
        return "\(id) (\(kind.rawValue)) since \(TimeText.text(start))" + (end.map { ", " + $0 } ?? "")
    }

    fileprivate func document(at now: Milliseconds) -> JSONValue {
        .members([
            ("secret_id", .string(id)), ("kind", .string(kind.rawValue)), ("valid", .bool(isValid(at: now))),
            ("created_at", .integer(createdAt / 1000)), ("not_before", .integer(start / 1000)),
            ("expires_at", .seconds(expiresAt)),
        ])
    }
}

extension JSONValue {
    /// A moment in seconds, or null.
    static func seconds(_ moment: Milliseconds?) -> JSONValue { moment.map { .integer($0 / 1000) } ?? .null }

    /// Scopes by name, as lists.
    static func grants(_ grants: [(name: String, scopes: Scopes)]) -> JSONValue {
        .members(
            grants.sorted { $0.name < $1.name }.map { grant in
                (grant.name, .array(grant.scopes.map { .string($0.value) }))
            })
    }
}
