/// How far an answer is: what can be decided without waiting was decided by ordinary calls, whose memory is the stack,
/// and what waits is one call that keeps no more than it needs.
enum Answering {
    /// It is there.
    case now(Answer)
    /// It is what this returns, once a store has answered or a secret was checked.
    case later(Rest)

    /// What is left to do, on the loop that began it.
    typealias Rest = nonisolated(nonsending) () async -> Answer
}
