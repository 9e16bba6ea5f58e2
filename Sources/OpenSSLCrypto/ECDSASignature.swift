/// ECDSA signatures of P-256 in their two forms: r‖s as JWS has it (RFC 7518 §3.4), DER as OpenSSL has it.
enum ECDSASignature {
    /// Two numbers of 33 bytes with a header of two bytes each, and the header of the sequence.
    static let maximumDERByteCount = 72

    /// Writes r‖s as DER.
    /// - Returns: how many bytes were written; `nil` when it is not 64 bytes with both numbers in 1..<n.
    static func writeDER(_ raw: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard raw.count == 64 else { return nil }
        let (r, s) = (raw.extracting(first: 32), raw.extracting(last: 32))
        guard isInRange(r), isInRange(s) else { return nil }
        var end = 2
        writeInteger(r, into: output, at: &end)
        writeInteger(s, into: output, at: &end)
        output[0] = 0x30
        output[1] = UInt8(end - 2)
        return end
    }

    /// Writes DER that OpenSSL has made as r‖s, 64 bytes.
    static func writeRaw(_ der: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>)
        -> Bool
    {
        guard der.count >= 8, output.count == 64, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
            return false
        }
        output.update(repeating: 0)
        var start = 2
        return readInteger(der, at: &start, into: output, endingAt: 32)
            && readInteger(der, at: &start, into: output, endingAt: 64) && start == der.count
    }

    private static func writeInteger(
        _ number: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, at end: inout Int
    ) {
        var first = 0
        while number[first] == 0 { first += 1 }
        let needsZero = number[first] >= 0x80
        output[end] = 0x02
        output[end + 1] = UInt8(number.count - first + (needsZero ? 1 : 0))
        end += 2
        if needsZero {
            output[end] = 0
            end += 1
        }
        for index in first..<number.count {
            output[end] = number[index]
            end += 1
        }
    }

    private static func readInteger(
        _ der: UnsafeBufferPointer<UInt8>, at start: inout Int,
        into output: UnsafeMutableBufferPointer<UInt8>,
        endingAt end: Int
    ) -> Bool {
        guard start + 2 < der.count, der[start] == 0x02 else { return false }
        var first = start + 2
        let last = first + Int(der[start + 1])
        guard last <= der.count else { return false }
        while first < last, der[first] == 0 { first += 1 }
        guard last - first <= 32 else { return false }
        for offset in 0..<last - first { output[end - (last - first) + offset] = der[first + offset] }
        start = last
        return true
    }

    /// Whether 0 < number < n. The number is public, so that the comparison may stop early.
    private static func isInRange(_ number: Span<UInt8>) -> Bool {
        var index = 0
        while index < 32, number[index] == 0 { index += 1 }
        guard index < 32 else { return false }
        for index in 0..<32 where number[index] != order[index] { return number[index] < order[index] }
        return false
    }

    /// n, the order of the group of P-256 (SP 800-186 §3.2.1.3).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
}
