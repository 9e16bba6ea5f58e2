import AuthStore
import EventLoop
import Glibc
import HTTP
import Synchronization

/// All threads of a server that serves.
final class RunningServer: Sendable {
    private struct Member: Sendable {
        let running: EventLoop.Running
        let thread: LoopBound<ServingThread>
    }

    private let present: Mutex<ServingThread.Plan>
    private var plan: ServingThread.Plan { present.withLock { $0 } }
    private let members: [Member]
    private let address: ListenAddress
    private let metrics: MetricsListener?
    /// What is another than it was for the server that ran before.
    private let changes: [String]
    private let isStopping = Atomic<Bool>(false)

    private init(
        plan: ServingThread.Plan, members: [Member], metrics: MetricsListener?, address: ListenAddress,
        changes: [String]
    ) {
        self.metrics = metrics
        self.changes = changes
        present = Mutex(plan)
        self.members = members
        self.address = address
    }

    /// Opens the listeners, prepares the stores, and serves.
    /// - Parameter willServe: called when all is prepared, just before the first request may be served.
    /// - Throws: what is wrong, before anything is served.
    static func start(
        _ configuration: ServerConfiguration, willServe: () -> Void
    ) async throws(CommandError) -> RunningServer {
        // What can be refused without the registry comes first, so that a refused start makes and changes no file.
        // Who connects from now on waits in the sockets until their threads serve.
        let files = try GivenFiles(configuration)
        let sockets = try ServingPlan.listen(configuration)
        let metricsSocket = try ServingPlan.listenForMetrics(configuration)
        let port = UInt16(clamping: sockets[0].port)
        // The file that was given before the one beside it, so that an error names the former.
        try RegistryFile.check(configuration.stores.database, .readWrite)
        try TokenStores.check(configuration.stores)
        try ServingPlan.prepareRegistry(configuration, masterKey: files.masterKey)
        let plan = try ServingPlan.make(configuration, files: files, port: port)
        var members: [Member] = []
        let changes: [String]
        var metrics: MetricsListener?
        do throws(CommandError) {
            for (number, socket) in sockets.enumerated() {
                members.append(try await member(number, socket: socket, plan: plan))
            }
            if let metricsSocket, let host = configuration.metricsListen?.host {
                metrics = try await MetricsListener.start(metricsSocket, host: host) {
                    plan.meters.read(droppedLogLines: plan.logWriter.droppedLines)
                }
            }
            // Last of all: what another server noted stays where this one is refused.
            changes = try ServingPlan.noteServer(configuration, issuer: plan.issuer)
        } catch {
            await metrics?.stop()
            await end(members, seconds: 0, plan: plan)
            plan.logWriter.close()
            throw error
        }
        willServe()
        await take(members)
        return RunningServer(
            plan: plan, members: members, metrics: metrics,
            address: ListenAddress(host: configuration.listen.host, port: port), changes: changes)
    }

    private static func member(
        _ number: Int, socket: ListeningSocket, plan: ServingThread.Plan
    ) async throws(CommandError) -> Member {
        let running: EventLoop.Running
        do { running = try EventLoop.start(name: "serve-\(number)") } catch {
            throw CommandError(.failed, error.description)
        }
        let loop = running.loop
        let made = await Task(executorPreference: loop) {
            () -> Result<LoopBound<ServingThread>, CommandError> in
            let thread = ServingThread(loop: loop, socket: socket, number: number, plan: plan)
            do throws(CommandError) { try thread.prepare(plan) } catch {
                await thread.drain(seconds: 0)
                return .failure(error)
            }
            return .success(LoopBound(thread, loop: loop))
        }.value
        do throws(CommandError) {
            return Member(running: running, thread: try made.get())
        } catch {
            running.loop.stop()
            running.join()
            throw error
        }
    }

    /// Says in the log what is worth a look, and then where it listens: it is ready, for signals too.
    func announce() async {
        for change in changes { await note(change) }
        await lookAtCertificate()
        if let metrics { await note("metrics are at http://\(metrics.address)/metrics") }
        let database = AbsolutePath.of(plan.configuration.stores.database)
        await note(
            "listening on \(address) as \(plan.issuer.value), authserver \(version), clients in \(database), "
                + plan.tokenStores.description)
    }

    /// Calls `body` whenever the process gets one of these signals.
    func watch(_ signals: [Int32], _ body: @escaping @Sendable () -> Void) async {
        let loop = members[0].running.loop
        let thread = members[0].thread
        await Task(executorPreference: loop) {
            for signal in signals { thread.value.watch(signal, body) }
        }.value
    }

    /// Reads the configuration again and serves by it; what is wrong with it is logged, and the old one stays. While it
    /// reads, the server may be told to stop: then nothing comes of it.
    func apply(_ reread: @escaping @Sendable () throws(CommandError) -> ServerConfiguration) async {
        do throws(CommandError) {
            let serving = plan.configuration
            let given = try reread()
            let configuration = serving.followed(by: given)
            let files = try GivenFiles(configuration)
            guard !isStopping.load(ordering: .acquiring) else { return }
            let next = try ServingPlan.make(
                configuration, files: files, port: address.port, replacing: plan)
            try await prepare(next, configuration)
            await Self.take(members)
            let waiting = serving.settingsNeedingRestart(for: given).map(\.flag.spelling)
            present.withLock { $0 = next }
            await lookAtCertificate()
            await note(
                waiting.isEmpty
                    ? "keys and configuration were read again"
                    : "keys and configuration were read again; a restart is needed for \(waiting.joined(separator: ", "))"
            )
        } catch {
            guard !isStopping.load(ordering: .acquiring) else { return }
            let hint = error.hint.map { ": \($0)" } ?? ""
            await note("the configuration was not read again: \(error.message)\(hint)")
        }
    }

    /// Makes all that threads need to serve by a plan, and notes it in the registry; where that cannot be done, nothing
    /// is changed.
    private func prepare(
        _ next: ServingThread.Plan, _ configuration: ServerConfiguration
    ) async throws(CommandError) {
        do throws(CommandError) {
            for member in members {
                try await Task(executorPreference: member.running.loop) {
                    Result { () throws(CommandError) in try member.thread.value.prepare(next) }
                }.value.get()
            }
            try ServingPlan.noteAgain(configuration, replacing: plan)
        } catch {
            await Self.discard(members)
            throw error
        }
    }

    /// Serves with what all threads have prepared.
    private static func take(_ members: [Member]) async {
        for (number, member) in members.enumerated() {
            await Task(executorPreference: member.running.loop) {
                member.thread.value.take(relaysRevocations: number == 0)
            }.value
        }
    }

    private static func discard(_ members: [Member]) async {
        for member in members {
            await Task(executorPreference: member.running.loop) { await member.thread.value.discard() }.value
        }
    }

    /// Stops accepting, finishes what runs for at most `seconds`, and ends all threads.
    func stop(seconds: Int) async {
        isStopping.store(true, ordering: .releasing)
        await note("stopping")
        let plan = plan
        async let metricsEnd: Void? = metrics?.stop()
        await Self.end(members, seconds: seconds, plan: plan)
        _ = await metricsEnd
        // By no thread of these: they have ended.
        let line = RequestLog.line("stopped", milliseconds: WallClock.now(), format: plan.logFormat)
        plan.logWriter.write(Array(line.utf8))
        plan.logWriter.close()
    }

    private static func end(_ members: [Member], seconds: Int, plan: ServingThread.Plan) async {
        await withTaskGroup(of: Void.self) { group in
            for member in members {
                group.addTask(executorPreference: member.running.loop) {
                    await member.thread.value.drain(seconds: seconds)
                }
            }
        }
        for member in members {
            member.running.loop.stop()
            member.running.join()
        }
        await plan.tokenStores.close()
        plan.slowChecks.stop()
    }

    private func lookAtCertificate() async {
        let (thread, plan) = (members[0].thread, plan)
        plan.meters.note(certificateEnd: plan.certificate?.end)
        await Task(executorPreference: members[0].running.loop) {
            thread.value.lookAtCertificate(of: plan)
        }.value
    }

    private func note(_ text: String) async {
        let thread = members[0].thread
        await Task(executorPreference: members[0].running.loop) { thread.value.note(text) }.value
    }
}
