/// Finds the name that a misspelt one was meant to be.
enum NearestName {
    /// The most similar of `names`, or nil when none is similar enough to be worth suggesting.
    static func nearest(to text: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().utf8.prefix(64))
        let allowed = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for name in names where !isOpposite(wanted, of: name) {
            let candidate = Array(name.lowercased().utf8)
            let distance = isLongPrefix(wanted, of: candidate) ? 0 : editDistance(wanted, candidate)
            if distance <= allowed, distance < (best?.distance ?? .max) { best = (name, distance) }
        }
        return best?.name ?? abbreviated(by: wanted, among: names)
    }

    /// Whether a word is a name with something before it that turns it round, as `unretire` is.
    private static func isOpposite(_ word: [UInt8], of name: String) -> Bool {
        let word = String(decoding: word, as: UTF8.self)
        return ["un", "un-", "dis", "dis-", "de", "de-", "no", "no-", "non-", "not-"].contains {
            word == $0 + name.lowercased()
        }
    }

    /// A hint that suggests the nearest name, or else what `otherwise` says.
    static func hint(for text: String, among names: some Sequence<String>, otherwise: String) -> String {
        nearest(to: text, among: names).map { "did you mean \($0)?" } ?? otherwise
    }

    /// The names of which a text is a word, or its beginning, as `scopes` is of `add-scopes` and `remove-scopes`; nil
    /// where there is none, or so many that naming them helps nobody.
    static func holding(_ text: String, among names: some Sequence<String>) -> String? {
        let word = letters(Array(text.lowercased().utf8))
        guard word.count >= 3 else { return nil }
        let part = "-" + String(decoding: word, as: UTF8.self)
        let found = names.filter { "-\($0)".contains(part) }
        return (1...3).contains(found.count) ? found.joined(separator: " or ") : nil
    }

    /// The only name that a text is short for, as `db` is for `database`.
    private static func abbreviated(by text: [UInt8], among names: some Sequence<String>) -> String? {
        let short = letters(text)
        guard short.count >= 2 else { return nil }
        let long = names.filter { isAbbreviation(short, of: letters(Array($0.lowercased().utf8))) }
        return long.count == 1 ? long[0] : nil
    }

    private static func letters(_ text: [UInt8]) -> ArraySlice<UInt8> {
        text.drop { $0 == UInt8(ascii: "-") }
    }

    /// Whether all of `short` is in `name`, in this order, and both begin alike.
    private static func isAbbreviation(_ short: ArraySlice<UInt8>, of name: ArraySlice<UInt8>) -> Bool {
        guard short.first == name.first else { return false }
        var rest = short
        for byte in name where byte == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    private static func isLongPrefix(_ text: [UInt8], of name: [UInt8]) -> Bool {
        text.count >= 3 && name.starts(with: text)
    }

    /// How many bytes are to be inserted, removed, replaced or swapped with their neighbour.
    static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
