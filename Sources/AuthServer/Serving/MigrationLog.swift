import AuthStore

/// Says in the log that a store of an earlier version is brought up to date, and how long it took; on a terminal also
/// how far it is. Nothing is served meanwhile, and no thread writes the log yet.
final class MigrationLog {
    private let console: any Console
    private let format: RequestLog.Format
    private let progressLine: ProgressLine?
    private var start = ContinuousClock.now

    init(_ console: any Console, format: RequestLog.Format) {
        self.console = console
        self.format = format
        progressLine = format == .text ? ProgressLine(console) : nil
    }

    /// Is told how it goes on.
    func observe(_ progress: MigrationProgress) {
        progressLine?.observe(progress)
        switch progress {
        case .begins(let work):
            start = .now
            let what = [work.moved].compactMap { $0 } + work.migrations
            note(
                "bringing the tables of the \(work.database) up to date: \(what.joined(separator: ", "))")
        case .done(let work):
            let (seconds, rest) = (ContinuousClock.now - start).components
            let tenths = seconds * 10 + rest / 100_000_000_000_000_000
            note("the tables of the \(work.database) are up to date after \(tenths / 10).\(tenths % 10) s")
        case .goesOn, .failed: break
        }
    }

    private func note(_ text: String) {
        console.writeMessage(RequestLog.line(text, milliseconds: WallClock.now(), format: format))
    }
}
