internal import AuthStore

extension ProgressLine {
    /// Shows how a database is brought up to date.
    func observe(_ progress: MigrationProgress) {
        switch progress {
        case .begins(let work): show(Self.text(work), fraction: work.moved.map { _ in 0 })
        case .goesOn(let work, let fraction): show(Self.text(work), fraction: fraction)
        case .done, .failed: clear()
        }
    }

    private static func text(_ work: MigrationWork) -> String {
        "updating the \(work.database)" + (work.moved.map { ": \($0)" } ?? "")
    }
}

extension CommandContext {
    /// Shows on a terminal how a database is brought up to date, where that takes long.
    var migrationObserver: MigrationObserver? {
        isJSON ? nil : ProgressLine(console, delay: progressDelay)?.observe
    }
}
