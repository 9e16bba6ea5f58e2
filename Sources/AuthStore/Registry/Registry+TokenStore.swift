internal import SQLite

extension Registry {
    /// Where the server that was started last keeps tokens, in its own words; nil before one was.
    public func tokenStore() throws(StoreError) -> String? {
        try reading { () throws(StoreError) in
            try connection.one("SELECT place FROM token_store") { row throws(StoreError) in row.text(0) }
        }
    }

    /// Notes where the server keeps tokens; without the write lock where that is known.
    /// - Parameters:
    ///   - place: words that two servers have in common if, and only if, they share a store; no password.
    ///   - now: the moment of the change.
    public func recordTokenStore(
        _ place: String, at now: Milliseconds = WallClock.now()
    ) throws(StoreError) {
        guard try tokenStore() != place else { return }
        try transaction { () throws(StoreError) in
            let known = try tokenStore()
            try connection.change(
                "INSERT OR REPLACE INTO token_store (only_row, place) VALUES (1, ?)", [.text(place)])
            try record(.serverSet, detail: .change("token_store", from: known, to: place), at: now)
        }
    }
}
