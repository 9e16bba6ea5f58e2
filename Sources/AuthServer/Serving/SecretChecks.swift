import AuthStore
import OAuth

/// The checks of brought secrets of one thread: what was right is remembered, and requests that wait for the same
/// check share it, so that a burst of one client after a start costs one derivation and not one each.
///
/// Confined to its event loop.
final class SecretChecks {
    /// Which brought secrets were right.
    let verified = VerifiedSecretCache()
    private let slow: SlowSecretChecks
    private var running: [Key: Task<SlowSecretCheck.Answer?, Never>] = [:]

    /// A secret as it was sent, kept for as long as its check takes.
    struct Key: Hashable {
        let client: ClientID
        let secrets: [[UInt8]]
    }

    init(slow: SlowSecretChecks) {
        self.slow = slow
    }

    /// Whether a check of the same secrets is under way.
    func isRunning(_ key: Key) -> Bool { running[key] != nil }

    /// Runs a check, or waits for the one that runs already.
    /// - Returns: nil when too many wait, in all or for this address.
    nonisolated(nonsending) func run(
        _ check: SlowSecretCheck, of key: Key, from address: AddressGroup
    ) async -> SlowSecretCheck.Answer? {
        let answer: SlowSecretCheck.Answer?
        if let task = running[key] {
            answer = await task.value
        } else {
            let task = Task { [slow] in await slow.run(check, from: address) }
            running[key] = task
            answer = await task.value
            // By the one who entered it: one who waited may go on when another check of the key runs already.
            running[key] = nil
        }
        // Whoever is first to go on remembers: the others look there next.
        if let answer { verified.remember(answer) }
        return answer
    }
}
