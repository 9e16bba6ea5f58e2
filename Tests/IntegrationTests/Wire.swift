import Foundation
import HTTP
import JOSE
import TestSupport

/// HTTP/1.1 as a client writes and reads it, no more than the tests need.
enum Wire {
    /// A request as it is sent.
    static func bytes(_ request: HTTPRequest, keepAlive: Bool = false) -> [UInt8] {
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        var head = "\(request.method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        if !keepAlive { head += "Connection: close\r\n" }
        for field in request.fields { head += "\(field.name): \(field.value)\r\n" }
        if !request.body.isEmpty || ["POST", "PUT"].contains(request.method) {
            head += "Content-Length: \(request.body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + request.body
    }

    /// The answer that these bytes are; nil while something is missing.
    static func response(_ bytes: [UInt8], to method: String) -> HTTPResponse? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return HTTPField(parts[0], parts.count > 1 ? parts[1] : "")
        }
        let body = Array(bytes[end.upperBound...])
        let hasNoBody = method == "HEAD" || status == 304 || status == 204
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard hasNoBody || body.count >= length else { return nil }
        return HTTPResponse(
            status: status, fields: fields, body: hasNoBody ? body : Array(body.prefix(length)))
    }

    /// Sends a request on a connection of its own and waits for the answer.
    /// - Throws: when there is none within the limit.
    static func exchange(
        _ request: HTTPRequest, port: Int, from source: String = "127.0.0.1",
        within limit: Duration = .seconds(20)
    ) async throws -> HTTPResponse {
        try await onThread {
            let connection = try RawConnection(port: port, from: source)
            connection.send(bytes(request))
            return try receive(from: connection, to: request.method, within: limit)
        }
    }

    /// Sends all requests, each on a connection of its own, before it reads the first answer.
    static func exchangeAtOnce(
        _ requests: [HTTPRequest], port: Int, within limit: Duration = .seconds(60)
    ) async throws -> [HTTPResponse] {
        try await onThread {
            let connections = try requests.map { request in
                let connection = try RawConnection(port: port)
                connection.send(bytes(request))
                return connection
            }
            return try zip(connections, requests).map {
                try receive(from: $0, to: $1.method, within: limit)
            }
        }
    }

    private static func receive(
        from connection: RawConnection, to method: String, within limit: Duration
    ) throws -> HTTPResponse {
        let (bytes, _) = connection.receiveBytes(within: limit) { response($0, to: method) != nil }
        guard let response = response(bytes, to: method) else {
            throw TestFailure("no whole answer within \(limit): \(String(decoding: bytes, as: UTF8.self))")
        }
        return response
    }
}
