/// The numbers of JSON5: `2`, `+2`, `0x2`, `2.`, `.5`, `1e3`, `Infinity`.
enum JSON5Number {
    /// A number as a setting takes it: in decimal digits where it is whole, else as it is written; nil for what is no
    /// number.
    static func text(_ word: String) -> String? {
        if let hexadecimal = word.wholeMatch(of: /([+-]?)0[xX]([0-9a-fA-F]+)/) {
            return Int64("\(hexadecimal.1)\(hexadecimal.2)", radix: 16).map(String.init) ?? word
        }
        guard let decimal = word.wholeMatch(of: /([+-]?)(0|[1-9][0-9]*)?(?:\.([0-9]*))?([eE][+-]?[0-9]+)?/),
            decimal.2 != nil || decimal.3?.isEmpty == false
        else {
            return word.wholeMatch(of: /[+-]?(Infinity|NaN)/) == nil ? nil : word
        }
        let digits = "\(decimal.1)\(decimal.2 ?? "0")"
        if decimal.4 == nil, decimal.3?.allSatisfy({ $0 == "0" }) ?? true {
            return Int64(digits).map(String.init) ?? word
        }
        // A large one, and one whose parts are too small for a double, would be rounded to another number.
        let number = Double("\(digits).\(decimal.3 ?? "")0\(decimal.4 ?? "")")
        guard let whole = number.flatMap({ Int64(exactly: $0) }), whole.magnitude < 1 << 40, whole != 0 else {
            return word
        }
        return String(whole)
    }
}
