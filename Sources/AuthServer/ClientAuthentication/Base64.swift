/// Base64 with padding, as HTTP Basic has it (RFC 4648 §4); nothing else is taken for it.
enum Base64 {
    /// Decodes a text.
    /// - Returns: nil for another alphabet, missing or misplaced padding, or bits left over.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard !text.isEmpty, text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.dropLast(padding) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return buffer & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
    }

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
            .enumerated()
        {
            table[Int(character)] = UInt8(value)
        }
        return table
    }()
}
