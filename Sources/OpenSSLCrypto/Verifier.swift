internal import Synchronization

/// Verifies with one public key, from any thread: with the first context while nobody else does, else with one of a
/// small pool.
final class Verifier: Sendable {
    private let handle: KeyHandle
    private let algorithm: SignatureAlgorithm
    private let signatureByteCount: Int
    /// Belongs to whoever has set `isTaken`.
    private let first: SignatureContext
    private let isTaken = Atomic(false)
    private let idle = Mutex<[SignatureContext]>([])
    /// More callers than this at once make contexts of their own.
    private static let maximumIdle = 64

    init(_ handle: KeyHandle, _ algorithm: SignatureAlgorithm, signatureByteCount: Int) throws(CryptoError) {
        self.handle = handle
        self.algorithm = algorithm
        self.signatureByteCount = signatureByteCount
        first = try SignatureContext(handle, algorithm, .verifying)
    }

    func verify(
        _ signature: Span<UInt8>, of message: Span<UInt8>, after beginning: SHA256.Beginning?
    ) -> Bool {
        guard signature.count == signatureByteCount else { return false }
        if !isTaken.exchange(true, ordering: .acquiring) {
            defer { isTaken.store(false, ordering: .releasing) }
            return verify(signature, of: message, after: beginning, with: first)
        }
        guard let context = takeContext() else { return false }
        defer { giveBack(context) }
        return verify(signature, of: message, after: beginning, with: context)
    }

    private func verify(
        _ signature: Span<UInt8>, of message: Span<UInt8>, after beginning: SHA256.Beginning?,
        with context: SignatureContext
    ) -> Bool {
        guard algorithm == .es256 else {
            return signature.withUnsafeBufferPointer { context.verify($0, of: message, after: beginning) }
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ECDSASignature.maximumDERByteCount) {
            der in
            guard let count = ECDSASignature.writeDER(signature, into: der) else { return false }
            return context.verify(
                UnsafeBufferPointer(rebasing: der[..<count]), of: message, after: beginning)
        }
    }

    private func takeContext() -> SignatureContext? {
        idle.withLock { $0.popLast() } ?? (try? SignatureContext(handle, algorithm, .verifying))
    }

    private func giveBack(_ context: SignatureContext) {
        idle.withLock { contexts in
            if contexts.count < Self.maximumIdle { contexts.append(context) }
        }
    }
}
