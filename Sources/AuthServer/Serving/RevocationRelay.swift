import AuthStore
import EventLoop
import OAuth

/// Tells the token store which clients' tokens have ended, so that guards that ask the store alone refuse them.
///
/// The registry is where a revocation is decided and kept; a command that cannot reach the store, or that does
/// not know of it, is made up for here within a quarter of a second. All are told again each minute, for a store
/// that has lost some.
///
/// Confined to its event loop.
final class RevocationRelay {
    private static let period = Duration.milliseconds(250)
    private static let roundsUntilAllAgain = 240

    private var worker: Worker
    private let note: (String) -> Void
    private let loop: EventLoop
    private var timer: Timer?
    private var told: [ClientID: Milliseconds] = [:]
    private var round = 0
    private var isTelling = false
    private var hasFailed = false

    init(worker: Worker, loop: EventLoop, note: @escaping (String) -> Void) {
        self.worker = worker
        self.loop = loop
        self.note = note
        timer = Timer(loop: loop, after: Self.period, repeats: true) { [unowned self] in self.look() }
    }

    /// Goes on with another worker, and tells all again: its registry may be another. The timer is not begun anew, which
    /// one change of the configuration after the other would keep from ever firing.
    func follow(_ worker: Worker) {
        self.worker = worker
        told = [:]
    }

    private func look() {
        round += 1
        if round % Self.roundsUntilAllAgain == 0 { told = [:] }
        let now = worker.clock()
        let pending = worker.registry.revocations().filter {
            $0.keepUntil > now && told[$0.client] != $0.revokedAt
        }
        guard !pending.isEmpty, !isTelling else { return }
        isTelling = true
        let me = LoopBound(self, loop: loop)
        Task(executorPreference: loop) { await me.value.tell(pending, at: now) }
    }

    private func tell(_ revocations: [ClientRevocation], at now: Milliseconds) async {
        defer { isTelling = false }
        for revocation in revocations {
            do throws(TokenStoreError) {
                try await worker.tokens.end(revocation, at: now)
                told[revocation.client] = revocation.revokedAt
                hasFailed = false
            } catch {
                if !hasFailed {
                    note("the token store is not told of a revocation yet: \(error.description)")
                }
                hasFailed = true
                return
            }
        }
    }
}
