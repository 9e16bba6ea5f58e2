import Foundation
import Synchronization

@testable import ResourceGuard

/// What a guard logged.
final class Events: Sendable {
    private let events = Mutex<[LogEvent]>([])

    var log: @Sendable (LogEvent) -> Void { { event in self.events.withLock { $0.append(event) } } }

    var all: [LogEvent] { events.withLock { $0 } }

    var skipped: Int {
        all.count { if case .keySkipped = $0 { true } else { false } }
    }

    func failures(usingEarlierKeys: Bool) -> Int {
        all.count { if case .keysFetchFailed(_, usingEarlierKeys) = $0 { true } else { false } }
    }
}

/// A file of a test; removed with the value that owns it.
final class TemporaryFile: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init(_ text: String) throws { try write(text) }

    func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
