internal import OAuth
internal import SQLite

/// The wrapper's calls with the errors of this store, so that its functions throw one type.
extension Connection {
    /// Opens a database.
    static func open(
        _ path: String, mode: Mode, busyTimeout: Int32 = 5000
    ) throws(StoreError) -> Connection {
        do { return try Connection(path: path, mode: mode, busyTimeout: busyTimeout) } catch {
            throw StoreError(error)
        }
    }

    /// Runs a statement that answers no rows; the number of rows that it changed.
    @discardableResult
    func change(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> Int {
        do { return try run(sql, values) } catch { throw StoreError(error) }
    }

    /// All rows of a statement.
    func all<Element>(
        _ sql: String, _ values: [SQLiteValue] = [], body: (Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        let statement = try bound(sql, values)
        defer {
            statement.reset()
            statement.clear()
        }
        var elements: [Element] = []
        while try statement.next() { elements.append(try body(statement)) }
        return elements
    }

    /// The first row of a statement.
    func one<Element>(
        _ sql: String, _ values: [SQLiteValue] = [], body: (Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> Element? {
        let statement = try bound(sql, values)
        defer {
            statement.reset()
            statement.clear()
        }
        return try statement.next() ? try body(statement) : nil
    }

    /// The integer in the first column of the first row; nil for no row or `NULL`.
    func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> Int64? {
        try one(sql, values) { row throws(StoreError) in row.optionalInteger(0) } ?? nil
    }

    /// Runs `body` in a transaction, or in the one that is open already.
    func atomically<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard !isInTransaction else { return try body() }
        return try transaction(kind, failure: StoreError.init, body)
    }

    private func bound(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> Statement {
        do {
            let statement = try statement(sql)
            try statement.bind(values)
            return statement
        } catch { throw StoreError(error) }
    }
}

extension Statement {
    fileprivate func next() throws(StoreError) -> Bool {
        do { return try step() } catch { throw StoreError(error) }
    }

    /// The client identifier in a column.
    func clientID(_ column: Int32) throws(StoreError) -> ClientID {
        do { return try ClientID(text(column)) } catch { throw .unknown("a value", error) }
    }

    /// The resource identifier in a column.
    func resourceID(_ column: Int32) throws(StoreError) -> ResourceID {
        do { return try ResourceID(text(column)) } catch { throw .unknown("a value", error) }
    }

    /// How a client has to send its secret; nil where either way is good.
    /// - Throws: `corrupt` for another word: not to know it must not mean that either way is good.
    func authenticationMethod(_ column: Int32) throws(StoreError) -> ClientAuthenticationMethod? {
        guard let word = optionalText(column) else { return nil }
        guard let method = ClientAuthenticationMethod(rawValue: word) else {
            throw .unknown("an auth_method")
        }
        return method
    }

    /// The scope in a column.
    func scope(_ column: Int32) throws(StoreError) -> Scope {
        do { return try Scope(text(column)) } catch { throw .unknown("a value", error) }
    }
}

extension StoreError {
    /// Something in the registry that this product does not write.
    fileprivate static func unknown(_ what: String, _ reason: VocabularyError? = nil) -> StoreError {
        StoreError(
            .corrupt,
            "the registry holds \(what) that no version of authserver writes"
                + (reason.map { ": \($0)" } ?? ""))
    }
}
