internal import EventLoop
internal import SQLite

/// Commits the requests in groups, on a thread of its own, and tidies the file between commits.
///
/// All requests that arrived during one commit share the next, so that a full synchronization costs a group, not
/// a token. Confined to its loop.
final class TokenWriter {
    private static let groupLimit = 1024
    private static let purgeLimits = 128...1024
    private static let pagesAShrink: Int64 = 256

    private let queue: TokenQueue
    private let path: String
    private let configuration: SQLiteTokenStoreConfiguration
    private let trouble: TokenStoreTrouble
    private let sharedReader: SharedTokenReader
    /// nil after a failure, until the next request or second.
    private var file: TokenFile?
    private var timer: Timer?
    /// Whether expired rows, or free pages, may be left; in each new second there may be.
    private var isUntidy = true
    private var tidiedSecond: Int64 = 0

    init(
        queue: TokenQueue, path: String, configuration: SQLiteTokenStoreConfiguration,
        trouble: TokenStoreTrouble, sharedReader: SharedTokenReader, onMigration: MigrationObserver?
    ) throws(StoreError) {
        self.queue = queue
        self.path = path
        self.configuration = configuration
        self.trouble = trouble
        self.sharedReader = sharedReader
        file = try TokenFile(path: path, configuration: configuration, onMigration: onMigration)
    }

    /// Begins to tidy, once a second. On the loop's thread.
    func start(on loop: EventLoop) {
        timer = Timer(loop: loop, after: .seconds(1), repeats: true) { [unowned self] in self.tick(loop) }
        tick(loop)
    }

    /// Closes the file. On the loop's thread.
    func stop() {
        timer = nil
        file = nil
    }

    /// Commits until nothing waits.
    func drain() {
        while true {
            let taken = queue.takeGroup(limit: Self.groupLimit)
            guard !taken.isEmpty else { return }
            let group = taken.filter(\.isAwaited)
            if !group.isEmpty { commit(group) }
            tidy(limit: group.count * 2)
        }
    }

    private func commit(_ group: [TokenRequest]) {
        let outcome: TokenRequest.Outcome
        do {
            try openFile().commit(group.map(\.operation))
            outcome = .success(())
        } catch {
            // Another process's lock says nothing against this connection; after anything else a new one is made.
            if (error as? SQLiteError)?.kind != .busy { file = nil }
            outcome = .failure(.unavailable("\(error)"))
        }
        group.answer(outcome)
    }

    private func openFile() throws -> TokenFile {
        if let file { return file }
        let opened = try TokenFile(path: path, configuration: configuration)
        file = opened
        return opened
    }

    // MARK: Housekeeping

    private func tick(_ loop: EventLoop) {
        lookAtFile()
        isUntidy = true
        tidyWhileIdle(loop)
    }

    /// A file that was removed is made anew, one that was replaced is used. One beside which a file was lost is opened
    /// anew once all threads have let go of it; nothing is written into a log that nobody else reads.
    private func lookAtFile() {
        if let open = file, open.isInPlace {
            let loss = open.lossOfSideFile
            trouble.note(loss)
            guard loss != nil else { return }
            sharedReader.letGoOfLost()
            open.giveUp()
        }
        file = nil
        file = try? openFile()
    }

    /// One small batch after the other, each a turn of its own, so that a request waits for one at most.
    private func tidyWhileIdle(_ loop: EventLoop) {
        guard isUntidy, file != nil, queue.isEmpty else { return }
        tidy(limit: Self.purgeLimits.upperBound)
        let me = LoopBound(self, loop: loop)
        loop.execute { me.value.tidyWhileIdle(loop) }
    }

    /// A batch of expired rows, the log when it is long, some free pages: a millisecond or two.
    private func tidy(limit: Int) {
        guard let file else { return }
        let second = configuration.now() / 1000
        if second != tidiedSecond { isUntidy = true }
        tidiedSecond = second
        do {
            if isUntidy {
                let limit = min(max(limit, Self.purgeLimits.lowerBound), Self.purgeLimits.upperBound)
                let purged = try file.purge(limit: limit, at: second)
                isUntidy = try purged >= limit || file.shrink(pages: Self.pagesAShrink)
            }
            try file.checkpointIfLong()
        } catch {
            // Tidying can wait; if it is more than that, the next commit says so.
            isUntidy = false
        }
    }
}
