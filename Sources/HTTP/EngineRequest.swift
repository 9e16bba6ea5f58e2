internal import CMicroHTTPD
internal import Glibc

/// A header block, read out of the engine.
struct EngineRequest {
    let method: String
    let version: String
    /// The header fields, in order.
    let fields: [HTTPField]
    /// How long the block is, in bytes.
    let size: Int
    /// Whether the block holds nothing but what was read of it (`HeaderLines`).
    let isWhole: Bool

    /// - Parameters:
    ///   - method: where the engine keeps the method, and with it the block.
    ///   - target: the request target as sent.
    ///   - version: where the engine keeps the version.
    init(
        of connection: OpaquePointer, method: UnsafePointer<CChar>, target: String,
        version: UnsafePointer<CChar>
    ) {
        self.method = String(cString: method)
        self.version = String(cString: version)
        size = auth_mhd_header_size(connection)
        var lines = HeaderLines(block: method, size: size)
        lines.readRequestLine(
            methodLength: strlen(method), targetLength: target.utf8.count, version: version)
        withUnsafeMutablePointer(to: &lines) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    context?.assumingMemoryBound(to: HeaderLines.self).pointee
                        .read(
                            name: UnsafeBufferPointer(start: name, count: nameLength),
                            value: UnsafeBufferPointer(start: value, count: valueLength))
                    return .YES
                }, pointer)
        }
        fields = lines.fields
        isWhole = lines.isWhole
    }
}

/// The lines of a header block, as the engine read them in place.
///
/// The engine is lenient where two parsers may differ: a line feed alone ends a line, a NUL cuts the target or a value
/// off, the text of a folded line is added to the *name* of the field before it (so that `Transfer-Encoding:` with
/// `chunked` in the next line is no Transfer-Encoding), and a line with an empty name ends the block. The values do
/// not show it. Where they lie does: each line has to begin two bytes, CR and LF, behind the end of the one before.
private struct HeaderLines {
    private(set) var fields: [HTTPField] = []
    private let block: UnsafePointer<CChar>
    private let size: Int
    /// Where the next line has to begin, from the start of the block; nil after a line that began elsewhere.
    private var position: Int? = 0

    init(block: UnsafePointer<CChar>, size: Int) {
        self.block = block
        self.size = size
        fields.reserveCapacity(8)
    }

    /// Whether nothing but the empty line is left.
    var isWhole: Bool { position.map { $0 + Self.lineEnd == size } ?? false || Self.isOfAnotherEngine }

    mutating func readRequestLine(methodLength: Int, targetLength: Int, version: UnsafePointer<CChar>) {
        let place = version - block
        position = place == methodLength + 1 + targetLength + 1 ? place + strlen(version) + Self.lineEnd : nil
    }

    mutating func read(name: UnsafeBufferPointer<CChar>, value: UnsafeBufferPointer<CChar>) {
        fields.append(HTTPField(Self.text(name), Self.text(value)))
        guard let place = position, let nameStart = name.baseAddress, let valueStart = value.baseAddress,
            nameStart - block == place, valueStart - nameStart > name.count
        else { return position = nil }
        position = valueStart - block + value.count + Self.lineEnd
    }

    private static let lineEnd = 2

    /// Whether the engine has the parser of version 1, which refuses all this itself and keeps values elsewhere.
    private static let isOfAnotherEngine =
        MHD_get_version().map { !String(cString: $0).hasPrefix("0.") } ?? false

    private static func text(_ bytes: UnsafeBufferPointer<CChar>) -> String {
        String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
    }
}
