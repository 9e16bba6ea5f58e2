import AuthStore
import OAuth

/// What the log says of a grant that is refused, beside what the client is told: what was asked for, and what is granted.
///
/// Names that the registry has are told. Others may be secrets in the wrong place: of those that are a name of the
/// client's grants, misspelt, it is told which, and of the rest how many there are.
struct GrantRefusal {
    /// What the client is told.
    let error: OAuthError
    /// Who asked.
    let client: RegisteredClient
    /// Whether the registry has such a resource.
    let isResource: (ResourceID) -> Bool
    /// Whether some resource in the registry has such a scope.
    let isScope: (Scope) -> Bool

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
            if let resource, isResource(resource) {
                told.append("\(name) is not granted")
            } else if let meant = StrangeName.meant(name, among: client.grants.keys.map(\.value)) {
                told.append("a name like \(meant) is unknown")
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
        let told = names.prefix(Self.maximum).map(String.init).compactMap { name in
            if granted.contains(name) || (try? Scope(name)).map(isScope) == true { return name }
            return StrangeName.meant(name, among: granted).map { "a name like \($0)" }
        }
        return "requested: " + Self.list(told, others: names.count - told.count) + "; "
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
