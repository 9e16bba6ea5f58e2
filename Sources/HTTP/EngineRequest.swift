internal import CMicroHTTPD

/// Reads a header block out of the engine.
enum EngineRequest {
    /// The header fields of a connection's present request, in order.
    static func fields(of connection: OpaquePointer) -> [HTTPField] {
        var fields: [HTTPField] = []
        fields.reserveCapacity(8)
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    context?.assumingMemoryBound(to: [HTTPField].self).pointee.append(
                        HTTPField(text(name, nameLength), text(value, valueLength)))
                    return .YES
                }, pointer)
        }
        return fields
    }
}

private func text(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let bytes, length > 0 else { return "" }
    return String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
}
