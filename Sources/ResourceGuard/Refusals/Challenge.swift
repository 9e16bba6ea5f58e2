/// The constant parts of a `WWW-Authenticate: Bearer` value (RFC 6750 §3, RFC 9728 §5.1).
struct Challenge: Sendable, Equatable {
    let realm: String
    let metadataURL: String?

    func value(error: String?, description: String, scope: Scopes?) -> String {
        var value = "Bearer realm=" + Self.quote(realm)
        if let error {
            value += ", error=" + Self.quote(error) + ", error_description=" + Self.quote(description)
        }
        if let scope { value += ", scope=" + Self.quote(scope.description) }
        if let metadataURL { value += ", resource_metadata=" + Self.quote(metadataURL) }
        return value
    }

    /// A quoted string of the characters that RFC 6750 §3 allows; a quotation mark becomes an apostrophe and any
    /// other `?`, so that nothing can end the string or the line.
    static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x21, 0x23...0x5B, 0x5D...0x7E: quoted.unicodeScalars.append(scalar)
            case 0x22: quoted += "'"
            default: quoted += "?"
            }
        }
        return quoted + "\""
    }
}
