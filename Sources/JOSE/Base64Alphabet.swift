/// One of the two alphabets of base64 (RFC 4648 §4 and §5), without padding.
///
/// Decoding is strict: no other characters, no set bits after the last byte (§3.5), so that each byte string has
/// exactly one text.
package struct Base64Alphabet: Sendable {
    /// That of file names and URLs (RFC 4648 §5).
    package static let url = Base64Alphabet(last: "-_")
    /// The first one (RFC 4648 §4).
    package static let standard = Base64Alphabet(last: "+/")

    private let letters: [UInt8]
    /// What each character stands for at each of the four places in a group: its six bits where they belong in the
    /// 24 of the group. 256 entries a place.
    private let values: [UInt32]
    /// A bit that no value has.
    private static let invalid: UInt32 = 1 << 31

    private init(last: StaticString) {
        letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt32](repeating: Self.invalid, count: 4 * 256)
        for (value, letter) in letters.enumerated() {
            for place in 0..<4 { values[place * 256 + Int(letter)] = UInt32(value) << (18 - 6 * place) }
        }
        self.values = values
    }

    /// Appends the text of these bytes, in ASCII.
    func encode(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        // Without room to append, an empty array's storage would be written, which all threads share.
        guard !bytes.isEmpty else { return }
        let letters = letters.span
        output.append(addingCapacity: (bytes.count * 4 + 2) / 3) { output in
            var index = 0
            while index + 3 <= bytes.count {
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                output.append(letters[group >> 18])
                output.append(letters[group >> 12 & 0x3F])
                output.append(letters[group >> 6 & 0x3F])
                output.append(letters[group & 0x3F])
                index += 3
            }
            guard index < bytes.count else { return }
            let second = index + 1 < bytes.count ? Int(bytes[index + 1]) : nil
            let group = Int(bytes[index]) << 16 | (second ?? 0) << 8
            output.append(letters[group >> 18])
            output.append(letters[group >> 12 & 0x3F])
            if second != nil { output.append(letters[group >> 6 & 0x3F]) }
        }
    }

    /// The bytes of this text; `nil` when it is another text.
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        return decode(text, appendingTo: &bytes) ? bytes : nil
    }

    /// Appends the bytes of this text; says no when it is another text, and what is appended then means nothing.
    func decode(_ text: Span<UInt8>, appendingTo bytes: inout [UInt8]) -> Bool {
        guard text.count % 4 != 1 else { return false }
        // Without room to append, an empty array's storage would be written, which all threads share.
        guard !text.isEmpty else { return true }
        let (start, count) = (bytes.count, text.count * 3 / 4)
        bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
        var span = bytes.mutableSpan
        var output = span.mutableBytes
        let tables = Tables(values.span)
        var seen: UInt32 = 0
        var (rest, place) = (text, start)
        // Two groups are stored as eight bytes, the last two of which the next groups overwrite: there must be some.
        while rest.count >= 19 {
            let (first, second) = (tables.twoGroups(rest, at: 0), tables.twoGroups(rest, at: 8))
            seen |= first.seen | second.seen
            output.storeBytes(of: first.value, toByteOffset: place, as: UInt64.self)
            output.storeBytes(of: second.value, toByteOffset: place &+ 6, as: UInt64.self)
            rest = rest.extracting(droppingFirst: 16)
            place &+= 12
        }
        while rest.count >= 11 {
            let groups = tables.twoGroups(rest, at: 0)
            seen |= groups.seen
            output.storeBytes(of: groups.value, toByteOffset: place, as: UInt64.self)
            rest = rest.extracting(droppingFirst: 8)
            place &+= 6
        }
        while !rest.isEmpty {
            let last = rest.extracting(first: 4)
            let group = tables.group(last)
            seen |= group
            let count = last.count * 3 / 4
            for byte in 0..<count {
                let value = UInt8(truncatingIfNeeded: group >> (16 - 8 * byte))
                output.storeBytes(of: value, toByteOffset: place + byte, as: UInt8.self)
            }
            // What is left of a group that is not full must not be set.
            if group & (0xFF_FFFF >> (8 * count)) != 0 { seen |= Self.invalid }
            rest = rest.extracting(droppingFirst: 4)
            place += 3
        }
        return seen & Self.invalid == 0
    }
}

/// The values by place, in one span whose length is a constant, so that a byte needs no check to be looked up.
private struct Tables: ~Escapable {
    private let values: Span<UInt32>

    @inline(__always) @_lifetime(copy values)
    init(_ values: Span<UInt32>) { self.values = values.extracting(0..<4 * 256) }

    /// The six bytes that eight characters from a place on stand for, as they are stored, and what was seen.
    @inline(__always)
    func twoGroups(_ text: Span<UInt8>, at place: Int) -> (value: UInt64, seen: UInt32) {
        let first =
            value(text[place], 0) | value(text[place + 1], 1) | value(text[place + 2], 2)
            | value(text[place + 3], 3)
        let second =
            value(text[place + 4], 0) | value(text[place + 5], 1) | value(text[place + 6], 2)
            | value(text[place + 7], 3)
        return ((UInt64(first) << 40 | UInt64(second) << 16).bigEndian, first | second)
    }

    /// The value of two to four characters.
    @inline(__always)
    func group(_ text: Span<UInt8>) -> UInt32 {
        var group = value(text[0], 0) | value(text[1], 1)
        if text.count > 2 { group |= value(text[2], 2) }
        if text.count > 3 { group |= value(text[3], 3) }
        return group
    }

    @inline(__always)
    private func value(_ character: UInt8, _ place: Int) -> UInt32 { values[place * 256 + Int(character)] }
}
