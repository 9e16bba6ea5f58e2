/// The members of a JSON object in their order, each name once (RFC 8259 §4).
public struct JSONObject: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The name, unescaped.
        public let name: String
        /// The value.
        public let value: JSONValue
    }

    /// The members as they stand in the text.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// Members that the caller knows to be unique.
    init(unique members: [Member]) { self.members = members }

    /// Members whose names are all different, in this order; linear in their number.
    package init(_ members: [(name: String, value: JSONValue)]) {
        self.members = members.map { Member(name: $0.name, value: $0.value) }
        precondition(!Self.hasDuplicates(self.members), "two members have one name")
    }

    /// The value of a member, found by its exact name; assigning replaces it, appends it, or with `nil` removes it.
    public subscript(name: String) -> JSONValue? {
        get {
            // By index: a member that is looked at and passed over is not copied.
            for index in members.indices where members[index].name.isExactly(name) {
                return members[index].value
            }
            return nil
        }
        set {
            let index = members.firstIndex { $0.name.isExactly(name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index] = Member(name: name, value: value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether some name occurs twice, byte for byte; linear in the number of members.
    static func hasDuplicates(_ members: [Member]) -> Bool {
        if members.count <= 16 {
            for index in members.indices.dropFirst() {
                let name = members[index].name
                for other in 0..<index where members[other].name.isExactly(name) { return true }
            }
            return false
        }
        return Set(members.lazy.map { ExactName(text: $0.name) }).count < members.count
    }

    private struct ExactName: Hashable {
        let text: String
        static func == (left: ExactName, right: ExactName) -> Bool { left.text.isExactly(right.text) }
        // Of the bytes: the text's own hash is one for all spellings of it, of which a stranger can write thousands.
        func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
