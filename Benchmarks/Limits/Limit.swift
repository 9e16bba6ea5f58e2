import EventLoop
import Foundation
import HTTP
import OpenSSLCrypto

/// What the server is measured against, served by the same engine on one loop: a fixed reply of a token's size, or
/// that and one signature made the plain way.
enum Limit {
    /// Serves until the process ends.
    static func serve(
        _ algorithm: SignatureAlgorithm?, port: Int, tls: (certificate: String, key: String)?
    ) throws {
        let loop = try EventLoop()
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: port, count: 1)[0]
        let key = try algorithm.map { algorithm in
            try OpenSSLKey(pkcs8: try PrivateKey.generate(algorithm).pkcs8(), algorithm: algorithm)
        }
        let message = [UInt8](repeating: 0x61, count: 360)
        let body = [UInt8](repeating: 0x61, count: 506)
        let fields = [
            HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store"),
            HTTPField("Pragma", "no-cache"),
        ]
        let server = try HTTPServer(loop: loop, configuration: try configuration(tls)) { _ in
            if let key, !key.signPlainly(message) { return .text(500, "no signature") }
            return HTTPResponse(status: 200, fields: fields, body: body)
        }
        server.serve(socket)
        withExtendedLifetime(server) { loop.run() }
    }

    private static func configuration(
        _ tls: (certificate: String, key: String)?
    ) throws -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        if let tls {
            configuration.tls = TLSIdentity(
                certificatePEM: try String(contentsOfFile: tls.certificate, encoding: .utf8),
                keyPEM: try String(contentsOfFile: tls.key, encoding: .utf8))
        }
        return configuration
    }
}
