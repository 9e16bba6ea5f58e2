internal import OAuth

/// `RESOURCE=scope,scope`: what a client may do at a resource.
struct GrantArgument: Hashable, Sendable {
    let resource: ResourceID
    /// The scopes; nil where only a resource is named.
    let scopes: Scopes?

    /// Reads a grant. The last equals sign divides, because a resource id may be a URI that holds others.
    init(_ text: String) throws(CommandError) {
        let equals = text.lastIndex(of: "=")
        resource = try reading(
            String(text[..<(equals ?? text.endIndex)]), as: "resource id"
        ) { text throws(VocabularyError) in try ResourceID(text) }
        guard let equals else {
            scopes = nil
            return
        }
        scopes = try Self.scopes(String(text[text.index(after: equals)...]))
    }

    /// Grants, each with scopes.
    static func list(_ texts: [String]) throws(CommandError) -> [(resource: ResourceID, scopes: Scopes)] {
        var result: [(ResourceID, Scopes)] = []
        for text in texts {
            let grant = try GrantArgument(text)
            guard let scopes = grant.scopes, !scopes.isEmpty else {
                throw .usage(
                    "the grant \(Printable.quoted(text)) names no scope",
                    hint: "write RESOURCE=scope,scope such as \(example(for: text))")
            }
            result.append((grant.resource, scopes))
        }
        return result
    }

    /// A grant like one that has no scope: `R=read` for `R:read`, with which other programs write the same.
    private static func example(for text: String) -> String {
        guard let match = text.wholeMatch(of: /([^:=]+):([A-Za-z][A-Za-z0-9_.-]*)/), match.1 != "urn" else {
            return text.hasSuffix("=") ? text + "read" : text + "=read"
        }
        return "\(match.1)=\(match.2)"
    }

    /// Scopes separated by commas or spaces.
    static func scopes(_ text: String) throws(CommandError) -> Scopes {
        try reading(text, as: "list of scopes") { text throws(VocabularyError) in
            try Scopes(value: String(text.map { $0 == "," ? " " : $0 }))
        }
    }
}
