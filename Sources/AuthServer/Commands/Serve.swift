/// The running server.
enum Serve {
    /// Serves until it is told to stop.
    /// - Parameters:
    ///   - configuration: what it is told to do.
    ///   - reread: reads the configuration again, for SIGHUP; throws what is wrong with it.
    static func run(
        _ configuration: ServerConfiguration,
        reread: @escaping @Sendable () throws(CommandError) -> ServerConfiguration
    ) async throws(CommandError) -> ExitCode {
        throw CommandError(.failed, "this build cannot serve yet")
    }
}
