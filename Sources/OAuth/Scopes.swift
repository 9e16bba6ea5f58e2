/// A set of scopes, kept sorted and without duplicates so that equal sets print alike.
public struct Scopes: Hashable, Sendable, Sequence, CustomStringConvertible {
    /// The members in order.
    public let sorted: [Scope]

    /// The set of these scopes.
    public init(_ scopes: some Sequence<Scope>) {
        let members = Array(scopes)
        // Most come from a token or the registry, in order.
        let isSorted = zip(members, members.dropFirst()).allSatisfy { $0 < $1 }
        sorted = isSorted ? members : Set(members).sorted()
    }

    /// The empty set.
    public init() { sorted = [] }

    /// Reads a `scope` value (RFC 6749 §3.3): tokens separated by spaces. Several spaces count as one and
    /// duplicates fold; an empty text is the empty set.
    /// - Throws: `VocabularyError` for a character that no scope holds.
    public init(parsing text: String) throws(VocabularyError) {
        // By bytes: this is the hot path of the guard, and a text is split by characters ten times slower.
        let space = UInt8(ascii: " ")
        guard text.utf8.contains(space) else {
            self.init(text.isEmpty ? [] : [try Scope(text)])
            return
        }
        var members: [Scope] = []
        for part in text.utf8.split(separator: space) {
            members.append(try Scope(String(Substring(part))))
        }
        self.init(members)
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
