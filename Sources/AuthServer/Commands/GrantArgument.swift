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
                    hint: "write RESOURCE=scope,scope such as \(grant.resource)=read")
            }
            result.append((grant.resource, scopes))
        }
        return result
    }

    /// Scopes separated by commas or spaces.
    static func scopes(_ text: String) throws(CommandError) -> Scopes {
        try reading(text, as: "list of scopes") { text throws(VocabularyError) in
            try Scopes(value: String(text.map { $0 == "," ? " " : $0 }))
        }
    }
}
