import AuthStore
import OAuth

/// What the log says of a grant that is refused, beside what the client is told: what was asked for, and what is granted.
///
/// Names that the registry has, and those that are one of the client's misspelt, are told; of others, which may be
/// secrets in the wrong place, how many there are.
struct GrantRefusal {
    /// What the client is told.
    let error: OAuthError
    /// Who asked.
    let client: RegisteredClient
    /// Whether the registry has a resource, or a scope there.
    let isKnown: (ResourceID, Scope?) -> Bool

    /// The most names that a line has.
    private static let maximum = 5

    /// The line's detail.
    func detail(_ parameters: FormParameters) -> String {
        switch error.code {
        case .invalidTarget:
            return error.description + ": " + resources(parameters.values("resource"))
        case .invalidScope:
            let grants = client.grants.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return error.description + "; " + requested(parameters["scope"] ?? "") + "granted: "
                + Self.list(grants, others: 0)
        default: return error.description
        }
    }

    private func resources(_ names: [String]) -> String {
        var (told, others) = ([String](), 0)
        for name in names.prefix(Self.maximum) {
            let resource = try? ResourceID(name)
            if let resource, client.grants[resource] != nil { continue }
            if let resource, isKnown(resource, nil) {
                told.append("\(name) is not granted")
            } else if StrangeName.isMisspelt(name, of: client.grants.keys.map(\.value)) {
                told.append("\(name) is unknown")
            } else {
                others += 1
            }
        }
        return Self.list(told, others: others)
    }

    private func requested(_ text: String) -> String {
        let names = text.split(separator: " ")
        guard !names.isEmpty else { return "" }
        let granted = Set(client.grants.values.flatMap { $0.map(\.value) })
        let told = names.prefix(Self.maximum).map(String.init).filter { name in
            granted.contains(name) || StrangeName.isMisspelt(name, of: granted) || isScope(name)
        }
        return "requested: " + Self.list(told, others: names.count - told.count) + "; "
    }

    /// Whether some resource where the client has a grant has this scope.
    private func isScope(_ name: String) -> Bool {
        guard let scope = try? Scope(name) else { return false }
        return client.grants.keys.prefix(Self.maximum).contains { isKnown($0, scope) }
    }

    private static func list(_ names: [String], others: Int) -> String {
        let isCut = names.count > maximum
        var texts = Array(names.prefix(maximum)) + (isCut ? ["…"] : [])
        if others > 0 {
            texts.append(others == 1 ? "a name that is not known" : "\(others) names that are not known")
        }
        return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }
}
