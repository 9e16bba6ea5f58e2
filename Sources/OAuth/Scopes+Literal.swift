extension Scopes: ExpressibleByArrayLiteral {
    /// The set of scopes that a program writes down, such as `["read", "write"]`.
    ///
    /// Traps where a literal is no scope (RFC 6749 §3.3): a mistake in the program's text. What is known only at
    /// run time is no `StaticString` and cannot come here; for that there is `init(parsing:)`.
    public init(arrayLiteral literals: StaticString...) {
        self.init(
            literals.map { literal in
                let text = literal.description
                guard let scope = try? Scope(text) else { preconditionFailure("not a scope: \(text)") }
                return scope
            })
    }
}
