extension TLSFile {
    /// What a file looks like from outside.
    enum Form: Equatable, Sendable {
        /// PEM (RFC 7468), with the labels of its blocks.
        case pem([String])
        /// ASN.1 without PEM around it.
        case der
        /// A store of certificates and keys (RFC 7292), as `.p12` and `.pfx` files are.
        case pkcs12
        /// Nothing of it.
        case other
    }

    /// What the file looks like.
    var form: Form {
        // Text has no NUL, at which the engine would end it.
        let labels = content.contains(0) ? [] : lines.compactMap(Self.label)
        if !labels.isEmpty { return .pem(labels) }
        guard let body = Self.bodyOfOneSequence(content) else { return .other }
        // PFX ::= SEQUENCE { version INTEGER { v3(3) }, …
        return body.starts(with: [0x02, 0x01, 0x03]) ? .pkcs12 : .der
    }

    /// Whether its private key is encrypted: in PKCS #8 (RFC 5958), or as OpenSSL did before.
    var isEncrypted: Bool {
        lines.contains { Self.label($0) == "ENCRYPTED PRIVATE KEY" || $0.hasPrefix("Proc-Type: 4,ENCRYPTED") }
    }

    private var lines: [Substring] {
        String(decoding: content, as: UTF8.self).split { $0.isNewline }
    }

    private static func label(_ line: Substring) -> String? {
        guard let begin = line.firstRange(of: "-----BEGIN ") else { return nil }
        let rest = line[begin.upperBound...]
        return rest.firstRange(of: "-----").map { String(rest[..<$0.lowerBound]) }
    }

    /// What is in the one SEQUENCE that the bytes are; nil when they are none.
    private static func bodyOfOneSequence(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count > 1, bytes[0] == 0x30 else { return nil }
        guard bytes[1] >= 0x80 else { return Int(bytes[1]) == bytes.count - 2 ? bytes[2...] : nil }
        let lengthBytes = bytes.dropFirst(2).prefix(Int(bytes[1] & 0x7F))
        guard (1...4).contains(lengthBytes.count) else { return nil }
        let body = bytes.dropFirst(2 + lengthBytes.count)
        return lengthBytes.reduce(0) { $0 << 8 | Int($1) } == body.count ? body : nil
    }
}
