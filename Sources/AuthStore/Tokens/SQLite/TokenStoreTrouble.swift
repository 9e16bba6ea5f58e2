internal import SQLite
internal import Synchronization

/// What the writer finds wrong with the files beside the store's, for other threads to say: they look once a second, as
/// the writer does.
final class TokenStoreTrouble: Sendable {
    private struct State {
        var text: String?
        var goodLooks = 0
    }

    private let state = Mutex(State())

    /// What is wrong, or was at one of the last two looks, so that all threads see it.
    var text: String? { state.withLock { $0.text } }

    /// Takes note of a look of the writer; nil where all is well.
    func note(_ loss: SQLiteError?) {
        state.withLock { state in
            state.goodLooks = loss == nil ? state.goodLooks + 1 : 0
            if let loss { state.text = loss.description } else if state.goodLooks > 2 { state.text = nil }
        }
    }
}
