internal import CMicroHTTPD

/// Puts an answer into the engine's terms.
enum EngineResponse {
    /// Queues an answer on a connection.
    /// - Parameter closing: whether the connection ends after it.
    static func queue(_ response: HTTPResponse, closing: Bool, on connection: OpaquePointer) -> MHD_Result {
        let made = response.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        let fields = response.fields.span
        for index in fields.indices where !add(fields[index], to: made) { return .NO }
        if closing { _ = MHD_add_response_header(made, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }

    /// Adds a field. The texts are lent as they are: converting them by themselves would copy each to the heap.
    private static func add(_ field: HTTPField, to response: OpaquePointer) -> Bool {
        field.name.withCString { name in
            field.value.withCString { value in MHD_add_response_header(response, name, value) == .YES }
        }
    }
}
