import OpenSSLCrypto

/// The words of a command line, taken one after the other.
struct Arguments {
    /// A word is missing, or is not what is expected.
    struct Misuse: Error {}

    private var rest: ArraySlice<String>

    /// All words after the program's name.
    init(_ words: [String]) {
        rest = words.dropFirst()
    }

    /// Whether no word is left.
    var isEmpty: Bool { rest.isEmpty }

    mutating func text() throws(Misuse) -> String {
        guard let word = rest.popFirst() else { throw Misuse() }
        return word
    }

    mutating func number() throws(Misuse) -> Int {
        guard let number = Int(try text()) else { throw Misuse() }
        return number
    }

    mutating func algorithm() throws(Misuse) -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: try text()) else { throw Misuse() }
        return algorithm
    }

    /// Two files, or nothing.
    mutating func files() throws(Misuse) -> (certificate: String, key: String)? {
        isEmpty ? nil : (try text(), try text())
    }
}
