internal import JOSE

/// `authserver serve`: flags, help and configuration; what serves is `Serve`.
enum ServeCommand {
    static let printConfig = Flag("print-config", .toggle)

    static let command = Command(
        "serve", usage: usage, flags: [printConfig, ServeCheck.flag], settings: Setting.allCases, meant: meant
    ) { context throws(CommandError) in
        if [printConfig, ServeCheck.flag].contains(where: context.arguments.has) { return try look(context) }
        do throws(CommandError) {
            return try await serve(context)
        } catch {
            guard logsJSON(context) else { throw error }
            return log(error, context)
        }
    }

    /// Does what a start does before it serves, and no more.
    private static func look(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let isPrinted = context.arguments.has(printConfig)
        if isPrinted { try printConfiguration(context) }
        guard context.arguments.has(ServeCheck.flag) else { return .ok }
        try ServeCheck.run(context)
        if !isPrinted { try context.emit(.members([("checked", .bool(true))]), text: "") }
        return .ok
    }

    private static func serve(_ context: CommandContext) async throws(CommandError) -> ExitCode {
        let configuration = try ServerConfiguration(context.settings)
        let sources = SettingSources(arguments: context.arguments, environment: context.environment)
        return try await Serve.run(configuration) { () throws(CommandError) in
            try ServerConfiguration(sources.resolved())
        }
    }

    /// Whether all that standard error gets is to be lines of the log: that is said by name, and `--json` asks for another
    /// document.
    private static func logsJSON(_ context: CommandContext) -> Bool {
        let format = ServerConfiguration.LogFormat(rawValue: context.settings[.logFormat]?.text ?? "")
        return format == .json && !context.isJSON
    }

    /// Says why nothing is served, as the log says what happens while something is.
    private static func log(_ error: CommandError, _ context: CommandContext) -> ExitCode {
        let hint = error.hint.map { ": \($0)" } ?? ""
        context.console.writeMessage(
            RequestLog.line(
                "the server did not start: \(error.message)\(hint)", milliseconds: context.nowMilliseconds,
                format: .json))
        return error.exitCode
    }

    /// What other servers call the parts of an address, and a check.
    private static let meant = [
        "-t": "--check", "--test": "--check", "--dry-run": "--check", "--validate": "--check",
        "--port": "--listen 127.0.0.1:PORT", "-p": "--listen 127.0.0.1:PORT", "--host": "--listen HOST:PORT",
        "--bind": "--listen HOST:PORT", "--address": "--listen HOST:PORT",
    ]

    /// Shows what is in force first, so that it can be seen also where it is refused.
    private static func printConfiguration(_ context: CommandContext) throws(CommandError) {
        let printed = PrintedConfiguration(context.settings)
        try context.emit(printed.document, table: printed.table, whenEmpty: "")
        _ = try ServerConfiguration(context.settings)
    }

    static let usage = """
        Usage: authserver serve [FLAGS]

        Runs the authorization server until SIGTERM or SIGINT. Creates the database where there is none, applies
        migrations, and makes a first ES256 key. SIGHUP reads keys and configuration again.

        Where it listens:
          --listen HOST:PORT        address (127.0.0.1:8083); port 0 lets the system choose
          --issuer URL              the issuer as clients see it (http://HOST:PORT on loopback)
          --tls-certificate FILE    certificate chain in PEM, to end TLS here
          --tls-key FILE            its private key in PEM
          --allow-insecure-listen   listen beyond loopback without TLS: secrets cross the network in the clear
          --allow-http-issuer       an http issuer beyond loopback: keys are fetched over plain http, which guards and
                                    token clients refuse unless their own allowsPlainHTTP is set
          --trust-forwarded-for     take the client's address from X-Forwarded-For: only behind a proxy that sets it

        Where it keeps things:
          --database FILE           clients, resources and keys (authserver.db)
          --redis URL               issued tokens: redis://USER:PASSWORD@HOST:PORT/DB or unix:///PATH?db=N;
                                    without it they are kept in FILE-tokens beside the database. A flag is seen
                                    in the process list: a password belongs into AUTHSERVER_REDIS or the file
          --redis-prefix TEXT       what keys in Redis begin with (auth:)
          --sqlite-synchronous full|normal
                                    full: a stored token survives a power failure (full)
          --master-key-file FILE    encrypts signing keys at rest under the key in FILE

        How it works:
          --threads N               threads that serve (one a processor)
          --log-format auto|json|text
                                    one line a request on standard error (auto: text on a terminal, else json)
          --jwks-max-age TIME       how long guards may keep the key set, and new keys wait to sign (5m)
          --request-deadline TIME   a request is received and answered within it (10s)
          --max-connections N       open connections of all threads, of which each takes its share (4096)
          --max-connections-per-address N
                                    open connections of one address (as --max-connections)
          --max-failures N          failed authentications a minute of a client from one address, ten times as many
                                    of an address in all; beyond it gets 429 for up to two minutes; 0: no limit (30)
          --max-clients-in-memory N
                                    clients that all threads remember, of which each takes its share, at 400 bytes
                                    each; others are read from the registry at each request (1000000)
          --metrics-listen HOST:PORT
                                    metrics for Prometheus at http://HOST:PORT/metrics, such as 127.0.0.1:9464, in
                                    the clear and for everybody who can connect; none without it

        Configuration:
          --config FILE             a JSON5 file; AUTHSERVER_CONFIG names it too
          --print-config            show each setting, its value and where it is from, and end; with --json too
          --check                   look whether a start would find the files in order that the settings name, as the
                                    server's user, and end: with 0, or as that start would. Makes no file, and tries
                                    neither the port nor Redis
        Each setting is a flag, a variable and a key of the file: --log-format, AUTHSERVER_LOG_FORMAT, log_format.
        Flags win over variables, variables over the file. TIME is 30s, 15m, 24h, 7d or plain seconds. A relative
        path counts from the present folder; in the configuration file, from that file's folder.

        Examples:
          authserver serve
          authserver serve --listen 127.0.0.1:8083 --issuer https://auth.example.com --redis redis://127.0.0.1:6379
          authserver serve --config /etc/authserver.json5 --print-config
          sudo -u authserver authserver serve --config /etc/authserver.json5 --check

        """
}
