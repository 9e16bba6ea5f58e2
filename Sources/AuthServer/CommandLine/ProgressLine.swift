/// A line on a terminal that says how far something is that takes long, and is wiped away when that ends.
final class ProgressLine {
    /// What is over sooner shows nothing.
    static let usualDelay = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)
    private static let barWidth = 20

    private let console: any Console
    private let delay: Duration
    private let now: () -> ContinuousClock.Instant
    private var start: ContinuousClock.Instant?
    private var lastDrawn: ContinuousClock.Instant?
    private var width = 0

    /// Nil where messages go to no terminal.
    /// - Parameters:
    ///   - delay: how long after its beginning it is shown.
    ///   - now: the clock.
    init?(
        _ console: any Console, delay: Duration = usualDelay,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        guard console.errorIsTerminal else { return nil }
        self.console = console
        self.delay = delay
        self.now = now
    }

    /// Shows how far it is, ten times a second at most; the first call is its beginning.
    /// - Parameter fraction: from 0 to 1; nil where nobody can know.
    func show(_ text: String, fraction: Double?) {
        let now = now()
        let start = start ?? now
        self.start = start
        guard now - start >= delay, lastDrawn.map({ now - $0 >= Self.pause }) ?? true else { return }
        lastDrawn = now
        draw(Self.line(text, fraction: fraction, seconds: (now - start).components.seconds))
    }

    /// Wipes the line away, so that what is said next begins at the left.
    func clear() {
        if width > 0 { console.writeMessage("\r\(String(repeating: " ", count: width))\r") }
        (start, lastDrawn, width) = (nil, nil, 0)
    }

    private func draw(_ line: String) {
        let rest = String(repeating: " ", count: max(0, width - line.count))
        console.writeMessage("\r\(line)\(rest)")
        width = max(width, line.count)
    }

    /// What is shown: a bar where the fraction is known, else the time that has passed.
    static func line(_ text: String, fraction: Double?, seconds: Int64) -> String {
        guard let fraction else { return "\(text): \(seconds) s" }
        let share = min(1, max(0, fraction))
        let done = Int(share * Double(barWidth))
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: barWidth - done)
        return "\(text) [\(bar)] \(Int(share * 100))% \(seconds) s"
    }
}
