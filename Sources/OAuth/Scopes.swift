/// A set of scopes, kept sorted and without duplicates so that equal sets print alike.
public struct Scopes: Hashable, Sendable, Sequence, CustomStringConvertible {
    /// The members in order.
    public let sorted: [Scope]

    /// The set of these scopes.
    public init(_ scopes: some Sequence<Scope>) {
        let members = Array(scopes)
        // Most come from a token or the registry, in order.
        let isSorted = members.indices.dropFirst().allSatisfy { members[$0 - 1] < members[$0] }
        sorted = isSorted ? members : Set(members).sorted()
    }

    /// The empty set.
    public init() { sorted = [] }

    /// Reads what somebody wrote to name scopes, in a configuration say: scopes separated by spaces, as in a `scope`
    /// value (RFC 6749 §3.3). Several spaces count as one and duplicates fold.
    /// - Throws: `VocabularyError` for a character that no scope holds, and for a text without a scope: a setting that is
    ///   missing must not open what it was to close. Where none is meant, `Scopes()` says so.
    public init(parsing text: String) throws(VocabularyError) {
        try self.init(value: text)
        guard !isEmpty else {
            throw VocabularyError("there is no scope in the text; where none is meant, write Scopes()")
        }
    }

    /// Reads a `scope` value (RFC 6749 §3.3) as others send it; an empty one is the empty set.
    /// - Throws: `VocabularyError` for a character that no scope holds.
    package init(value text: String) throws(VocabularyError) { try self.init(value: text.utf8.span) }

    /// Reads a `scope` value that is given as UTF-8.
    package init(value bytes: Span<UInt8>) throws(VocabularyError) {
        // By bytes: this is the hot path of the guard, and a text is split by characters ten times slower.
        var members: [Scope] = []
        members.reserveCapacity(4)
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: " ") { end += 1 }
            if end > start { members.append(try Scope(Self.text(bytes.extracting(start..<end)))) }
            start = end + 1
        }
        self.init(members)
    }

    /// A part of a text, cut at spaces: it is UTF-8 as the whole is.
    private static func text(_ bytes: Span<UInt8>) -> String {
        guard let text = try? UTF8Span(validating: bytes) else { return "" }
        return String(copying: text)
    }

    /// How many there are.
    public var count: Int { sorted.count }

    /// Whether there are none.
    public var isEmpty: Bool { sorted.isEmpty }

    /// Whether `scope` is a member, by exact match.
    public func contains(_ scope: Scope) -> Bool { sorted.contains(scope) }

    /// Whether every member of `other` is a member.
    public func isSuperset(of other: Scopes) -> Bool { other.sorted.allSatisfy(contains) }

    /// The members that both have.
    public func intersection(_ other: Scopes) -> Scopes { Scopes(sorted.filter(other.contains)) }

    /// The members that either has.
    public func union(_ other: Scopes) -> Scopes { Scopes(sorted + other.sorted) }

    /// The members that `other` lacks.
    public func subtracting(_ other: Scopes) -> Scopes { Scopes(sorted.filter { !other.contains($0) }) }

    /// The members in order.
    public func makeIterator() -> IndexingIterator<[Scope]> { sorted.makeIterator() }

    /// The `scope` value: the members separated by single spaces.
    public var description: String {
        sorted.count == 1 ? sorted[0].value : sorted.map(\.value).joined(separator: " ")
    }
}
