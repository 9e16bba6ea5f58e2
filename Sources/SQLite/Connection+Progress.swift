internal import CSQLite

extension Connection {
    /// Calls `report` again and again while the statements of `body` run: whenever SQLite's machine has made about so
    /// many steps since (https://sqlite.org/c3ref/progress_handler.html). `report` must not use this connection.
    public func reporting<Result, Failure: Error>(
        everySteps steps: Int32, to report: @escaping () -> Void, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let context = ProgressReport(report)
        sqlite3_progress_handler(
            handle, steps,
            { context in
                guard let context else { return 0 }
                Unmanaged<ProgressReport>.fromOpaque(context).takeUnretainedValue().body()
                return 0
            }, Unmanaged.passUnretained(context).toOpaque())
        defer { withExtendedLifetime(context) { sqlite3_progress_handler(handle, 0, nil, nil) } }
        return try body()
    }
}

/// What is called, as an object that C can refer to.
private final class ProgressReport {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}
