/// What libFuzzer calls. The variable FUZZ_TARGET names the target that a process tries; `scripts/fuzz` sets it.
import Glibc

/// One kind of input, and what must hold whatever it is.
struct FuzzTarget: Sendable {
    /// Its name on the command line, and the folder of its seeds.
    let name: String
    /// Whether one input may cost a multiple: it makes signatures, or crosses threads.
    var isCostly = false
    /// Tries an input; ends the process when something does not hold.
    let run: @Sendable ([UInt8]) -> Void
}

enum Fuzzer {
    static let targets: [FuzzTarget] = [
        .accessToken, .basicHeader, .bearerHeader, .cacheFields, .commandLine, .compactJWS,
        .configurationFile,
        .endpoints, .formBody, .httpRequest, .issuer, .json, .jwkSet, .redisURL, .tokenResponse,
    ]

    static let target: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = targets.first(where: { $0.name == name }) else {
            print("FUZZ_TARGET is one of: " + targets.map(\.name).joined(separator: " "))
            exit(2)
        }
        return target
    }()

    /// Tries an input, and that its time is linear in its size: generous for one instrumented pass, and exceeded
    /// at once by a quadratic one.
    static func run(_ input: [UInt8]) {
        let start = processorMicroseconds()
        target.run(input)
        let spent = processorMicroseconds() - start
        let allowed = 200_000 + 20 * input.count
        demand(spent < (target.isCostly ? 10 * allowed : allowed), "\(input.count) bytes took \(spent) µs")
    }

    private static func processorMicroseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}

/// Ends the process when a property does not hold.
func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("does not hold: \(what())")
}

/// Tries one input, as libFuzzer asks for it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzer.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
