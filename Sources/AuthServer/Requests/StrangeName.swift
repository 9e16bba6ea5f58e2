/// A name in a request that the registry does not have: it may be anything, a secret in the wrong place too.
enum StrangeName {
    /// The beginning of it, for the log: enough to find a client that was misspelt, and too little of any secret.
    static func beginning(of name: String) -> String { start(of: name) + "…" }

    /// The same without the sign that more followed.
    static func start(of name: String) -> String {
        // A character may have any number of scalars.
        let scalars = name.unicodeScalars
        return String(String.UnicodeScalarView(scalars.prefix(min(4, scalars.count / 2))))
    }

    /// Which of these names it is, misspelt in a place or two. That is told, and not what was sent: a secret may look like a
    /// name, too.
    static func meant(_ name: String, among known: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased().utf8)
        guard (3...64).contains(letters.count) else { return nil }
        return known.first { known in
            let distance = { NearestName.editDistance(letters, Array(known.lowercased().utf8)) }
            return known.utf8.count <= 64 && distance() <= max(1, letters.count / 6)
        }
    }
}
