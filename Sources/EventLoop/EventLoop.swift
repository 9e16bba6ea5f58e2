internal import CEvent
internal import Glibc
internal import OperatingSystem
internal import Synchronization

/// One thread's event loop: runs Swift tasks, timers and descriptor callbacks on libevent.
///
/// Everything that the loop runs is run on the thread that called `run()`. A task whose executor preference
/// is the loop never leaves that thread, so what is confined to the loop needs no lock.
///
/// `@unchecked Sendable` is sound: `inbox`, `thread` and `stopRequested` are synchronized; every other member
/// is written before the loop is shared or touched on the loop's own thread alone, which `assertCurrent` checks.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// libevent's base, for the modules that attach C libraries to this loop.
    package let base: OpaquePointer

    private let thread = Atomic<UInt>(0)
    private let stopRequested = Atomic<Bool>(false)
    private let inbox = Mutex<Inbox>(Inbox())
    private let wakeDescriptor: Int32
    private var wakeEvent: OpaquePointer?
    private var jobs: [UnownedJob] = []
    private var running: [UnownedJob] = []
    // Apart, since one is gone through at every turn.
    private var turnHooks: [(id: Int, body: () -> Bool)] = []
    private var stopHooks: [(id: Int, body: () -> Void)] = []
    private var idleBodies: [() -> Void] = []
    private var idleDeadline: Int = 0
    /// Whether the last look at the descriptors found one ready, or was before what waits for an idle loop.
    private var mustLook = false
    private var lastHookID = 0

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var bodies: [@Sendable () -> Void] = []
        var isEnded = false
        private var isSignalled = false

        /// Adds a job.
        /// - Returns: whether the loop must be signalled: it was not since it last looked.
        mutating func add(_ job: UnownedJob) -> Bool {
            jobs.append(job)
            defer { isSignalled = true }
            return !isSignalled
        }

        /// Adds something to be called; answers as for a job.
        mutating func add(_ body: @escaping @Sendable () -> Void) -> Bool {
            bodies.append(body)
            defer { isSignalled = true }
            return !isSignalled
        }

        /// Moves the jobs to `jobs` and takes what is to be called.
        mutating func take(jobs taken: inout [UnownedJob]) -> [@Sendable () -> Void] {
            taken.append(contentsOf: jobs)
            jobs.removeAll(keepingCapacity: true)
            isSignalled = false
            defer { bodies = [] }
            return bodies
        }
    }

    /// A loop that runs once some thread calls `run()`; jobs enqueued earlier wait for that.
    /// - Throws: `EventLoopError` when the system has no descriptor or memory left.
    public init() throws(EventLoopError) {
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw EventLoopError(description: "no event loop can be made: \(SystemError.last)")
        }
        // Where libevent finds none left for a base, it ends the process.
        let canStart = Descriptors.areLeft(8)
        guard canStart, let base = event_base_new() else {
            close(descriptor)
            let reason = canStart ? "no memory is left" : SystemError.noDescriptors.description
            throw EventLoopError(description: "no event loop can be made: \(reason)")
        }
        self.base = base
        wakeDescriptor = descriptor
        let me = Unmanaged.passUnretained(self).toOpaque()
        wakeEvent = event_new(
            base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, context in
                guard let context else { return }
                Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().clearWakeUp()
            }, me)
        event_add(wakeEvent, nil)
    }

    deinit {
        if let wakeEvent { event_free(wakeEvent) }
        event_base_free(base)
        close(wakeDescriptor)
    }

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Traps when the caller is on another thread: a programming error, never reachable by input.
    public func assertCurrent() {
        precondition(isCurrent, "used outside its event loop")
    }

    /// Runs on the calling thread until `stop()`; once only.
    ///
    /// `SIGPIPE` is blocked on that thread from then on, so that a peer that hung up is an error of a write and
    /// not the end of the process. When it ends, everything attached to the loop is told first; jobs that are
    /// enqueued later never run.
    public func run() {
        auth_block_broken_pipe()
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        while !stopRequested.load(ordering: .acquiring) {
            var mayWait = runTurn()
            if !idleBodies.isEmpty { mayWait = callIdleBodies(ifIdle: mayWait) }
            mustLook = false
            // NONBLOCK alone loops for as long as some descriptor is ready; with ONCE it is one look at them.
            event_base_loop(base, mayWait ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK)
        }
        _ = runTurn()
        callIdleBodies()
        for hook in stopHooks { hook.body() }
        // A hook may hold the loop.
        stopHooks = []
        _ = runTurn()
        callIdleBodies()
        endInbox()
        thread.store(0, ordering: .relaxed)
    }

    /// Ends `run()` after the present turn; from any thread.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        // Always: a wake-up that was signalled for work may have been taken already, by a turn that looked at
        // `stopRequested` before this.
        signal()
    }

    /// Runs a job at the next turn of the loop; from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if inbox.withLock({ $0.add(job) }) {
            signal()
        }
    }

    /// Calls `body` on the loop's thread, at the next turn; from any thread.
    /// - Returns: whether it will be called: false once the loop has ended, and `body` is let go.
    @discardableResult
    public func execute(_ body: @escaping @Sendable () -> Void) -> Bool {
        let (isAccepted, mustSignal) = inbox.withLock { inbox in
            inbox.isEnded ? (false, false) : (true, inbox.add(body))
        }
        if mustSignal { signal() }
        return isAccepted
    }

    /// Attaches something to the loop. On the loop's thread only, or before `run()`.
    /// - Parameters:
    ///   - turn: called whenever no job of a turn is left, before the loop waits; answers whether it did something
    ///     that may have made new jobs.
    ///   - stop: called once, when the loop ends: the place to let go of what is attached to it and to fail what
    ///     waits.
    /// - Returns: an identifier for `removeHook`.
    package func addHook(turn: (() -> Bool)? = nil, stop: (() -> Void)? = nil) -> Int {
        lastHookID += 1
        if let turn { turnHooks.append((lastHookID, turn)) }
        if let stop { stopHooks.append((lastHookID, stop)) }
        return lastHookID
    }

    /// Forgets a hook; on the loop's thread only, or while the loop does not run.
    package func removeHook(_ id: Int) {
        turnHooks.removeAll { $0.id == id }
        stopHooks.removeAll { $0.id == id }
    }

    /// Calls `body` once, when the loop would wait: no job is left and no descriptor is ready; or a millisecond from
    /// now where the work does not end. What has a cost for each time is so done for many requests together.
    /// On the loop's thread only.
    package func whenIdle(_ body: @escaping () -> Void) {
        if idleBodies.isEmpty { idleDeadline = Self.microseconds() + 1000 }
        idleBodies.append(body)
        mustLook = true
    }

    /// Runs what is ready, a bounded number of rounds, and says whether nothing is left.
    private func runTurn() -> Bool {
        for _ in 0..<4 {
            let isDrained = runJobs()
            var hadWork = false
            for hook in turnHooks where hook.body() { hadWork = true }
            if isDrained && !hadWork && jobs.isEmpty { return true }
        }
        return false
    }

    /// Runs jobs and the jobs that these make, a bounded number of rounds, and says whether none is left.
    private func runJobs() -> Bool {
        for _ in 0..<16 {
            takeInbox()
            if jobs.isEmpty { return true }
            swap(&jobs, &running)
            for job in running { job.runSynchronously(on: asUnownedTaskExecutor()) }
            running.removeAll(keepingCapacity: true)
        }
        return false
    }

    /// Calls what waits for the loop to be idle, if the last look at the descriptors found nothing either, or when
    /// that was waited for too long.
    /// - Returns: whether the loop may wait.
    private func callIdleBodies(ifIdle isDrained: Bool) -> Bool {
        guard isDrained && !mustLook || Self.microseconds() >= idleDeadline else { return false }
        callIdleBodies()
        return isDrained && jobs.isEmpty && idleBodies.isEmpty
    }

    private func callIdleBodies() {
        let bodies = idleBodies
        idleBodies = []
        for body in bodies { body() }
    }

    private static func microseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    /// Accepts no more bodies, and runs those that were accepted late.
    private func endInbox() {
        let late = inbox.withLock { inbox in
            inbox.isEnded = true
            defer { inbox.bodies = [] }
            return inbox.bodies
        }
        for body in late { body() }
    }

    private func takeInbox() {
        let bodies = inbox.withLock { $0.take(jobs: &jobs) }
        for body in bodies { body() }
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Takes note that a descriptor was ready.
    func noteEvent() { mustLook = true }

    private func clearWakeUp() {
        mustLook = true
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, 8)
    }
}
