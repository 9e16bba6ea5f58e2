import AuthStore
import Glibc

/// The measurements that need code of this package in their own process; `scripts/bench` starts them.
///
/// Each command prints its result and ends, except `reply` and `signature`, which serve until they are ended.
@main
struct Benchmarks {
    private static let usage = """
        usage: Benchmarks reply PORT [CERTIFICATE KEY]
               Benchmarks signature ALGORITHM PORT [CERTIFICATE KEY]
               Benchmarks timing PORT PID SECONDS
               Benchmarks guard-files FOLDER COUNT
               Benchmarks guard FOLDER MILLISECONDS [REDIS_URL]
               Benchmarks clients DATABASE COUNT CREDENTIALS
               Benchmarks lookup MILLISECONDS (DATABASE COUNT)...
               Benchmarks tokens REDIS_URL COUNT
        """

    static func main() async {
        // As the server does.
        forgoSQLiteMemoryStatistics()
        var arguments = Arguments(CommandLine.arguments)
        do {
            exit(try await run(&arguments))
        } catch is Arguments.Misuse {
            print(usage)
            exit(2)
        } catch {
            print("Benchmarks: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: inout Arguments) async throws -> Int32 {
        switch try arguments.text() {
        case "reply":
            try Limit.serve(nil, port: try arguments.number(), tls: try arguments.files())
        case "signature":
            let algorithm = try arguments.algorithm()
            try Limit.serve(algorithm, port: try arguments.number(), tls: try arguments.files())
        case "timing":
            return try Timing.run(
                port: UInt16(clamping: try arguments.number()), process: pid_t(try arguments.number()),
                seconds: try arguments.number())
        case "guard-files":
            try GuardFiles(folder: try arguments.text()).make(count: try arguments.number())
        case "guard":
            try await GuardRound.run(
                GuardFiles(folder: try arguments.text()), milliseconds: try arguments.number(),
                redis: arguments.isEmpty ? nil : try arguments.text())
        case "clients":
            try ManyClients.fill(
                try arguments.text(), count: try arguments.number(), credentials: try arguments.text())
        case "lookup":
            let milliseconds = try arguments.number()
            var registries: [(String, Int)] = []
            while !arguments.isEmpty { registries.append((try arguments.text(), try arguments.number())) }
            try await ManyClients.find(in: registries, milliseconds: milliseconds)
        case "tokens":
            let url = try arguments.text()
            try await ManyTokens.record(count: try arguments.number(), url: url)
        default: throw Arguments.Misuse()
        }
        return 0
    }
}
