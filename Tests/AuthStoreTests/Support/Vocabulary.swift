public import OAuth

// Words of the vocabulary as literals; a literal that is none is a fault of the test.

extension ClientID: ExpressibleByStringLiteral {
    /// A word of the vocabulary.
    public init(stringLiteral text: String) {
        guard let value = try? ClientID(text) else { fatalError("\(text) is no client id") }
        self = value
    }
}

extension ResourceID: ExpressibleByStringLiteral {
    /// A word of the vocabulary.
    public init(stringLiteral text: String) {
        guard let value = try? ResourceID(text) else { fatalError("\(text) is no resource id") }
        self = value
    }
}

extension Scopes: ExpressibleByStringLiteral {
    /// A word of the vocabulary.
    public init(stringLiteral text: String) {
        guard let value = try? Scopes(value: text) else { fatalError("\(text) is no scope") }
        self = value
    }
}
