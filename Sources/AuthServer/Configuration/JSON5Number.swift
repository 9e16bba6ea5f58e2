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
        let (fraction, exponent) = (decimal.3 ?? "", decimal.4?.dropFirst() ?? "0")
        guard let power = Int(exponent), power.magnitude < 1 << 32 else { return word }
        return whole(sign: decimal.1, digits: (decimal.2 ?? "0") + fraction, tens: power - fraction.count)
            ?? word
    }

    /// A number in decimal digits, exactly; nil where it is not whole, or beyond what a setting may be.
    private static func whole(sign: Substring, digits: Substring, tens: Int) -> String? {
        var (digits, tens) = (digits.drop { $0 == "0" }, tens)
        guard !digits.isEmpty else { return "0" }
        while digits.last == "0" {
            digits.removeLast()
            tens += 1
        }
        guard (0...12).contains(tens), digits.count + tens <= 12 else { return nil }
        return Int64(sign + digits + String(repeating: "0", count: tens)).map(String.init)
    }
}
