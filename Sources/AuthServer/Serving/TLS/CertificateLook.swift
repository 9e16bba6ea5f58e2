import AuthStore
import EventLoop

/// Says what an administrator has to see to in a certificate: at once, and again and again while the server runs.
///
/// Confined to its event loop.
final class CertificateLook {
    private var timer: Timer?

    /// Looks, and goes on looking until it is released.
    /// - Parameters:
    ///   - interval: how long from one look to the next.
    ///   - note: writes a line to the log.
    init(
        at certificate: ServedCertificate, issuer: Issuer, loop: EventLoop,
        every interval: Duration = .seconds(86_400),
        clock: @escaping () -> Milliseconds = WallClock.now, note: @escaping (String) -> Void
    ) {
        let look = { for concern in certificate.concerns(for: issuer, at: clock()) { note(concern) } }
        look()
        timer = Timer(loop: loop, after: interval, repeats: true, look)
    }
}
