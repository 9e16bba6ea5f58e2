import AuthStore
import OAuth

/// What the log says of a grant that is refused, beside what the client is told: what was asked for, and what is granted.
enum GrantRefusal {
    /// - Parameters:
    ///   - error: what the client is told.
    ///   - isKnown: whether the registry has a resource.
    static func detail(
        _ error: OAuthError, of client: RegisteredClient, _ parameters: FormParameters,
        isKnown: (ResourceID) -> Bool
    ) -> String {
        switch error.code {
        case .invalidTarget:
            return error.description + ": " + resources(parameters.values("resource"), of: client, isKnown)
        case .invalidScope:
            let scopes = parameters["scope"]?.split(separator: " ").map(String.init) ?? []
            return error.description + "; " + requested(scopes, of: client)
                + "granted: " + list(client.grants.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        default: return error.description
        }
    }

    /// The most names that a line has.
    private static let maximum = 5

    private static func resources(
        _ names: [String], of client: RegisteredClient, _ isKnown: (ResourceID) -> Bool
    ) -> String {
        let reasons = names.prefix(maximum).compactMap { name -> String? in
            guard let resource = try? ResourceID(name), isKnown(resource) else {
                return StrangeName.inLog(name) + " is unknown"
            }
            return client.grants[resource] == nil ? "\(name) is not granted" : nil
        }
        return reasons.joined(separator: ", ")
    }

    private static func requested(_ scopes: [String], of client: RegisteredClient) -> String {
        guard !scopes.isEmpty else { return "" }
        let granted = Set(client.grants.values.flatMap { $0.map(\.value) })
        return "requested: " + list(scopes.map { granted.contains($0) ? $0 : StrangeName.inLog($0) }) + "; "
    }

    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        return names.prefix(maximum).joined(separator: ", ") + (names.count > maximum ? ", …" : "")
    }
}
