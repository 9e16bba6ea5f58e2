import EventLoop
import Glibc
import HTTP
import OpenSSLCrypto

/// The limits that the server is measured against, served by the same engine on one loop:
/// `reply` answers with a fixed text, `signature` makes one plain ES256 signature for each as well.
/// `timing` measures whether failed authentications take the same time; see `Timing`.
@main
struct Benchmarks {
    static func main() {
        exit(run(CommandLine.arguments))
    }

    nonisolated private static func run(_ arguments: [String]) -> Int32 {
        if arguments.count == 5, arguments[1] == "timing", let port = UInt16(arguments[2]),
            let process = pid_t(arguments[3]), let seconds = Int(arguments[4])
        {
            return timing(port: port, process: process, seconds: seconds)
        }
        guard arguments.count == 3, let limit = Limit(rawValue: arguments[1]), let port = Int(arguments[2])
        else {
            print("usage: Benchmarks reply|signature PORT | timing PORT PID SECONDS")
            return 2
        }
        do {
            try serve(limit, port: port)
            return 0
        } catch {
            print("Benchmarks: \(error)")
            return 1
        }
    }

    nonisolated private static func timing(port: UInt16, process: pid_t, seconds: Int) -> Int32 {
        do { return try Timing.run(port: port, process: process, seconds: seconds) } catch {
            print("Benchmarks: \(error)")
            return 1
        }
    }

    private enum Limit: String { case reply, signature }

    nonisolated private static func serve(_ limit: Limit, port: Int) throws {
        let loop = try EventLoop()
        let socket = try ListeningSocket.open(host: "127.0.0.1", port: port, count: 1)[0]
        let key = try PrivateKey.generate(.es256)
        let message = [UInt8](repeating: 0x61, count: 360)
        let body = [UInt8](repeating: 0x61, count: 506)
        let fields = [
            HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store"),
            HTTPField("Pragma", "no-cache"),
        ]
        let server = try HTTPServer(loop: loop, socket: socket) { _ in
            // The plain way: a context made for each signature.
            if limit == .signature, (try? Signer(key).sign(message.span)) == nil {
                return .text(500, "no signature")
            }
            return HTTPResponse(status: 200, fields: fields, body: body)
        }
        withExtendedLifetime(server) { loop.run() }
    }
}
