/// A name in a request that the registry does not have: it may be anything, a secret in the wrong place too.
enum StrangeName {
    /// The beginning of it, for the log: enough to find a client that was misspelt, and too little of any secret.
    static func beginning(of name: String) -> String {
        // A character may have any number of scalars.
        let scalars = name.unicodeScalars
        return String(String.UnicodeScalarView(scalars.prefix(min(4, scalars.count / 2)))) + "…"
    }

    /// Whether it is one of these names, misspelt in a place or two.
    static func isMisspelt(_ name: String, of known: some Sequence<String>) -> Bool {
        let letters = Array(name.utf8)
        guard (3...64).contains(letters.count) else { return false }
        return known.contains { known in
            known.utf8.count <= 64
                && NearestName.editDistance(letters, Array(known.utf8)) <= max(1, letters.count / 6)
        }
    }
}
