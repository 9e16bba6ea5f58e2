/// The tokens of a client by what they are for: bounded, the one unused for longest goes first. Pure.
struct TokenBook: Sendable {
    /// What a token is for.
    struct Purpose: Hashable, Sendable {
        let resource: ResourceID
        let scopes: Scopes
    }

    private struct Entry {
        var state = TokenState()
        var lastUse: TokenState.Instant
    }

    private let capacity: Int
    private var entries: [Purpose: Entry] = [:]

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many are held.
    var count: Int { entries.count }

    /// Decides for a caller; `.overloaded` when there is no room because all that is held is being fetched.
    mutating func need(_ purpose: Purpose, now: TokenState.Instant) -> TokenState.Step {
        if entries[purpose] == nil {
            guard makeRoom() else { return TokenState.Step(decision: .fail(.overloaded)) }
            entries[purpose] = Entry(lastUse: now)
        }
        entries[purpose]?.lastUse = now
        return entries[purpose]?.state.need(now: now) ?? TokenState.Step(decision: .fail(.overloaded))
    }

    /// Takes the end of the request for a purpose.
    mutating func finish(
        _ purpose: Purpose, _ result: Result<TokenResponse, TokenClientError.Reason>,
        requestedAt: TokenState.Instant, now: TokenState.Instant
    ) {
        switch result {
        case .success(let response): entries[purpose]?.state.obtained(response, requestedAt: requestedAt)
        case .failure(let error): entries[purpose]?.state.failed(error, now: now)
        }
    }

    /// Drops a token wherever it is held.
    mutating func invalidate(_ token: AccessToken, now: TokenState.Instant) {
        for purpose in entries.keys { entries[purpose]?.state.invalidate(token, now: now) }
    }

    private mutating func makeRoom() -> Bool {
        guard entries.count >= capacity else { return true }
        let idle = entries.filter { !$0.value.state.isRequesting }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return false }
        entries[oldest] = nil
        return true
    }
}
