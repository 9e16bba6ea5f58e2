internal import EventLoop

/// What one loop has of a store: its reading connection, and the requests that it has not given to the writer yet.
///
/// They are given all at once when the loop has nothing else to do. A writer that is woken by the first of them
/// would commit it alone, on a machine with few processors before the loop could go on. Confined to its loop.
final class TokenLoop {
    /// So many are given to the writer also while the loop is busy, which then goes on beside the flush to the disk.
    private static let limit = 128

    let reader: TokenReader
    private let core: SQLiteTokenStoreCore
    private let loop: EventLoop
    private var collected: [TokenRequest] = []
    private var isWaiting = false

    init(_ core: SQLiteTokenStoreCore, _ loop: EventLoop) {
        self.core = core
        self.loop = loop
        reader = core.makeReader()
    }

    /// Takes a request, which the writer gets soon.
    func add(_ request: TokenRequest) {
        collected.append(request)
        if collected.count >= Self.limit { handOver() }
        guard !isWaiting else { return }
        isWaiting = true
        loop.whenIdle { [self] in
            isWaiting = false
            handOver()
        }
    }

    private func handOver() {
        guard !collected.isEmpty else { return }
        core.enqueue(collected)
        collected.removeAll(keepingCapacity: true)
    }
}
