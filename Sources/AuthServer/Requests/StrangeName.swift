/// A name in a request that the registry does not have: it may be anything, a secret in the wrong place too.
enum StrangeName {
    /// How the log tells it: whole where it is too short for a secret, which has 16 characters or more.
    static func inLog(_ name: String) -> String {
        // A character may have any number of scalars.
        name.utf8.count < 16 ? name : "\(String.UnicodeScalarView(name.unicodeScalars.prefix(4)))…"
    }
}
