internal import AuthStore
internal import OAuth

/// Runs what the registry may refuse about a client; where there is no such client, suggests the nearest.
@discardableResult
func storing<Result>(
    about client: ClientID, in registry: Registry, _ body: () throws(StoreError) -> Result
) throws(CommandError) -> Result {
    try suggesting(client.value, body) { () throws(StoreError) in try registry.listClients().map(\.id.value) }
}

/// Runs what the registry may refuse about a resource; where there is no such resource, suggests the nearest.
@discardableResult
func storing<Result>(
    about resource: ResourceID, in registry: Registry, _ body: () throws(StoreError) -> Result
) throws(CommandError) -> Result {
    try suggesting(resource.value, body) { () throws(StoreError) in
        try registry.listResources().map(\.id.value)
    }
}

private func suggesting<Result>(
    _ name: String, _ body: () throws(StoreError) -> Result, among names: () throws(StoreError) -> [String]
) throws(CommandError) -> Result {
    do throws(StoreError) {
        return try body()
    } catch {
        let refusal = CommandError(error)
        guard error.code == .notFound, let known = try? names(), !known.contains(name),
            let nearest = NearestName.nearest(to: name, among: known)
        else { throw refusal }
        throw CommandError(refusal.code, refusal.message, hint: "did you mean \(nearest)?")
    }
}
