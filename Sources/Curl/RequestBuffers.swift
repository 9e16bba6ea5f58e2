internal import CCurl
internal import Glibc

/// What libcurl reads of a request while it runs: field lines and body. They may hold credentials and are wiped
/// before they are freed.
final class RequestBuffers {
    /// The field lines; nil for none.
    private(set) var fields: UnsafeMutablePointer<curl_slist>?
    /// The body; nil for none.
    let body: UnsafeMutablePointer<CChar>?
    /// How many bytes the body has.
    let bodyLength: Int

    /// Copies a request.
    /// - Throws: `TransferError` for one that would not be sent as it is.
    init(_ request: TransferRequest) throws(TransferError) {
        guard request.isValid else { throw .failed("the request has a field that cannot be sent") }
        bodyLength = request.body?.count ?? 0
        body = request.body.map { bytes in
            // One byte more, so that no body is one without an address, which libcurl takes for none.
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for (index, byte) in bytes.enumerated() {
                copy.advanced(by: index).initialize(to: CChar(bitPattern: byte))
            }
            copy.advanced(by: bytes.count).initialize(to: 0)
            return copy
        }
        for field in request.fields {
            // A name with nothing but a colon would tell libcurl to leave the field out.
            try append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        // Nobody waits for 100 Continue, and a body is no form unless it is called one.
        try append("Expect:")
        if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            try append("Content-Type:")
        }
    }

    deinit {
        var next = fields
        while let line = next {
            if let text = line.pointee.data { explicit_bzero(text, strlen(text)) }
            next = line.pointee.next
        }
        curl_slist_free_all(fields)
        if let body {
            explicit_bzero(body, bodyLength)
            body.deallocate()
        }
    }

    private func append(_ line: String) throws(TransferError) {
        guard let longer = curl_slist_append(fields, line) else { throw .failed("no memory for a request") }
        fields = longer
    }
}
